import type { DayRange } from '#contract/rules/report-days.ts';
import { beginners } from './beginner-list.ts';
import { listReach } from './play-queries.ts';
import { forEachStretch } from './read-parts.ts';
import { row, shareOf, sumOf, type ReportContext, type ReportDefinition } from './report.ts';
import { findMix } from './track-queries.ts';

const DAYS_AT_ONCE = 31;

/** How many of those who began in these days came as far as each percent. */
async function sumReach({ db }: ReportContext, trackId: string, range: DayRange) {
  const sums = new Map<number, number>();
  await forEachStretch(range, DAYS_AT_ONCE, async (part) => {
    for (const { reach, listeners } of await listReach(db, trackId, part))
      sums.set(reach, (sums.get(reach) ?? 0) + Number(listeners));
  });
  return [...sums].map(([reach, listeners]) => ({ reach, listeners }));
}

/** Of everybody who began, the share that came at least as far as each percent. */
export function drawCurve(reached: readonly { reach: number; listeners: number }[]): number[] {
  const all = sumOf(reached, ({ listeners }) => listeners);
  return Array.from({ length: 101 }, (_, percent) => {
    const still = reached.filter(({ reach }) => reach >= percent);
    return (
      shareOf(
        sumOf(still, ({ listeners }) => listeners),
        all,
      ) ?? 0
    );
  });
}

export const completion: ReportDefinition = {
  title: 'Where listeners leave',
  definition:
    'Of the members who began the mix with Premium in these days, the share that has come at least this far into it, until now. Who heard the mix through came to its end.',
  plot: 'curve',
  columns: [
    { key: 'percent', label: 'Into the mix', kind: 'percent' },
    { key: 'still', label: 'Still listening', kind: 'share' },
  ],
  figures: {
    began: {
      label: 'Began',
      definition: 'Members who first heard something of this mix with Premium in these days.',
      unit: 'count',
      isGoodWhen: 'more',
      list: beginners,
    },
    half: {
      label: 'Came halfway',
      definition: 'The share of them that came at least to the middle.',
      unit: 'share',
      isGoodWhen: 'more',
    },
    finished: {
      label: 'Heard it through',
      definition: 'The share of them that came to its end.',
      unit: 'share',
      isGoodWhen: 'more',
    },
  },
  compares: 'figures',
  async read(context, range) {
    const track = await findMix(context);
    const reached = track ? await sumReach(context, track.id, range) : [];
    const began = sumOf(reached, ({ listeners }) => listeners);
    const curve = drawCurve(reached);
    return {
      values: {
        began,
        half: began > 0 ? (curve[50] ?? null) : null,
        finished: began > 0 ? (curve[100] ?? null) : null,
      },
      rows: began > 0 ? curve.map((still, percent) => row([percent, still])) : [],
      ...(track && { subject: `${track.title}, week ${track.week}` }),
    };
  },
};

import { AppError } from '../../http/app-error.ts';
import { listReach } from './play-queries.ts';
import { row, shareOf, sumOf, type ReportContext, type ReportDefinition } from './report.ts';
import { findNewestTrack, listTracksById, type NamedTrack } from './track-queries.ts';

async function findMix({ db, now, trackId }: ReportContext): Promise<NamedTrack | undefined> {
  if (trackId === null) return findNewestTrack(db, now);
  const [track] = await listTracksById(db, [trackId]);
  if (!track) throw new AppError('not_found', { message: 'There is no mix with this id.' });
  return track;
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
    'Of the members who began the mix with Premium, the share that came at least this far into it, since it came out. Who heard the mix through came to its end.',
  plot: 'curve',
  columns: [
    { key: 'percent', label: 'Into the mix', kind: 'percent' },
    { key: 'still', label: 'Still listening', kind: 'share' },
  ],
  figures: {
    began: {
      label: 'Began',
      definition: 'Members who heard something of this mix with Premium.',
      unit: 'count',
    },
    half: {
      label: 'Came halfway',
      definition: 'The share of them that came at least to the middle.',
      unit: 'share',
    },
    finished: {
      label: 'Heard it through',
      definition: 'The share of them that came to its end.',
      unit: 'share',
    },
  },
  compares: 'nothing',
  async read(context) {
    const track = await findMix(context);
    const reached = track ? await listReach(context.db, track.id) : [];
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

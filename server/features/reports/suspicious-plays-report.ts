import { type SqlBool, sql } from 'kysely';
import { NETWORK_LISTENERS, WIDE_NETWORK_LISTENERS, type Doubt } from '#contract/rules/chart.ts';
import type { DayRange } from '#contract/rules/report-days.ts';
import type { Db } from '../../db/connect.ts';
import { startAfter } from '../../db/keyset.ts';
import type { SuspiciousDaysTable } from '../../db/types/report-tables.ts';
import { listTrackNames } from '../tracks/service.ts';
import { buildPlayList } from './play-list.ts';
import { sumPlays, type Page } from './play-sums.ts';
import { forEachRow } from './read-in-batches.ts';
import { row, shareOf, sumOf, type ReportDefinition } from './report.ts';

const NAMES: Record<Doubt, string> = {
  visitor: 'visitors',
  'new-member': 'members with a new account',
  'unverified-member': 'members without a confirmed e-mail address',
};

const REASONS: Record<Doubt, string> = {
  visitor: 'A visitor of a network that had counted for its share that day.',
  'new-member': 'A new account, in a network that had counted for its share that day.',
  'unverified-member':
    'No confirmed e-mail address, in a network that had counted for its share that day.',
};

const REASON = `Each day, a network counts in a mix’s rank for at most ${NETWORK_LISTENERS} visitors, new members and members without a confirmed e-mail address (a customer’s whole range of IPv6 for ${WIDE_NETWORK_LISTENERS}).`;

const listSuspiciousDays = (
  db: Db,
  { from, to }: DayRange,
  { after, limit }: Page<SuspiciousDaysTable>,
) =>
  db
    .selectFrom('suspicious_days')
    .selectAll()
    .where(
      startAfter(
        ['day', 'track_id', 'suspicion'],
        after && [after.day, after.track_id, after.suspicion],
        from,
      ),
    )
    .where('day', '<=', to)
    .orderBy('day')
    .orderBy('track_id')
    .orderBy('suspicion')
    .limit(limit)
    .execute();

type Sums = Map<Doubt, number>;

/** Plays that stay out of the chart, per track and reason. */
async function sumSuspicious(db: Db, range: DayRange): Promise<Map<string, Sums>> {
  const tracks = new Map<string, Sums>();
  await forEachRow(
    (after: SuspiciousDaysTable | null, limit) => listSuspiciousDays(db, range, { after, limit }),
    ({ track_id, suspicion, plays }) => {
      const sums: Sums = tracks.get(track_id) ?? new Map();
      sums.set(suspicion, (sums.get(suspicion) ?? 0) + plays);
      tracks.set(track_id, sums);
    },
  );
  return tracks;
}

const total = (sums: Sums): number => sumOf([...sums.values()], (plays) => plays);

/** Such as `12 by visitors, 3 by members with a new account, in networks that had counted already.` */
function explain(sums: Sums): string {
  const parts = (Object.keys(NAMES) as Doubt[]).flatMap((doubt) => {
    const plays = sums.get(doubt) ?? 0;
    return plays > 0 ? [`${plays} by ${NAMES[doubt]}`] : [];
  });
  return `${parts.join(', ')}, from networks that had counted for ${NETWORK_LISTENERS} of them that day.`;
}

const markedPlays = buildPlayList({
  where: sql<SqlBool>`plays.suspicion is not null`,
  last: {
    column: { key: 'why', label: 'Why', kind: 'text' },
    read: ({ suspicion }) => suspicion && REASONS[suspicion],
  },
});

const MAX_TRACKS = 200;

export const suspiciousPlays: ReportDefinition = {
  title: 'Plays left out of the Top 20',
  definition: `${REASON} Subscribers and other members always count.`,
  plot: 'ranking',
  columns: [
    { key: 'title', label: 'Mix', kind: 'text' },
    { key: 'week', label: 'Week', kind: 'week' },
    { key: 'left', label: 'Left out', kind: 'count' },
    { key: 'plays', label: 'Plays', kind: 'count' },
    { key: 'why', label: 'Why', kind: 'text' },
  ],
  figures: {
    left: {
      label: 'Left out',
      definition: 'Plays that don’t move their mix up. They count as plays all the same.',
      unit: 'count',
      isGoodWhen: 'less',
      list: markedPlays,
    },
    share: {
      label: 'Share of plays',
      definition: 'Share of all plays that the Top 20 leaves out.',
      unit: 'share',
      isGoodWhen: 'less',
    },
  },
  compares: 'figures',
  async read({ db }, range) {
    const suspicious = await sumSuspicious(db, range);
    const plays = await sumPlays(db, range);
    const left = sumOf([...suspicious.values()], total);
    const ranked = [...suspicious]
      .toSorted(([a, x], [b, y]) => total(y) - total(x) || (a < b ? -1 : 1))
      .slice(0, MAX_TRACKS);
    const named = await listTrackNames(
      db,
      ranked.map(([id]) => id),
    );
    const byId = new Map(named.map((track) => [track.id, track]));
    return {
      values: {
        left,
        share: shareOf(
          left,
          sumOf([...plays.values()], (count) => count),
        ),
      },
      rows: ranked.flatMap(([id, sums]) => {
        const track = byId.get(id);
        if (!track) return [];
        const cells = [track.title, track.week, total(sums), plays.get(id) ?? 0, explain(sums)];
        return [row(cells, `/track/${id}`)];
      }),
    };
  },
};

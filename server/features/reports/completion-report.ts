import { sql } from 'kysely';
import type { DayRange } from '#contract/rules/report-days.ts';
import type { Db } from '../../db/connect.ts';
import { compareColumns } from '../../db/keyset.ts';
import { AppError } from '../../http/route/app-error.ts';
import { type Cohort, type CohortSource, listCohortMembers } from './cohort-members.ts';
import { forEachDayRange } from './read-in-batches.ts';
import {
  type FigureList,
  type ReportContext,
  type ReportDefinition,
  row,
  shareOf,
  sumOf,
} from './report.ts';
import { listTrackNames, type TrackName } from '../tracks/service.ts';
import { userHref, formatUserName } from './user-names.ts';

const findNewestTrack = (db: Db, now: number): Promise<TrackName | undefined> =>
  db
    .selectFrom('tracks')
    .select(['id', 'title', 'year', 'week'])
    .where('publish_at', 'is not', null)
    .where('publish_at', '<=', now)
    .where('status', '=', 'ready')
    .orderBy('year', 'desc')
    .orderBy('week', 'desc')
    .orderBy('publish_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();

/** The track asked for, or the newest published one. */
async function findTrack({
  db,
  now,
  trackId,
}: Pick<ReportContext, 'db' | 'now' | 'trackId'>): Promise<TrackName | undefined> {
  if (trackId === null) return findNewestTrack(db, now);
  const [track] = await listTrackNames(db, [trackId]);
  if (!track) throw new AppError('not_found', { message: 'There’s no mix with this ID.' });
  return track;
}

/** How far listeners got who started the track in this period. */
const listReach = (db: Db, trackId: string, { from, to }: DayRange) =>
  db
    .selectFrom('track_reach')
    .select(['reach', sql<number>`sum(listeners)`.as('listeners')])
    .where('track_id', '=', trackId)
    .where('day', '>=', from)
    .where('day', '<=', to)
    .groupBy('reach')
    .execute();

const DAYS_AT_ONCE = 31;

/** How many of the listeners who started in this period stopped at each percent. */
export async function sumReach(
  { db }: Pick<ReportContext, 'db'>,
  trackId: string,
  range: DayRange,
) {
  const sums = new Map<number, number>();
  await forEachDayRange(range, DAYS_AT_ONCE, async (part) => {
    for (const { reach, listeners } of await listReach(db, trackId, part))
      sums.set(reach, (sums.get(reach) ?? 0) + listeners);
  });
  return [...sums].map(([reach, listeners]) => ({ reach, listeners }));
}

/** The share of listeners who got at least as far as each percent. */
function buildCurve(reached: readonly { reach: number; listeners: number }[]): number[] {
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

type ReachCohort = Cohort & { trackId: string; day: string; reach: number };

async function listReachCohorts(
  db: Db,
  trackId: string,
  { from, to }: DayRange,
  { key, limit }: { key: string | null; limit: number },
): Promise<ReachCohort[]> {
  const [day = from, reach = '0'] = key?.split('/') ?? [];
  if (!/^\d{1,3}$/.test(reach)) throw new AppError('validation_failed');
  const rows = await db
    .selectFrom('track_reach')
    .select(['day', 'reach', 'listeners'])
    .where('track_id', '=', trackId)
    .where(compareColumns(['day', 'reach'], '>=', [day, Number(reach)]))
    .where('day', '<=', to)
    .where('listeners', '>', 0)
    .orderBy('day')
    .orderBy('reach')
    .limit(limit)
    .execute();
  return rows.map(({ listeners, ...cohort }) => ({
    ...cohort,
    trackId,
    key: `${cohort.day}/${cohort.reach}`,
    size: listeners,
  }));
}

const selectStarted = (db: Db, { trackId, day, reach }: ReachCohort) =>
  db
    .selectFrom('progress')
    .where('progress.track_id', '=', trackId)
    .where('progress.reach_day', '=', day)
    .where('progress.reach', '=', reach);

const startedListenersOf = (
  db: Db,
  trackId: string,
  range: DayRange,
): CohortSource<ReachCohort> => ({
  listCohorts: (key, limit) => listReachCohorts(db, trackId, range, { key, limit }),
  listMembers: async (cohort, after, limit) => {
    const found = await selectStarted(db, cohort)
      .innerJoin('users', 'users.id', 'progress.user_id')
      .select(['progress.user_id', 'users.username', 'users.email'])
      .where('progress.user_id', '>', after)
      .orderBy('progress.user_id')
      .limit(limit)
      .execute();
    return found.map((one) => ({
      id: one.user_id,
      row: row([one.username, one.email, cohort.day, cohort.reach], userHref(one.user_id)),
    }));
  },
  countMembers: async (cohort) => {
    const count = sql<number>`count(*)`.as('count');
    const found = await selectStarted(db, cohort).select(count).executeTakeFirst();
    return found?.count ?? 0;
  },
  describeDeletedMember: (cohort) =>
    row([formatUserName({ username: null }), null, cohort.day, cohort.reach]),
});

/** The listeners who started the track, and how far each of them got. */
const startedListeners: FigureList = {
  columns: [
    { key: 'user', label: 'Member', kind: 'text' },
    { key: 'email', label: 'E-mail', kind: 'text' },
    { key: 'day', label: 'Started', kind: 'day' },
    { key: 'reach', label: 'Reached', kind: 'percent' },
  ],
  read: async (context, range, page) => {
    const track = await findTrack(context);
    return track ? listCohortMembers(startedListenersOf(context.db, track.id, range), page) : [];
  },
};

export const completion: ReportDefinition = {
  title: 'Drop-off',
  definition:
    'Of the subscribers who started this mix in this period, the share who got at least this far.',
  plot: 'curve',
  columns: [
    { key: 'percent', label: 'Into the mix', kind: 'percent' },
    { key: 'still', label: 'Still listening', kind: 'share' },
  ],
  figures: {
    started: {
      label: 'Started',
      definition: 'Subscribers who first played this mix in this period.',
      unit: 'count',
      isGoodWhen: 'more',
      list: startedListeners,
    },
    half: {
      label: 'Reached halfway',
      definition: 'Share who got to the midpoint.',
      unit: 'share',
      isGoodWhen: 'more',
    },
    finished: {
      label: 'Finished',
      definition: 'Share who got to the end.',
      unit: 'share',
      isGoodWhen: 'more',
    },
  },
  compares: 'figures',
  async read(context, range) {
    const track = await findTrack(context);
    const reached = track ? await sumReach(context, track.id, range) : [];
    const started = sumOf(reached, ({ listeners }) => listeners);
    const curve = buildCurve(reached);
    return {
      values: {
        started,
        half: started > 0 ? (curve[50] ?? null) : null,
        finished: started > 0 ? (curve[100] ?? null) : null,
      },
      rows: started > 0 ? curve.map((still, percent) => row([percent, still])) : [],
      ...(track && { subject: `${track.title}, week ${track.week}` }),
    };
  },
};

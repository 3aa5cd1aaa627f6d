import { sql } from 'kysely';
import { type DayRange, listDays } from '#contract/rules/report-days.ts';
import type { Db } from '../../db/connect.ts';
import { compareColumns } from '../../db/keyset.ts';
import type { ListenerGapsTable } from '../../db/types/report-tables.ts';
import { type Cohort, type CohortSource, listCohortMembers } from './cohort-members.ts';
import { listSiteDays } from './play-sums.ts';
import { fillPage, forEachDayRange } from './read-in-batches.ts';
import { type FigureList, type ReportDefinition, byKey, row, sumOf } from './report.ts';
import { type NamedListener, nameListeners, deletedListener } from './user-names.ts';

type Gap = Cohort & ListenerGapsTable;

type GapKey = Pick<ListenerGapsTable, 'day' | 'previous_day'>;

const keyOf = ({ day, previous_day }: GapKey) => `${day}/${previous_day}`;

/** In the order of the table, from this row on. */
const listGaps = (
  db: Db,
  to: string,
  { day, previous_day }: GapKey,
  { isIncluded, limit }: { isIncluded: boolean; limit: number },
) =>
  db
    .selectFrom('listener_gaps')
    .selectAll()
    .where('day', '<=', to)
    .where(compareColumns(['day', 'previous_day'], isIncluded ? '>=' : '>', [day, previous_day]))
    .orderBy('day')
    .orderBy('previous_day')
    .limit(limit)
    .execute();

/** The groups of listeners that match; late in a long range these are few. */
async function findGaps(
  db: Db,
  { from, to }: DayRange,
  matches: (gap: ListenerGapsTable) => boolean,
  { key, limit }: { key: string | null; limit: number },
): Promise<Gap[]> {
  const [day = from, previous_day = ''] = key?.split('/') ?? [];
  const found = await fillPage(
    (last: ListenerGapsTable | null, most) =>
      listGaps(db, to, last ?? { day, previous_day }, { isIncluded: !last, limit: most }),
    (gap) => gap.listeners > 0 && matches(gap),
    limit,
  );
  return found.map((gap) => ({ ...gap, key: keyOf(gap), size: gap.listeners }));
}

const selectVisits = (db: Db, { day, previous_day }: Gap) =>
  db.selectFrom('listener_visits').where('day', '=', day).where('previous_day', '=', previous_day);

const toRow = ({ name, email, href }: NamedListener, { day, previous_day }: Gap) =>
  row([name, email, day, previous_day || null], href);

const listenersOf = (
  db: Db,
  range: DayRange,
  matches: (gap: ListenerGapsTable) => boolean,
): CohortSource<Gap> => ({
  listCohorts: (key, limit) => findGaps(db, range, matches, { key, limit }),
  listMembers: async (gap, after, limit) => {
    const found = await selectVisits(db, gap)
      .select('listener_key')
      .where('listener_key', '>', after)
      .orderBy('listener_key')
      .limit(limit)
      .execute();
    const ids = found.map(({ listener_key }) => listener_key);
    const named = await nameListeners(db, ids);
    return ids.map((id, index) => ({ id, row: toRow(named[index] ?? deletedListener, gap) }));
  },
  countMembers: async (gap) => {
    const count = sql<number>`count(*)`.as('count');
    const found = await selectVisits(db, gap).select(count).executeTakeFirst();
    return found?.count ?? 0;
  },
  describeDeletedMember: (gap) => toRow(deletedListener, gap),
});

const columns: FigureList['columns'] = [
  { key: 'listener', label: 'Listener', kind: 'text' },
  { key: 'email', label: 'E-mail', kind: 'text' },
  { key: 'day', label: 'First play in period', kind: 'day' },
  { key: 'previous', label: 'Previous play', kind: 'day' },
];

/** Each listener once, on their first day in the period. */
const allListeners: FigureList = {
  columns,
  read: ({ db }, range, page) =>
    listCohortMembers(
      listenersOf(db, range, (gap) => gap.previous_day < range.from),
      page,
    ),
};

const newListeners: FigureList = {
  columns,
  read: ({ db }, range, page) =>
    listCohortMembers(
      listenersOf(db, range, (gap) => gap.previous_day === ''),
      page,
    ),
};

/** Counts listeners whose previous day is before `since`, and those without any previous day. */
async function countListeners(
  db: Db,
  { from, to }: DayRange,
  since: string,
): Promise<{ listeners: number; newListeners: number }> {
  const sums = await db
    .selectFrom('listener_gaps')
    .select([
      sql<number | null>`sum(listeners)`.as('listeners'),
      sql<number | null>`sum(case when previous_day = '' then listeners else 0 end)`.as(
        'newListeners',
      ),
    ])
    .where('day', '>=', from)
    .where('day', '<=', to)
    .where('previous_day', '<', since)
    .executeTakeFirst();
  return { listeners: sums?.listeners ?? 0, newListeners: sums?.newListeners ?? 0 };
}

/** Few at once, since each day can have one row for every day before it. */
const DAYS_AT_ONCE = 14;

export const listeners: ReportDefinition = {
  title: 'Listeners',
  definition: 'A listener is a member (or a logged-out browser) with at least one counted play.',
  plot: 'bars',
  columns: [
    { key: 'day', label: 'Day', kind: 'day' },
    { key: 'listeners', label: 'Listeners', kind: 'count', aggregate: 'mean' },
  ],
  figures: {
    listeners: {
      label: 'Listeners',
      definition: 'Unique listeners in this period.',
      unit: 'count',
      isGoodWhen: 'more',
      list: allListeners,
    },
    newListeners: {
      label: 'New listeners',
      definition: 'Listeners whose first-ever play was in this period.',
      unit: 'count',
      isGoodWhen: 'more',
      list: newListeners,
    },
    perDay: {
      label: 'Daily average',
      definition: 'Average unique listeners per day.',
      unit: 'count',
      isGoodWhen: 'more',
    },
  },
  compares: 'rows',
  async read({ db }, range) {
    const known = byKey(await listSiteDays(db, range), ({ day }) => day);
    const days = listDays(range);
    const sums = { listeners: 0, newListeners: 0 };
    await forEachDayRange(range, DAYS_AT_ONCE, async (part) => {
      const found = await countListeners(db, part, range.from);
      sums.listeners += found.listeners;
      sums.newListeners += found.newListeners;
    });
    const perDay = days.map((day) => known.get(day)?.listeners ?? 0);
    return {
      values: { ...sums, perDay: Math.round(sumOf(perDay, (n) => n) / days.length) },
      rows: days.map((day, index) => row([day, perDay[index] ?? 0])),
    };
  },
};

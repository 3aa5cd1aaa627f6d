import type { Expression, SqlBool } from 'kysely';
import { sql } from 'kysely';
import type { DayRange } from '#contract/rules/report-days.ts';
import type { Db } from '../../db/connect.ts';
import type { ListenerGapsTable } from '../../db/report-tables.ts';
import { listCells, type Cell, type CellSource } from './list-cells.ts';
import { nameListeners, somebodyGone, type NamedListener } from './person.ts';
import { row, type FigureList } from './report.ts';

type Gap = Cell & ListenerGapsTable;

const keyOf = ({ day, previous_day }: Pick<ListenerGapsTable, 'day' | 'previous_day'>) =>
  `${day}/${previous_day}`;

/** What an earlier visit was before: the first of these days, or any day at all. */
type Since = { before: string } | 'ever';

async function listGaps(
  db: Db,
  { from, to }: DayRange,
  since: Since,
  { key, limit }: { key: string | null; limit: number },
): Promise<Gap[]> {
  let query = db
    .selectFrom('listener_gaps')
    .selectAll()
    .where('day', '<=', to)
    .where('listeners', '>', 0);
  query =
    since === 'ever'
      ? query.where('previous_day', '=', '')
      : query.where('previous_day', '<', since.before);
  const [day = '', previous = ''] = key?.split('/') ?? [];
  query =
    key === null
      ? query.where('day', '>=', from)
      : query.where(({ eb, refTuple, tuple }): Expression<SqlBool> =>
          eb(refTuple('day', 'previous_day'), '>=', tuple(day, previous)),
        );
  const rows = await query.orderBy('day').orderBy('previous_day').limit(limit).execute();
  return rows.map((gap) => ({ ...gap, key: keyOf(gap) }));
}

const selectVisits = (db: Db, { day, previous_day }: Gap) =>
  db.selectFrom('listener_visits').where('day', '=', day).where('previous_day', '=', previous_day);

const toRow = ({ name, email, href }: NamedListener, { day, previous_day }: Gap) =>
  row([name, email, day, previous_day || null], href);

const visitsOf = (db: Db, range: DayRange, since: Since): CellSource<Gap> => ({
  listCells: (key, limit) => listGaps(db, range, since, { key, limit }),
  listNamed: async (gap, after, limit) => {
    const found = await selectVisits(db, gap)
      .select('listener')
      .where('listener', '>', after)
      .orderBy('listener')
      .limit(limit)
      .execute();
    const ids = found.map(({ listener }) => listener);
    const named = await nameListeners(db, ids);
    return ids.map((id, index) => ({ id, row: toRow(named[index] ?? somebodyGone, gap) }));
  },
  countNamed: async (gap) => {
    const count = sql<number | string>`count(*)`.as('count');
    const found = await selectVisits(db, gap).select(count).executeTakeFirst();
    return Number(found?.count ?? 0);
  },
  describeGone: (gap) => toRow(somebodyGone, gap),
});

const columns: FigureList['columns'] = [
  { key: 'listener', label: 'Listener', kind: 'text' },
  { key: 'email', label: 'E-mail', kind: 'text' },
  { key: 'day', label: 'First heard here on', kind: 'day' },
  { key: 'before', label: 'Before that', kind: 'day' },
];

/** Each listener once, on the first of these days that they were here. */
export const everyListener: FigureList = {
  columns,
  read: ({ db }, range, page) => listCells(visitsOf(db, range, { before: range.from }), page),
};

export const newListeners: FigureList = {
  columns,
  read: ({ db }, range, page) => listCells(visitsOf(db, range, 'ever'), page),
};

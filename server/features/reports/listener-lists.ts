import type { Expression, SqlBool } from 'kysely';
import { sql } from 'kysely';
import type { DayRange } from '#contract/rules/report-days.ts';
import type { Db } from '../../db/connect.ts';
import type { ListenerGapsTable } from '../../db/report-tables.ts';
import { listCells, type Cell, type CellSource } from './list-cells.ts';
import { nameListeners, somebodyGone, type NamedListener } from './person.ts';
import { fillPage } from './read-parts.ts';
import { row, type FigureList } from './report.ts';

type Gap = Cell & ListenerGapsTable;
type GapPlace = Pick<ListenerGapsTable, 'day' | 'previous_day'>;

const keyOf = ({ day, previous_day }: GapPlace) => `${day}/${previous_day}`;

/** From one on, it included or not, in the order of the table. */
const listGaps = (
  db: Db,
  to: string,
  { day, previous_day }: GapPlace,
  { isIncluded, limit }: { isIncluded: boolean; limit: number },
): Promise<ListenerGapsTable[]> =>
  db
    .selectFrom('listener_gaps')
    .selectAll()
    .where('day', '<=', to)
    .where(({ eb, refTuple, tuple }): Expression<SqlBool> =>
      eb(refTuple('day', 'previous_day'), isIncluded ? '>=' : '>', tuple(day, previous_day)),
    )
    .orderBy('day')
    .orderBy('previous_day')
    .limit(limit)
    .execute();

/** Those whose earlier day is none of these, or none at all: late in a long range they are few. */
async function findGaps(
  db: Db,
  { from, to }: DayRange,
  isWanted: (gap: ListenerGapsTable) => boolean,
  { key, limit }: { key: string | null; limit: number },
): Promise<Gap[]> {
  const [day = from, previous_day = ''] = key?.split('/') ?? [];
  const found = await fillPage(
    (last: ListenerGapsTable | null, most) =>
      listGaps(db, to, last ?? { day, previous_day }, { isIncluded: !last, limit: most }),
    (gap) => gap.listeners > 0 && isWanted(gap),
    limit,
  );
  return found.map((gap) => ({ ...gap, key: keyOf(gap) }));
}

const selectVisits = (db: Db, { day, previous_day }: Gap) =>
  db.selectFrom('listener_visits').where('day', '=', day).where('previous_day', '=', previous_day);

const toRow = ({ name, email, href }: NamedListener, { day, previous_day }: Gap) =>
  row([name, email, day, previous_day || null], href);

const visitsOf = (
  db: Db,
  range: DayRange,
  isWanted: (gap: ListenerGapsTable) => boolean,
): CellSource<Gap> => ({
  listCells: (key, limit) => findGaps(db, range, isWanted, { key, limit }),
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
  read: ({ db }, range, page) =>
    listCells(
      visitsOf(db, range, (gap) => gap.previous_day < range.from),
      page,
    ),
};

export const newListeners: FigureList = {
  columns,
  read: ({ db }, range, page) =>
    listCells(
      visitsOf(db, range, (gap) => gap.previous_day === ''),
      page,
    ),
};

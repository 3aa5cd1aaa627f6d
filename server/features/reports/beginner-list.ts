import type { Expression, SqlBool } from 'kysely';
import { sql } from 'kysely';
import type { DayRange } from '#contract/rules/report-days.ts';
import type { Db } from '../../db/connect.ts';
import { AppError } from '../../http/app-error.ts';
import { listCells, type Cell, type CellSource } from './list-cells.ts';
import { hrefOfPerson, nameOfPerson } from './person.ts';
import { row, type FigureList } from './report.ts';
import { findMix } from './track-queries.ts';

type Reach = Cell & { trackId: string; day: string; reach: number };

async function listReached(
  db: Db,
  trackId: string,
  { from, to }: DayRange,
  { key, limit }: { key: string | null; limit: number },
): Promise<Reach[]> {
  let query = db
    .selectFrom('mix_reach')
    .select(['day', 'reach', 'listeners'])
    .where('track_id', '=', trackId)
    .where('day', '<=', to)
    .where('listeners', '>', 0);
  const [day = '', reach = '0'] = key?.split('/') ?? [];
  if (!/^\d{1,3}$/.test(reach)) throw new AppError('validation_failed');
  query =
    key === null
      ? query.where('day', '>=', from)
      : query.where(({ eb, refTuple, tuple }): Expression<SqlBool> =>
          eb(refTuple('day', 'reach'), '>=', tuple(day, Number(reach))),
        );
  const rows = await query.orderBy('day').orderBy('reach').limit(limit).execute();
  return rows.map((cell) => ({ ...cell, trackId, key: `${cell.day}/${cell.reach}` }));
}

const selectMembers = (db: Db, { trackId, day, reach }: Reach) =>
  db
    .selectFrom('listening')
    .where('listening.track_id', '=', trackId)
    .where('listening.reach_day', '=', day)
    .where('listening.reach', '=', reach);

const beginnersOf = (db: Db, trackId: string, range: DayRange): CellSource<Reach> => ({
  listCells: (key, limit) => listReached(db, trackId, range, { key, limit }),
  listNamed: async (cell, after, limit) => {
    const found = await selectMembers(db, cell)
      .innerJoin('users', 'users.id', 'listening.user_id')
      .select(['listening.user_id', 'users.username', 'users.email'])
      .where('listening.user_id', '>', after)
      .orderBy('listening.user_id')
      .limit(limit)
      .execute();
    return found.map((one) => ({
      id: one.user_id,
      row: row([one.username, one.email, cell.day, cell.reach], hrefOfPerson(one.user_id)),
    }));
  },
  countNamed: async (cell) => {
    const count = sql<number | string>`count(*)`.as('count');
    const found = await selectMembers(db, cell).select(count).executeTakeFirst();
    return Number(found?.count ?? 0);
  },
  describeGone: (cell) => row([nameOfPerson({ username: null }), null, cell.day, cell.reach]),
});

/** Who began the mix, and how far they have come. */
export const beginners: FigureList = {
  columns: [
    { key: 'person', label: 'Person', kind: 'text' },
    { key: 'email', label: 'E-mail', kind: 'text' },
    { key: 'day', label: 'Began', kind: 'day' },
    { key: 'reach', label: 'Came as far as', kind: 'percent' },
  ],
  read: async (context, range, page) => {
    const mix = await findMix(context);
    return mix ? listCells(beginnersOf(context.db, mix.id, range), page) : [];
  },
};

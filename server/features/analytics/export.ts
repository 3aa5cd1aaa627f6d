import type { Expression, SqlBool } from 'kysely';
import type { Db } from '../../db/connect.ts';
import { readInPages } from '../../db/read-in-pages.ts';

type Row = { id: string; at: number; name: string; device: string | null; properties: string };

/** What the member was counted with, the first first. */
export async function* exportEvents(db: Db, userId: string) {
  const readPage = (after: Row | null, limit: number): Promise<Row[]> => {
    let query = db
      .selectFrom('events')
      .select(['id', 'at', 'name', 'device', 'properties'])
      .where('user_id', '=', userId);
    if (after)
      query = query.where(({ eb, refTuple, tuple }): Expression<SqlBool> =>
        eb(refTuple('at', 'id'), '>', tuple(after.at, after.id)),
      );
    return query.orderBy('at').orderBy('id').limit(limit).execute();
  };
  for await (const { at, name, device, properties } of readInPages(readPage))
    yield { name, happenedAt: at, device, properties: JSON.parse(properties) as object };
}

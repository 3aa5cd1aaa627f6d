import { sql, type Expression, type SqlBool } from 'kysely';
import type { Db } from '../../db/connect.ts';
import { readInPages } from '../../db/read-in-pages.ts';

type OpenCheckout = { reference: string; user_id: string | null; created_at: number };

const readOpenCheckouts = (db: Db) =>
  readInPages((after: OpenCheckout | null, limit) =>
    db
      .selectFrom('checkouts')
      .select(['reference', 'user_id', 'created_at'])
      .where('state', '=', sql.lit('open'))
      .$if(after !== null, (query) =>
        query.where(({ eb, refTuple, tuple }): Expression<SqlBool> =>
          eb(
            refTuple('created_at', 'reference'),
            '>',
            tuple(after?.created_at ?? 0, after?.reference ?? ''),
          ),
        ),
      )
      .orderBy('created_at')
      .orderBy('reference')
      .limit(limit)
      .execute(),
  );

type DueAgreement = { id: string; user_id: string | null; check_at: number | null };

const readDueAgreements = (db: Db, now: number) =>
  readInPages((after: DueAgreement | null, limit) =>
    db
      .selectFrom('agreements')
      .select(['id', 'user_id', 'check_at'])
      .where('check_at', '<=', now)
      .$if(after !== null, (query) =>
        query.where(({ eb, refTuple, tuple }): Expression<SqlBool> =>
          eb(refTuple('check_at', 'id'), '>', tuple(after?.check_at ?? 0, after?.id ?? '')),
        ),
      )
      .orderBy('check_at')
      .orderBy('id')
      .limit(limit)
      .execute(),
  );

export async function* listMembersToCheck(db: Db, now: number): AsyncGenerator<string> {
  const told = new Set<string>();
  for await (const { user_id } of readOpenCheckouts(db)) if (user_id) told.add(user_id);
  for await (const { user_id } of readDueAgreements(db, now)) if (user_id) told.add(user_id);
  yield* told;
}

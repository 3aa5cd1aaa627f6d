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

type DueAgreement = {
  id: string;
  provider: string;
  agreement_id: string;
  status: string;
  user_id: string | null;
  check_at: number | null;
};

const readDueAgreements = (db: Db, now: number) =>
  readInPages((after: DueAgreement | null, limit) =>
    db
      .selectFrom('agreements')
      .select(['id', 'provider', 'agreement_id', 'status', 'user_id', 'check_at'])
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

/** A member to ask about, or what one who has left may still be charged for. */
export type Due =
  | { kind: 'member'; userId: string }
  | { kind: 'checkout'; reference: string }
  | { kind: 'agreement'; provider: string; agreementId: string };

export async function* listToCheck(db: Db, now: number): AsyncGenerator<Due> {
  const told = new Set<string>();
  for await (const { user_id, reference } of readOpenCheckouts(db))
    if (user_id) told.add(user_id);
    else yield { kind: 'checkout', reference };
  for await (const { user_id, provider, agreement_id, status } of readDueAgreements(db, now))
    if (user_id) told.add(user_id);
    else if (status !== 'ended') yield { kind: 'agreement', provider, agreementId: agreement_id };
  for (const userId of told) yield { kind: 'member', userId };
}

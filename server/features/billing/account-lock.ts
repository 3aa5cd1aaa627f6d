import { sql } from 'kysely';
import type { Tx } from '../../db/connect.ts';

/** Until the end of the transaction no one else writes to this user's billing data. */
export async function lockAccount(tx: Tx, userId: string): Promise<void> {
  await tx
    .insertInto('billing_accounts')
    .values({ user_id: userId, version: 1 })
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet({ version: sql<number>`billing_accounts.version + 1` }),
    )
    .execute();
}

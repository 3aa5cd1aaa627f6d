import { sql } from 'kysely';
import type { Tx } from '../../db/connect.ts';

/** Someone else wrote to the account in between, so the decision rests on outdated data. */
export class AccountChanged extends Error {
  override name = 'AccountChanged';
  constructor() {
    super('The billing account changed in the meantime.');
  }
}

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

/** Locks the account too, but throws `AccountChanged` when it is no longer at this version. */
export async function lockUnchangedAccount(
  tx: Tx,
  { userId, version }: { userId: string; version: number },
): Promise<void> {
  const row = await tx
    .insertInto('billing_accounts')
    .values({ user_id: userId, version: version + 1 })
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet({ version: version + 1 })
        .where('billing_accounts.version', '=', version),
    )
    .returning('version')
    .executeTakeFirst();
  if (!row) throw new AccountChanged();
}

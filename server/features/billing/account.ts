import { sql } from 'kysely';
import type { Db, Tx } from '../../db/connect.ts';
import {
  listAgreementsOf,
  listCheckoutsOf,
  listLedger,
  listOpenCheckouts,
  MOST_CHECKOUTS,
  type CheckoutRow,
} from './queries.ts';
import { readCodeStands } from './code-stands.ts';
import type { Known } from './truth.ts';

/** Somebody else wrote meanwhile: what was decided rests on what is no longer so. */
export class AccountMoved extends Error {
  override name = 'AccountMoved';
  constructor() {
    super('The billing account changed meanwhile.');
  }
}

export type Account = { userId: string; version: number; known: Known };

/** Few have had more checkouts than are listed anyway. */
async function findOpen(db: Db, userId: string, newest: readonly CheckoutRow[]) {
  if (newest.length >= MOST_CHECKOUTS) return listOpenCheckouts(db, userId);
  return newest.filter(({ state }) => state === 'open').toReversed();
}

export async function openAccount(
  db: Db,
  userId: string,
  extra: readonly CheckoutRow[] = [],
): Promise<Account> {
  const row = await db
    .selectFrom('billing_accounts')
    .select('version')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  const newest = await listCheckoutsOf(db, userId);
  // What is not decided comes first: it is asked about in this order.
  const all = [...(await findOpen(db, userId, newest)), ...extra, ...newest];
  const checkouts = new Map(all.map((checkout) => [checkout.reference, checkout]));
  return {
    userId,
    version: row?.version ?? 0,
    known: {
      checkouts: [...checkouts.values()],
      agreements: await listAgreementsOf(db, userId),
      ledger: await listLedger(db, userId),
      codes: await readCodeStands(db, userId, [...checkouts.values()]),
    },
  };
}

/** From here to the end of the transaction nobody else writes about this member. */
export async function holdAccount(tx: Tx, userId: string): Promise<void> {
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

/** The same, where what is to be written was decided before: throws when that is out of date. */
export async function claimAccount(tx: Tx, { userId, version }: Account): Promise<void> {
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
  if (!row) throw new AccountMoved();
}

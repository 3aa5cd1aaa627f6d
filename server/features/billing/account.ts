import { sql } from 'kysely';
import type { Db, Tx } from '../../db/connect.ts';
import {
  listAgreementsOf,
  listCheckoutsOf,
  listLedger,
  listOpenCheckouts,
  type CheckoutRow,
} from './queries.ts';
import type { Known } from './truth.ts';

/** Somebody else wrote meanwhile: what was decided rests on what is no longer so. */
export class AccountMoved extends Error {
  override name = 'AccountMoved';
  constructor() {
    super('The billing account changed meanwhile.');
  }
}

export type Account = { userId: string; version: number; known: Known };

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
  // What is not decided comes first: it is asked about in this order.
  const all = [
    ...(await listOpenCheckouts(db, userId)),
    ...extra,
    ...(await listCheckoutsOf(db, userId)),
  ];
  const checkouts = new Map(all.map((checkout) => [checkout.reference, checkout]));
  return {
    userId,
    version: row?.version ?? 0,
    known: {
      checkouts: [...checkouts.values()],
      agreements: await listAgreementsOf(db, userId),
      ledger: await listLedger(db, userId),
    },
  };
}

const ensureAccount = (tx: Tx, userId: string) =>
  tx
    .insertInto('billing_accounts')
    .values({ user_id: userId, version: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute();

/** From here to the end of the transaction nobody else writes about this member. */
export async function holdAccount(tx: Tx, userId: string): Promise<void> {
  await ensureAccount(tx, userId);
  await tx
    .updateTable('billing_accounts')
    .set({ version: sql<number>`version + 1` })
    .where('user_id', '=', userId)
    .execute();
}

/** The same, where what is to be written was decided before: throws when that is out of date. */
export async function claimAccount(tx: Tx, { userId, version }: Account): Promise<void> {
  await ensureAccount(tx, userId);
  const row = await tx
    .updateTable('billing_accounts')
    .set({ version: version + 1 })
    .where('user_id', '=', userId)
    .where('version', '=', version)
    .returning('version')
    .executeTakeFirst();
  if (!row) throw new AccountMoved();
}

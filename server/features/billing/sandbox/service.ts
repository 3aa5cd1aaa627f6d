import type { Db, Tx } from '../../../db/connect.ts';
import { updatePaymentFigures } from '../../rollups/service.ts';
import type { LedgerContext } from '../ledger/ledger-entries.ts';
import { readPaidHistory } from '../ledger/paid-history.ts';
import { boughtBy } from '../pay-once/redeem-gift.ts';
import { findPaidThrough } from '../ledger/service.ts';
import { listLedgerEntries, type LedgerEntry } from '../queries.ts';

const SANDBOX = 'sandbox';

async function hasPayments(db: Db, providers: readonly string[]): Promise<boolean> {
  for (const table of ['subscriptions', 'ledger_entries', 'invoices'] as const) {
    const found = await db
      .selectFrom(table)
      .select('provider')
      .where('provider', 'in', providers)
      .limit(1)
      .executeTakeFirst();
    if (found) return true;
  }
  return false;
}

/** Whether anyone has paid with test cards. */
export const hasSandboxPayments = (db: Db) => hasPayments(db, [SANDBOX]);

/** Whether a real provider has taken money. */
export const hasRealPayments = (db: Db) => hasPayments(db, ['paystack', 'stripe']);

/** The times at which these people's gifts were redeemed, by user. */
async function listRedeemedGifts(tx: Tx, givers: readonly string[]): Promise<Set<string>> {
  const rows = await tx
    .selectFrom('gifts')
    .select(['redeemed_by', 'redeemed_at'])
    .where('created_by', 'in', givers)
    .where('redeemed_by', 'is not', null)
    .execute();
  return new Set(rows.map((row) => `${row.redeemed_by}/${row.redeemed_at}`));
}

const listUsers = async (tx: Tx, givers: readonly string[]): Promise<string[]> => {
  const paid = await tx
    .selectFrom('ledger_entries')
    .select('user_id')
    .distinct()
    .where((where) => where.or([where('provider', '=', SANDBOX), where('actor', 'in', givers)]))
    .execute();
  const given = await tx
    .selectFrom('gifts')
    .select('redeemed_by')
    .where('created_by', 'in', givers)
    .execute();
  const ids = [...paid.map((row) => row.user_id), ...given.map((row) => row.redeemed_by)];
  return [...new Set(ids)].filter((id) => id !== null);
};

/** Removes the entries of a user that give access, but keeps those that end it. */
async function removeEntries(
  tx: Tx,
  userId: string,
  isRemoved: (entry: LedgerEntry) => boolean,
  { calendar }: Pick<LedgerContext, 'calendar'>,
) {
  const before = await listLedgerEntries(tx, userId);
  const after = before.filter((entry) => !isRemoved(entry));
  for (const { seq } of before.filter(isRemoved))
    await tx
      .deleteFrom('ledger_entries')
      .where('user_id', '=', userId)
      .where('seq', '=', seq)
      .execute();
  await tx
    .updateTable('users')
    .set({ paid_through: findPaidThrough(after, calendar) })
    .where('id', '=', userId)
    .execute();
  return {
    // The figures counted the test payments when they were made.
    before: readPaidHistory(userId, before, { ...calendar, countsTestPayments: true }),
    after: readPaidHistory(userId, after, calendar),
  };
}

const SANDBOX_TABLES = ['sandbox_payments', 'sandbox_cards', 'sandbox_events'] as const;

async function deleteRows(tx: Tx) {
  await tx
    .deleteFrom('credit_notes')
    .where(
      'invoice_id',
      'in',
      tx.selectFrom('invoices').select('id').where('provider', '=', SANDBOX),
    )
    .execute();
  await tx
    .deleteFrom('price_change_members')
    .where(
      'change_id',
      'in',
      tx.selectFrom('price_changes').select('id').where('provider', '=', SANDBOX),
    )
    .execute();
  for (const table of [
    'invoices',
    'refused_payments',
    'payments',
    'payment_methods',
    'subscriptions',
    'payment_issues',
    'price_changes',
    // One withdrawal for each member: a test must not use it up.
    'refund_requests',
  ] as const)
    await tx.deleteFrom(table).where('provider', '=', SANDBOX).execute();
  for (const table of SANDBOX_TABLES) await tx.deleteFrom(table).execute();
  await tx
    .deleteFrom('jobs')
    .where('state', '<>', 'running')
    .where((where) =>
      where.or([where('name', 'like', `%${SANDBOX}%`), where('payload', 'like', `%"${SANDBOX}"%`)]),
    )
    .execute();
}

/** The first real invoice is number 1, unless there are real ones already. */
async function restartNumbers(tx: Tx) {
  for (const [table, names] of [
    // What the demo closed says nothing about real months.
    ['invoices', ['invoices', 'books-closed']],
    ['credit_notes', ['credit-notes', 'debit-notes']],
  ] as const) {
    const rest = await tx.selectFrom(table).select('id').limit(1).executeTakeFirst();
    if (!rest) await tx.deleteFrom('counters').where('name', 'in', names).execute();
  }
}

/**
 * Removes everything that was paid with test cards and what these administrators gave: ledger
 * entries, coupons, gifts, invoices and figures. Real payments, and what others gave, stay. Returns
 * how many users had any of it.
 */
export async function removeSandboxPayments(
  tx: Tx,
  administrators: readonly string[],
  { calendar, timeZone }: Pick<LedgerContext, 'calendar' | 'timeZone'>,
): Promise<number> {
  const givers = [...administrators, boughtBy(SANDBOX)];
  const gifts = await listRedeemedGifts(tx, givers);
  const users = await listUsers(tx, givers);
  for (const userId of users) {
    const { before, after } = await removeEntries(
      tx,
      userId,
      ({ kind, provider, actor, at }) =>
        provider === SANDBOX ||
        (kind === 'grant' && givers.includes(actor)) ||
        (kind === 'gift' && gifts.has(`${userId}/${at}`)),
      { calendar },
    );
    await updatePaymentFigures(tx, { before: [before], after: [after], timeZone });
  }
  for (const table of ['coupons', 'gifts'] as const)
    await tx.deleteFrom(table).where('created_by', 'in', givers).execute();
  await deleteRows(tx);
  await restartNumbers(tx);
  return users.length;
}

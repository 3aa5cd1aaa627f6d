import { z } from 'zod';
import { DAY } from '#contract/rules/time.ts';
import type { Db, Tx } from '../../../db/connect.ts';
import type { Deps } from '../../../deps.ts';
import { readGraceMs } from '../../../http/access-policy.ts';
import { countAttemptsWithin } from '../../../jobs/backoff.ts';
import { defineJob } from '../../../jobs/define-job.ts';
import { enqueue } from '../../../jobs/queue.ts';
import { AccountChanged, lockUnchangedAccount } from '../account-lock.ts';
import { updateCouponUses } from '../coupons/coupon-uses.ts';
import { claimTrialCards } from '../coupons/trial-cards.ts';
import { recordCardCheck, recordLateFees, type LateFee } from '../invoices/without-invoice.ts';
import { appendLedgerEntries, type NewLedgerEntry } from '../ledger/ledger-entries.ts';
import { findPaidThrough } from '../ledger/service.ts';
import { planMessages, planForTrialCards } from '../messages/plan-messages.ts';
import { enqueueMessages } from '../messages/send-messages.ts';
import type { CheckoutRow, ProviderSubscriptionRow } from '../queries.ts';
import { WITHDRAWN } from '../subscription/find-withdrawal.ts';
import { findWithdrawal } from '../subscription/service.ts';
import type { Charge } from '../../../ports/payments/payments.ts';
import { planCheck } from './due-checks.ts';
import { finishCheckouts, watchUnfinished } from '../checkout/finish-checkouts.ts';
import { readAccount, type Account } from './local-state.ts';
import { readProviderState, type Hints } from './provider-state.ts';
import { findLateFees, reconcile, type Outcome } from './reconcile.ts';
import { recordIssues } from './record-issues.ts';
import { refundDuplicates } from './refund-duplicates.ts';

/** Who asked for a change here and why, for the ledger entry that follows from it. */
type Intent = Pick<NewLedgerEntry, 'kind' | 'because' | 'actor' | 'detail'>;

const MAX_ATTEMPTS = 6;

async function writeRows(tx: Tx, { checkouts, providerSubscriptions }: Outcome) {
  // Only the columns decided here: other writers may change the rest of the row at the same time.
  for (const row of checkouts)
    await tx
      .updateTable('checkouts')
      .set({
        state: row.state,
        customer_id: row.customer_id,
        provider_subscription_id: row.provider_subscription_id,
        check_at: row.check_at,
        is_card_used: row.is_card_used,
        updated_at: row.updated_at,
      })
      .where('reference', '=', row.reference)
      .execute();
  for (const row of providerSubscriptions)
    await tx
      .insertInto('provider_subscriptions')
      .values(row)
      .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
      .execute();
}

const mergeRows = (
  before: readonly ProviderSubscriptionRow[],
  changed: readonly ProviderSubscriptionRow[],
) => [...new Map([...before, ...changed].map((row) => [row.id, row])).values()];

const mergeCheckouts = (before: readonly CheckoutRow[], changed: readonly CheckoutRow[]) => [
  ...new Map([...before, ...changed].map((row) => [row.reference, row])).values(),
];

const STOPS: readonly NewLedgerEntry['kind'][] = ['cancelled', 'ended'];

/**
 * Some providers end a subscription with an unpaid charge as soon as it is cancelled, and some can't
 * end one before its period is over.
 */
const isIntended = (entry: NewLedgerEntry, intent: Intent): boolean =>
  entry.kind === intent.kind || (STOPS.includes(intent.kind) && STOPS.includes(entry.kind));

const withIntent = (
  entries: readonly NewLedgerEntry[],
  intent: Intent | undefined,
): NewLedgerEntry[] =>
  entries.map((entry) => (intent && isIntended(entry, intent) ? { ...entry, ...intent } : entry));

/** The provider’s message about the end of a withdrawn subscription may arrive before our own request is done. */
async function findIntent(
  db: Db,
  userId: string,
  entries: readonly NewLedgerEntry[],
): Promise<Intent | undefined> {
  if (!entries.some(({ kind }) => STOPS.includes(kind))) return undefined;
  const withdrawal = await findWithdrawal(db, userId);
  return withdrawal?.done_at === null ? WITHDRAWN : undefined;
}

/** Writes all of it or nothing, and only if the account has not changed since it was read. */
async function writeOutcome(
  deps: Deps,
  tx: Tx,
  account: Account,
  {
    outcome,
    graceMs,
    lateFees,
    cardChecks,
  }: { outcome: Outcome; graceMs: number; lateFees: LateFee[]; cardChecks: Charge[] },
): Promise<void> {
  const { name: provider, calendar } = deps.payments;
  const now = deps.clock.now();
  const { userId, localState } = account;
  const before = localState.ledger;
  const providerSubscriptions = mergeRows(
    localState.providerSubscriptions,
    outcome.providerSubscriptions,
  );
  const isChanged =
    outcome.entries.length + outcome.checkouts.length + outcome.providerSubscriptions.length > 0;
  let written = { ledger: [...before], paidThrough: findPaidThrough(before, calendar) };
  if (isChanged) {
    await lockUnchangedAccount(tx, account);
    await writeRows(tx, outcome);
    await updateCouponUses(tx, outcome.checkouts, now);
    await claimTrialCards(tx, outcome.trialCards, now);
    const { timeZone } = deps.config;
    const context = { now, calendar, timeZone };
    written = await appendLedgerEntries(tx, { userId, ledger: before }, outcome.entries, context);
  }
  const booking = { now, timeZone: deps.config.timeZone };
  await recordLateFees(tx, provider, lateFees, booking);
  for (const check of cardChecks)
    await recordCardCheck(tx, provider, { ...check, chargeId: check.id }, booking);
  const { ledger, paidThrough } = written;
  const newEntries = ledger.slice(before.length);
  const dates = { paidThrough, now, graceMs, calendar };
  const messages = planMessages({ newEntries, ledger, providerSubscriptions, provider, ...dates });
  await enqueueMessages(tx, userId, [...messages, ...planForTrialCards(outcome.checkouts)], now);
  await recordIssues(tx, newEntries, now);
  for (const row of mergeCheckouts(localState.checkouts, outcome.checkouts))
    if (row.check_at !== null) await watchUnfinished(tx, row, ledger, { now, calendar });
  for (const row of providerSubscriptions)
    await tx
      .updateTable('provider_subscriptions')
      .set({ check_at: planCheck(row, now, calendar) })
      .where('id', '=', row.id)
      .execute();
  if (outcome.hasRefunds) await requestReconciliation(tx, userId, now);
}

/**
 * Asks the provider about a user and records what is new. Running it any number of times, at the same
 * time or after a crash at any point, leads to the same result.
 */
export async function reconcileSubscription(
  deps: Deps,
  userId: string,
  { hints = {}, intent }: { hints?: Hints; intent?: Intent } = {},
): Promise<void> {
  const { database, payments, clock } = deps;
  const { db } = database;
  const graceMs = await readGraceMs(deps);
  for (let attempt = 1; ; attempt += 1) {
    const account = await readAccount(db, userId, hints.references);
    const source = { db, payments, now: clock.now() };
    const providerState = await readProviderState(source, account, hints);
    const context = { now: clock.now(), provider: payments.name };
    const found = reconcile(account.localState, providerState, context);
    const known = intent ?? (await findIntent(db, userId, found.entries));
    const outcome = { ...found, entries: withIntent(found.entries, known) };
    const lateFees = findLateFees(account.localState.ledger, providerState);
    const cardChecks = [...providerState.checkouts.values()].flatMap(
      ({ cardCheck }) => cardCheck ?? [],
    );
    try {
      await db
        .transaction()
        .execute((tx) =>
          writeOutcome(deps, tx, account, { outcome, graceMs, lateFees, cardChecks }),
        );
      break;
    } catch (error) {
      if (!(error instanceof AccountChanged) || attempt >= MAX_ATTEMPTS) throw error;
    }
  }
  deps.jobs.wake();
}

/** Reconciles a user even if no webhook event arrived, then finishes, cancels and refunds. */
export const reconcileSubscriptionJob = defineJob({
  name: 'reconcile-subscription',
  lane: 'payments',
  payload: z.object({ userId: z.string() }),
  maxAttempts: countAttemptsWithin(DAY),
  run: async (deps: Deps, { userId }) => {
    const user = await deps.database.db
      .selectFrom('users')
      .select('id')
      .where('id', '=', userId)
      .executeTakeFirst();
    if (!user) return;
    await reconcileSubscription(deps, userId);
    if (await finishCheckouts(deps, userId)) await reconcileSubscription(deps, userId);
    if (await refundDuplicates(deps, userId)) await reconcileSubscription(deps, userId);
  },
});

export const requestReconciliation = (db: Db, userId: string, now: number) =>
  enqueue(db, reconcileSubscriptionJob, { userId }, { now, uniqueKey: `reconcile:${userId}` });

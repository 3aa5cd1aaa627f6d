import { createHmac } from 'node:crypto';
import { z } from 'zod';
import type { Subscription } from '#contract/billing.ts';
import { DAY, MINUTE } from '#contract/rules/time.ts';
import type { Db, Tx } from '../../../db/connect.ts';
import { readSecret } from '../../../db/secrets.ts';
import { readSettings } from '../../../db/settings.ts';
import type { Deps } from '../../../deps.ts';
import { AppError } from '../../../http/app-error.ts';
import type { Viewer } from '../../../http/guards.ts';
import { countAttemptsWithin } from '../../../jobs/backoff.ts';
import { defineJob } from '../../../jobs/define-job.ts';
import { enqueue } from '../../../jobs/queue.ts';
import { isNotFound, PaymentsError } from '../../../ports/payments/payments.ts';
import { lockAccount } from '../account-lock.ts';
import { askProvider } from '../ask-provider.ts';
import { buildLedgerEntry, toLedgerContext, type LedgerContext } from '../ledger/ledger-entries.ts';
import { appendEntry } from '../ledger/service.ts';
import { hasWithdrawnBeforeDeletion } from '../privacy/used-offers-of-deleted-accounts.ts';
import {
  findPaidThroughOf,
  findProviderSubscription,
  listLedgerEntries,
  listProviderSubscriptionsOf,
} from '../queries.ts';
import { refundCharge } from '../refund-charge.ts';
import { reconcileSubscription } from '../reconcile/reconcile-subscription.ts';
import { findWithdrawable, WITHDRAWN, type WithdrawablePayment } from './find-withdrawal.ts';
import { findWithdrawal, getSubscription } from './service.ts';

/** The request itself does the work; the job only finishes what it leaves undone. */
const FINISH_MS = 2 * MINUTE;
/** The member was promised the money: after this long an administrator has to step in. */
const RETRY_MS = 60 * DAY;

/** Without the user, so that deleting the account doesn’t stop the refund. */
const Withdrawal = z.object({
  provider: z.string(),
  providerSubscriptionId: z.string(),
  chargeId: z.string(),
  amount: z.int(),
});
type Withdrawal = z.infer<typeof Withdrawal>;

const toKey = (chargeId: string): string => `withdrawal:${chargeId}`;

async function hashCard(db: Db, provider: string, fingerprint: string): Promise<string> {
  const secret = await readSecret(db, 'withdrawn-cards');
  return createHmac('sha256', secret).update(`${provider}:${fingerprint}`).digest('base64url');
}

/** Null if the provider doesn't say which card it was. */
async function readCardHash(
  deps: Deps,
  { reference }: WithdrawablePayment,
): Promise<string | null> {
  const { database, payments } = deps;
  if (reference === null) return null;
  const checkout = await askProvider(deps, () => payments.getCheckout(reference));
  if (checkout.cardFingerprint === null) return null;
  return hashCard(database.db, payments.name, checkout.cardFingerprint);
}

async function getWithdrawable({ database, payments, clock }: Deps, tx: Db, userId: string) {
  const now = clock.now();
  const { coolingOffDays } = await readSettings(database.db, now);
  const state = {
    ledger: await listLedgerEntries(tx, userId),
    providerSubscriptions: await listProviderSubscriptionsOf(tx, userId),
  };
  const { name: provider, calendar } = payments;
  const found = findWithdrawable(state, { provider, coolingOffDays, calendar, now });
  if (!found) throw new AppError('withdrawal_over');
  return found;
}

/** Each card once, in any account. */
async function claimCard(tx: Tx, cardHash: string, now: number): Promise<void> {
  const claimed = await tx
    .insertInto('withdrawn_cards')
    .values({ card_hash: cardHash, at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('card_hash')
    .executeTakeFirst();
  if (!claimed) throw new AppError('withdrawal_over');
}

/** Stored together with the job that completes it, before the provider is asked for anything. */
async function requestWithdrawal(deps: Deps, userId: string): Promise<void> {
  const { database, payments, clock } = deps;
  const now = clock.now();
  const found = await getWithdrawable(deps, database.db, userId);
  if (await hasWithdrawnBeforeDeletion(database.db, userId)) throw new AppError('withdrawal_over');
  const cardHash = await readCardHash(deps, found);
  await database.db.transaction().execute(async (tx) => {
    await lockAccount(tx, userId);
    const { chargeId, providerSubscriptionId, amount, currency } = await getWithdrawable(
      deps,
      tx,
      userId,
    );
    const inserted = await tx
      .insertInto('withdrawals')
      .values({
        user_id: userId,
        provider: payments.name,
        provider_subscription_id: providerSubscriptionId,
        charge_id: chargeId,
        amount,
        currency,
        requested_at: now,
        done_at: null,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('user_id')
      .executeTakeFirst();
    // The same request from another tab.
    if (!inserted) return;
    if (cardHash !== null) await claimCard(tx, cardHash, now);
    await enqueue(
      tx,
      finishWithdrawalJob,
      { provider: payments.name, providerSubscriptionId, chargeId, amount },
      { now, runAt: now + FINISH_MS, uniqueKey: toKey(chargeId) },
    );
  });
}

/** The subscription, and what a change of plan or price has replaced it with. */
async function listIds(
  db: Db,
  { provider, providerSubscriptionId }: Withdrawal,
): Promise<string[]> {
  const ids: string[] = [];
  let next: string | null = providerSubscriptionId;
  while (next !== null && !ids.includes(next)) {
    ids.push(next);
    next = (await findProviderSubscription(db, provider, next))?.replaced_by ?? null;
  }
  return ids;
}

async function endAll(deps: Deps, withdrawal: Withdrawal, userId: string | null): Promise<void> {
  const { database, payments } = deps;
  const ended = new Set<string>();
  const listLeft = async () =>
    (await listIds(database.db, withdrawal)).filter((id) => !ended.has(id));
  // A plan change that stopped half-way may have left another one, which only shows up now.
  for (let left = await listLeft(); left.length > 0; left = await listLeft()) {
    for (const id of left) {
      ended.add(id);
      await payments.endNow(id).catch((error: unknown) => {
        if (!isNotFound(error)) throw error;
      });
    }
    if (userId !== null) await reconcileSubscription(deps, userId);
  }
}

/**
 * Ends the subscription first, so that nothing more is charged, then refunds. Both may be repeated, so
 * that after a crash anywhere all of it runs again.
 */
async function endAndRefund(
  deps: Deps,
  withdrawal: Withdrawal,
  userId: string | null,
): Promise<void> {
  const { payments } = deps;
  const { provider, chargeId, amount } = withdrawal;
  if (provider !== payments.name)
    throw new Error(`Refund ${chargeId} by hand: the site no longer uses ${provider}.`);
  await endAll(deps, withdrawal, userId);
  await refundCharge(deps, { chargeId, amount, key: toKey(chargeId) });
}

/** What others paid for stays, such as a gift; the grace days of a trial don’t. */
async function endGrace(tx: Tx, userId: string, context: LedgerContext): Promise<void> {
  const paidThrough = await findPaidThroughOf(tx, userId);
  if (paidThrough === null || paidThrough > context.now) return;
  const entry = buildLedgerEntry('end', context.now, WITHDRAWN.because, { actor: 'user' });
  await appendEntry(tx, userId, entry, context);
}

async function recordWithdrawal(deps: Deps, userId: string, chargeId: string): Promise<void> {
  await reconcileSubscription(deps, userId);
  const context = toLedgerContext(deps);
  await deps.database.db.transaction().execute(async (tx) => {
    const done = await tx
      .updateTable('withdrawals')
      .set({ done_at: context.now })
      .where('user_id', '=', userId)
      .where('done_at', 'is', null)
      .returning('user_id')
      .executeTakeFirst();
    if (done) await endGrace(tx, userId, context);
    await tx
      .deleteFrom('jobs')
      .where('unique_key', '=', toKey(chargeId))
      .where('state', '<>', 'running')
      .execute();
  });
  deps.jobs.wake();
}

/** Completes what a crash or an outage of the provider interrupted, even for a deleted account. */
export const finishWithdrawalJob = defineJob({
  name: 'finish-withdrawal',
  lane: 'payments',
  payload: Withdrawal,
  maxAttempts: countAttemptsWithin(RETRY_MS),
  run: async (deps: Deps, withdrawal) => {
    const { provider, chargeId } = withdrawal;
    const row = await deps.database.db
      .selectFrom('withdrawals')
      .select('user_id')
      .where('provider', '=', provider)
      .where('charge_id', '=', chargeId)
      .executeTakeFirst();
    await endAndRefund(deps, withdrawal, row?.user_id ?? null);
    if (row) await recordWithdrawal(deps, row.user_id, chargeId);
  },
});

/** Cancels within the cooling-off period and refunds the payment. It counts from the request on. */
export async function withdraw(deps: Deps, viewer: Viewer): Promise<Subscription> {
  const { id: userId } = viewer.user;
  const { db } = deps.database;
  const before = await findWithdrawal(db, userId);
  if (before && before.done_at !== null) throw new AppError('withdrawal_over');
  if (!before) await requestWithdrawal(deps, userId);
  const row = await findWithdrawal(db, userId);
  try {
    if (row && row.done_at === null) {
      const { provider, provider_subscription_id, charge_id: chargeId, amount } = row;
      const providerSubscriptionId = provider_subscription_id;
      await endAndRefund(deps, { provider, providerSubscriptionId, chargeId, amount }, userId);
      await recordWithdrawal(deps, userId, chargeId);
    }
  } catch (error) {
    if (!(error instanceof PaymentsError)) throw error;
    // The request is stored; the job goes on with it until the money is back.
    deps.log.error({ err: error }, 'The provider did not complete a withdrawal yet.');
  }
  return getSubscription(deps, viewer);
}

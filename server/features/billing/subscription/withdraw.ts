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
import { buildLedgerEntry, toLedgerContext } from '../ledger/ledger-entries.ts';
import { appendEntry } from '../ledger/service.ts';
import { hasWithdrawnBeforeDeletion } from '../privacy/used-offers-of-deleted-accounts.ts';
import { findPaidThroughOf, listLedgerEntries, listProviderSubscriptionsOf } from '../queries.ts';
import { reconcileSubscription } from '../reconcile/reconcile-subscription.ts';
import {
  findWithdrawable,
  type WithdrawablePayment,
  type WithdrawalRow,
} from './find-withdrawal.ts';
import { findWithdrawal, getSubscription } from './service.ts';

/** The request itself does the work; the job only finishes what it leaves undone. */
const FINISH_MS = 2 * MINUTE;
/** The member was promised the money: after this long an administrator has to step in. */
const RETRY_MS = 60 * DAY;

const BECAUSE = 'Member cancelled within the cooling-off period and gets the payment back.';

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

/** Each card once, whoever's it is. */
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
      { userId },
      { now, runAt: now + FINISH_MS, uniqueKey: `withdrawal:${userId}` },
    );
  });
}

/**
 * Ends the subscription first, so that nothing more is charged, then refunds. Every step may be
 * repeated, so that after a crash anywhere all of it runs again.
 */
async function finishWithdrawal(deps: Deps, userId: string, row: WithdrawalRow): Promise<void> {
  const { database, payments, clock } = deps;
  if (row.provider !== payments.name)
    throw new Error(`Refund ${row.charge_id} by hand: the site no longer uses ${row.provider}.`);
  await payments.endNow(row.provider_subscription_id).catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
  });
  const { charge_id: chargeId, amount } = row;
  await payments.refund({ chargeId, amount, key: `withdrawal:${chargeId}` });
  const intent = { kind: 'cancelled' as const, because: BECAUSE, detail: null, actor: 'user' };
  await reconcileSubscription(deps, userId, { intent });
  const context = toLedgerContext(deps);
  await database.db.transaction().execute(async (tx) => {
    const done = await tx
      .updateTable('withdrawals')
      .set({ done_at: clock.now() })
      .where('user_id', '=', userId)
      .where('done_at', 'is', null)
      .returning('user_id')
      .executeTakeFirst();
    const paidThrough = await findPaidThroughOf(tx, userId);
    // What others paid for stays, such as a gift; the grace days of a trial don’t.
    const hasTimeLeft = paidThrough !== null && paidThrough > context.now;
    if (done && paidThrough !== null && !hasTimeLeft)
      await appendEntry(
        tx,
        userId,
        buildLedgerEntry('end', context.now, BECAUSE, { actor: 'user' }),
        context,
      );
    await tx
      .deleteFrom('jobs')
      .where('unique_key', '=', `withdrawal:${userId}`)
      .where('state', '<>', 'running')
      .execute();
  });
  deps.jobs.wake();
}

/** Completes what a crash or an outage of the provider interrupted. */
export const finishWithdrawalJob = defineJob({
  name: 'finish-withdrawal',
  payload: z.object({ userId: z.string() }),
  maxAttempts: countAttemptsWithin(RETRY_MS),
  run: async (deps: Deps, { userId }) => {
    const row = await findWithdrawal(deps.database.db, userId);
    if (row && row.done_at === null) await finishWithdrawal(deps, userId, row);
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
    if (row && row.done_at === null) await finishWithdrawal(deps, userId, row);
  } catch (error) {
    if (!(error instanceof PaymentsError)) throw error;
    // The request is stored; the job goes on with it until the money is back.
    deps.log.error({ err: error }, 'The provider did not complete a withdrawal yet.');
  }
  return getSubscription(deps, viewer);
}

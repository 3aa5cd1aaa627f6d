import { z } from 'zod';
import type { Db } from '../../../db/connect.ts';
import type { Deps } from '../../../deps.ts';
import { countAttemptsWithin } from '../../../jobs/backoff.ts';
import { defineJob } from '../../../jobs/define-job.ts';
import { enqueue } from '../../../jobs/queue.ts';
import type { Charge, WebhookSubject } from '../../../ports/payments/payments.ts';
import {
  closeIssue,
  disputeKey,
  openIssue,
  unfinishedCheckoutKey,
} from '../../payment-issues/service.ts';
import { recordDepartedCharge } from '../invoices/write-invoices.ts';
import { planCheck } from '../reconcile/due-checks.ts';
import { findProviderSubscription, findCheckout } from '../queries.ts';
import { refundCharge } from '../refund-charge.ts';
import { formatMoney } from '#contract/rules/format.ts';
import { DAY } from '#contract/rules/time.ts';

/** Until it works someone may still be charged; after this long an administrator has to step in. */
const RETRY_MS = 60 * DAY;
/** Providers close a checkout page within days. */
const CHECKOUT_MS = 7 * DAY;
const HOUR_IN_DAYS = 1 / 24;

/** For subscriptions of deleted accounts, which are no longer reconciled. */
async function updateStatus(deps: Deps, providerSubscriptionId: string) {
  const { database, payments, clock } = deps;
  const row = await findProviderSubscription(database.db, payments.name, providerSubscriptionId);
  if (!row || row.user_id !== null) return;
  const { providerSubscription, charges } =
    await payments.getProviderSubscription(providerSubscriptionId);
  const now = clock.now();
  const next = {
    status: providerSubscription.status,
    next_charge_at: providerSubscription.nextChargeAt,
    updated_at: now,
  };
  const isOver = providerSubscription.status === 'ended';
  await database.db.transaction().execute(async (tx) => {
    await tx
      .updateTable('provider_subscriptions')
      .set({
        ...next,
        check_at: isOver ? null : planCheck({ ...row, ...next }, now, payments.calendar),
      })
      .where('id', '=', row.id)
      .execute();
    const context = { now, timeZone: deps.config.timeZone };
    for (const charge of charges) await recordDepartedCharge(tx, payments.name, charge, context);
  });
}

/** For a deleted account, or one whose access an administrator ended. */
export const cancelProviderSubscription = defineJob({
  name: 'cancel-provider-subscription',
  lane: 'payments',
  payload: z.object({ provider: z.string(), providerSubscriptionId: z.string() }),
  maxAttempts: countAttemptsWithin(RETRY_MS),
  run: async (deps: Deps, { provider, providerSubscriptionId }) => {
    const { payments } = deps;
    if (provider !== payments.name)
      throw new Error(
        `Cancel ${providerSubscriptionId} by hand: the site no longer uses ${provider}.`,
      );
    await payments.cancelAtPeriodEnd(providerSubscriptionId);
    await updateStatus(deps, providerSubscriptionId);
  },
});

export const requestCancellation = (
  db: Db,
  subscription: { provider: string; providerSubscriptionId: string },
  now: number,
) =>
  enqueue(db, cancelProviderSubscription, subscription, {
    now,
    uniqueKey: `cancel:${subscription.provider}:${subscription.providerSubscriptionId}`,
  });

/** Refunds and cancels what comes of a checkout that was open when its account was deleted. */
export const closeDepartedCheckout = defineJob({
  name: 'close-departed-checkout',
  lane: 'payments',
  payload: z.object({ reference: z.string() }),
  maxAttempts: countAttemptsWithin(RETRY_MS),
  run: async (deps: Deps, { reference }) => {
    const { database, payments, clock } = deps;
    const row = await findCheckout(database.db, reference);
    if (!row || row.user_id !== null || row.provider !== payments.name) return;
    const state = await payments.getCheckout(reference, row.checkout_id);
    const now = clock.now();
    const { charge } = state;
    const left = charge?.status === 'paid' ? charge.amount - charge.refunded : 0;
    // There is no account left that could get access for this payment.
    const isRefunded = left > 0 && !charge?.dispute && row.state !== 'paid';
    if (charge && isRefunded)
      await refundCharge(deps, {
        chargeId: charge.id,
        amount: left,
        key: `departed:${charge.id}`,
      });
    const isUndecided = state.state === 'open' || state.state === 'unknown';
    const late = row.created_at <= now - CHECKOUT_MS ? 'expired' : row.state;
    // A subscription that comes late would charge again.
    const isWaiting =
      state.state === 'paid' &&
      state.providerSubscriptionId === null &&
      row.created_at > now - CHECKOUT_MS;
    await database.db.transaction().execute(async (tx) => {
      if (charge) {
        const refunded = isRefunded ? charge.amount : charge.refunded;
        const context = { now, timeZone: deps.config.timeZone };
        await recordDepartedCharge(tx, payments.name, { ...charge, refunded }, context);
      }
      if (!isWaiting)
        await closeIssue(tx, unfinishedCheckoutKey(reference), 'The account was deleted.', now);
      if (state.providerSubscriptionId)
        await requestCancellation(
          tx,
          { provider: row.provider, providerSubscriptionId: state.providerSubscriptionId },
          now,
        );
      await tx
        .updateTable('checkouts')
        .set({
          state: isUndecided ? late : state.state === 'paid' ? 'paid' : 'failed',
          provider_subscription_id: state.providerSubscriptionId ?? row.provider_subscription_id,
          check_at: isWaiting ? payments.calendar.addDays(now, HOUR_IN_DAYS) : null,
          updated_at: now,
        })
        .where('reference', '=', reference)
        .execute();
    });
    deps.jobs.wake();
  },
});

export const requestCheckoutClosure = (db: Db, reference: string, now: number) =>
  enqueue(
    db,
    closeDepartedCheckout,
    { reference },
    { now, uniqueKey: `close-checkout:${reference}` },
  );

/** What the provider says about a payment of a deleted account. */
async function findChargeOf(
  { payments }: Deps,
  { chargeId, reference, customerId }: WebhookSubject,
): Promise<Charge | null> {
  const own = reference ? await payments.getCheckout(reference) : null;
  if (own?.charge?.id === chargeId) return own.charge;
  if (customerId === null) return null;
  const states = await payments.listProviderSubscriptions(customerId);
  return states.flatMap(({ charges }) => charges).find(({ id }) => id === chargeId) ?? null;
}

/** The account is gone, but the bank still wants an answer. */
async function recordDispute(deps: Deps, subject: WebhookSubject) {
  const { database, payments, clock } = deps;
  if (subject.chargeId === null) return;
  const charge = await findChargeOf(deps, subject);
  if (!charge) return;
  const { dispute, amount, currency, id: chargeId } = charge;
  const key = disputeKey(payments.name, chargeId);
  const because = `${formatMoney(amount, currency)} of a deleted account charged back.`;
  const facts = { provider: payments.name, chargeId, amount, currency, because };
  await database.db
    .transaction()
    .execute((tx) =>
      dispute?.state === 'open'
        ? openIssue(tx, { ...facts, key, kind: 'dispute', dueAt: dispute.respondBy }, clock.now())
        : closeIssue(tx, key, dispute ? 'Lost.' : 'Won.', clock.now()),
    );
}

/**
 * For a webhook event about a deleted account. A subscription that we do not know is left alone: the
 * same customer may have a new account.
 */
export async function cancelForDepartedMember(deps: Deps, subject: WebhookSubject) {
  const { database, payments, clock } = deps;
  const { db } = database;
  const now = clock.now();
  const checkout = subject.reference ? await findCheckout(db, subject.reference) : undefined;
  if (checkout?.user_id === null) await requestCheckoutClosure(db, checkout.reference, now);
  await recordDispute(deps, subject);
  const providerSubscriptionId = subject.providerSubscriptionId ?? '';
  const providerSubscription = await findProviderSubscription(
    db,
    payments.name,
    providerSubscriptionId,
  );
  if (providerSubscription?.user_id !== null) return;
  if (providerSubscription.status !== 'ended')
    await requestCancellation(db, { provider: payments.name, providerSubscriptionId }, now);
  // It charges no more, but a payment may be refunded or disputed.
  else await updateStatus(deps, providerSubscriptionId);
}

import { CURRENCY } from '#contract/rules/plans.ts';
import { HOUR } from '#contract/rules/time.ts';
import { buildPayment } from '../../../db/build-rows.ts';
import type { Db, Tx } from '../../../db/connect.ts';
import { readSettings } from '../../../db/settings.ts';
import type { Deps } from '../../../deps.ts';
import {
  failedPayment,
  isRefusal,
  type PaymentsError,
  type PaymentState,
} from '../../../ports/payments/payments.ts';
import { reportRefusal } from '../checkout/open-page.ts';
import { settlePayment } from '../checkout/settle-payment.ts';
import { applyPrice } from '../prices/next-price.ts';
import {
  findSubscription,
  listOpenPayments,
  lockAccount,
  type PaymentRow,
  type SubscriptionRow,
} from '../queries.ts';
import { findMethod, unsealCard } from './cards.ts';
import { becomeLate } from './late.ts';
import { describePlan, findChargeTime, renewalReference } from './schedule.ts';

/** A member who has just opened a page to pay what is owed isn't charged behind it. */
const PAGE_MS = HOUR;

/** At most so many charges an hour, whatever goes wrong, and none while they are switched off. */
export async function countLeft(db: Db, now: number): Promise<number> {
  const { areRenewalsOn, chargesPerHour } = await readSettings(db, now);
  if (!areRenewalsOn) return 0;
  const { count } = await db
    .selectFrom('payments')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('asked_at', '>', now - HOUR)
    .where('asked_at', '<=', now)
    .executeTakeFirstOrThrow();
  return Math.max(0, chargesPerHour - count);
}

const isDue = (row: SubscriptionRow, now: number): boolean => {
  const at = findChargeTime(row);
  return at !== null && at <= now;
};

/**
 * The first of two transactions: the payment is written before the provider hears of it, so that
 * whatever happens is found by its reference. Null if nothing is to be charged.
 */
async function writeAsked(tx: Tx, deps: Deps, id: string): Promise<PaymentRow | null> {
  const now = deps.clock.now();
  const before = await findSubscription(tx, id);
  if (!before || before.user_id === null) return null;
  const { user_id: userId } = before;
  await lockAccount(tx, userId);
  const row = await findSubscription(tx, id);
  if (!row || !isDue(row, now)) return null;
  const open = await listOpenPayments(tx, id);
  if (open.some(({ state, created_at }) => state !== 'open' || created_at > now - PAGE_MS))
    return null;
  if ((await countLeft(tx, now)) === 0) return null;
  if (row.provider !== deps.payments.name) {
    // Tried again all the same: a site that goes back to the provider goes on by itself.
    const message = 'We take payments through another company now, which doesn’t have your card.';
    await becomeLate(tx, deps, row, { message, isHard: false, needsMember: false });
    return null;
  }
  if (row.method_id === null) {
    const message = 'Your bank doesn’t let us charge this card again.';
    await becomeLate(tx, deps, row, { message, isHard: false, needsMember: true });
    return null;
  }
  const attempt = row.attempt + 1;
  const payment = buildPayment({
    reference: renewalReference(row, attempt),
    user_id: userId,
    kind: 'renewal',
    subscription_id: id,
    period: row.period,
    attempt,
    plan: row.next_plan ?? row.plan,
    amount: await applyPrice(tx, deps, row),
    currency: CURRENCY,
    provider: row.provider,
    state: 'asked',
    asked_at: now,
    created_at: now,
  });
  await tx.insertInto('payments').values(payment).execute();
  await tx.updateTable('subscriptions').set({ attempt }).where('id', '=', id).execute();
  return payment;
}

/** A provider that won't do it has answered too, unless it turns out that it did. */
async function readRefused(
  deps: Deps,
  row: PaymentRow,
  error: PaymentsError,
): Promise<PaymentState> {
  const state = await deps.payments.readPayment(row.reference, row.provider_id);
  if (state.status !== 'not-found' && state.status !== 'open') return state;
  await reportRefusal(deps, row, error);
  const message = 'The payment provider didn’t accept the payment.';
  return failedPayment(row, { message, isHard: false });
}

/** Charges under the reference that is written. Asking again never charges twice. */
async function sendCharge(deps: Deps, row: PaymentRow): Promise<void> {
  const { database, payments, config } = deps;
  const { db } = database;
  const subscription = await findSubscription(db, row.subscription_id ?? '');
  const method = subscription && (await findMethod(db, subscription.method_id));
  if (!method || row.plan === null) return;
  const savedCard = await unsealCard(db, method);
  let state: PaymentState;
  try {
    state = await payments.charge({
      reference: row.reference,
      providerId: row.provider_id,
      amount: row.amount,
      currency: row.currency,
      description: describePlan(row.plan, config.siteName),
      savedCard,
      storeProviderId: async (providerId) => {
        await db
          .updateTable('payments')
          .set({ provider_id: providerId })
          .where('reference', '=', row.reference)
          .execute();
      },
    });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    state = await readRefused(deps, row, error);
  }
  await settlePayment(deps, row.reference, state);
}

/** What is known about earlier payments of the subscription comes first. */
const settleOpen = async (deps: Deps, id: string) => {
  for (const { reference } of await listOpenPayments(deps.database.db, id))
    await settlePayment(deps, reference);
};

/** Charges a subscription that is due. Returns whether the provider was asked to. */
export async function chargeSubscription(deps: Deps, id: string): Promise<boolean> {
  await settleOpen(deps, id);
  const asked = await deps.database.db.transaction().execute((tx) => writeAsked(tx, deps, id));
  if (!asked) return false;
  await sendCharge(deps, asked);
  return true;
}

/** Whether a payment that the provider has never seen is still wanted. */
async function isWanted(db: Db, row: PaymentRow, now: number): Promise<boolean> {
  const current = await findSubscription(db, row.subscription_id ?? '');
  return (
    row.user_id !== null &&
    current !== undefined &&
    current.period === row.period &&
    // Neither paid for otherwise meanwhile, nor another plan by now.
    current.next_at <= now &&
    row.plan === (current.next_plan ?? current.plan) &&
    findChargeTime({ ...current, retry_at: 0 }) !== null
  );
}

/** Goes on with a charge whose answer was lost: read it, or ask for the same one again. */
export async function settleAsked(deps: Deps, reference: string): Promise<void> {
  const settled = await settlePayment(deps, reference);
  if (!settled || settled.row.state !== 'asked') return;
  const { row, state } = settled;
  const isUnseen = state.status === 'not-found' || state.status === 'open';
  if (!isUnseen) return;
  const { db } = deps.database;
  if (await isWanted(db, row, deps.clock.now())) {
    const { areRenewalsOn } = await readSettings(db, deps.clock.now());
    if (areRenewalsOn) await sendCharge(deps, row);
  } else if (row.asked_at !== null && row.asked_at <= deps.clock.now() - HOUR) {
    // If the provider has it after all, it is found and given back.
    await db
      .updateTable('payments')
      .set({ state: 'expired', check_at: null, updated_at: deps.clock.now() })
      .where('reference', '=', reference)
      .where('state', '=', 'asked')
      .execute();
  }
}

import type { Tx } from '../../../db/connect.ts';
import { newId } from '../../../ids.ts';
import { notFound, refusal, type CheckoutRequest } from '../payments.ts';
import {
  findRefusal,
  isForOnePayment,
  needsConfirmation,
  subscribesLater,
  TEST_CARDS,
  type CardName,
} from './cards.ts';
import { inTransaction, type SandboxParts } from './parts.ts';
import {
  findCharge,
  insertSubscription,
  insertCharge,
  insertCheckout,
  lockCheckout,
  updateCharge,
  updateCheckout,
  type ChargeRow,
  type CheckoutRow,
} from './store.ts';
import { recordEvent } from './webhooks.ts';
import { DAY } from '#contract/rules/time.ts';

/** A checkout page expires after a day. */
const LIFETIME_MS = DAY;
export const MINIMUM_CENTS = 100;

export const isExpired = (row: CheckoutRow, now: number): boolean =>
  row.state === 'open' && now >= row.created_at + LIFETIME_MS;

export type PayOutcome =
  | { state: 'paid' | 'closed' | 'unknown' | 'confirm' }
  | { state: 'declined'; message: string };

export async function openCheckout(
  { database, clock }: SandboxParts,
  request: CheckoutRequest,
): Promise<string> {
  const now = clock.now();
  if ([request.amount, request.renewalAmount].some((cents) => cents > 0 && cents < MINIMUM_CENTS))
    throw refusal('The sandbox takes no payments of less than R1.');
  const row = await insertCheckout(database.db, {
    id: `chk_${newId(now)}`,
    reference: request.reference,
    customer_id: request.customerId ?? `cus_${newId(now)}`,
    plan: request.plan,
    amount: request.amount,
    renewal_amount: request.renewalAmount,
    currency: request.currency,
    first_charge_at: request.firstChargeAt,
    success_url: request.successUrl,
    cancel_url: request.cancelUrl,
    state: 'open',
    provider_subscription_id: null,
    charge_id: null,
    card: null,
    created_at: now,
  });
  if (!row) throw new Error('The checkout just created is gone.');
  return row.id;
}

const subjectOf = ({ reference, customer_id: customerId, plan }: CheckoutRow) => ({
  reference,
  customerId,
  plan,
});

/** With a free period first, the card is only stored. */
const isDueNow = (row: CheckoutRow, now: number) => row.amount > 0 && row.first_charge_at <= now;

const recordCharge = (
  tx: Tx,
  { reference, customer_id, plan, amount, currency }: CheckoutRow,
  charge: Pick<ChargeRow, 'card' | 'failure' | 'provider_subscription_id' | 'at'>,
): Promise<string> =>
  insertCharge(tx, { reference, customer_id, plan, amount, currency, ...charge });

async function decline(
  parts: SandboxParts,
  tx: Tx,
  row: CheckoutRow,
  card: CardName,
  failure: string,
) {
  const charge = { card, failure, provider_subscription_id: null, at: parts.clock.now() };
  const chargeId = await recordCharge(tx, row, charge);
  await updateCheckout(tx, row.id, { charge_id: chargeId });
  await recordEvent(parts, tx, 'checkout.declined', { ...subjectOf(row), chargeId });
}

/** When the next payment after this checkout is due, and how much it is. */
function planFirst(
  row: CheckoutRow,
  charge: ChargeRow | undefined,
  { clock, calendar }: SandboxParts,
) {
  if (charge) return { due: calendar.addPeriod(charge.at, row.plan), amount: row.renewal_amount };
  const now = clock.now();
  if (row.first_charge_at > now)
    return { due: row.first_charge_at, amount: row.amount > 0 ? row.amount : row.renewal_amount };
  return { due: calendar.addPeriod(now, row.plan), amount: row.renewal_amount };
}

/** From the end of the period that the checkout paid for, or of its trial. */
async function createSubscription(
  parts: SandboxParts,
  tx: Tx,
  row: CheckoutRow,
  card: string,
): Promise<string> {
  const now = parts.clock.now();
  const id = `sub_${newId(now)}`;
  const charge = row.charge_id === null ? undefined : await findCharge(tx, row.charge_id);
  const paid = charge?.status === 'paid' ? charge : undefined;
  const { due, amount } = planFirst(row, paid, parts);
  await insertSubscription(tx, {
    id,
    customer_id: row.customer_id,
    plan: row.plan,
    currency: row.currency,
    status: 'active',
    due_at: due,
    next_charge_at: due,
    next_amount: amount,
    renewal_amount: row.renewal_amount,
    next_plan: null,
    card,
    card_uses: paid ? 1 : 0,
    failures: 0,
    created_at: now,
  });
  await updateCheckout(tx, row.id, { provider_subscription_id: id });
  if (paid) await updateCharge(tx, paid.id, { provider_subscription_id: id });
  await parts.work.renewAt(tx, id, { at: due, now });
  return id;
}

async function complete(parts: SandboxParts, tx: Tx, row: CheckoutRow, card: CardName) {
  const at = parts.clock.now();
  const chargeId = isDueNow(row, at)
    ? await recordCharge(tx, row, { card, failure: null, provider_subscription_id: null, at })
    : null;
  const paid = { state: 'paid', charge_id: chargeId, card } as const;
  await updateCheckout(tx, row.id, paid);
  const hasSubscription = !isForOnePayment(card) && !subscribesLater(card);
  const providerSubscriptionId = hasSubscription
    ? await createSubscription(parts, tx, { ...row, ...paid }, card)
    : null;
  const subject = { ...subjectOf(row), providerSubscriptionId, chargeId };
  await recordEvent(parts, tx, 'checkout.paid', subject);
}

/** The subscription of a paid checkout, made now if it has none. Null if the card allows none. */
export const finishCheckout = (parts: SandboxParts, reference: string): Promise<string | null> =>
  inTransaction(parts, async (tx) => {
    const row = await lockCheckout(tx, parts.database.dialect, reference);
    if (!row) throw notFound('The sandbox doesn’t have this checkout.');
    if (row.provider_subscription_id !== null) return row.provider_subscription_id;
    if (row.state !== 'paid' || row.card === null) throw refusal('This checkout isn’t paid.');
    if (isForOnePayment(row.card)) return null;
    const providerSubscriptionId = await createSubscription(parts, tx, row, row.card);
    const subject = { ...subjectOf(row), providerSubscriptionId };
    await recordEvent(parts, tx, 'subscription.created', subject);
    return providerSubscriptionId;
  });

/** Why the card isn't accepted; null if it is. */
function findProblem(
  row: CheckoutRow,
  { card, isConfirmed }: { card: CardName; isConfirmed?: boolean | undefined },
  now: number,
): string | null {
  if (isConfirmed === false) return TEST_CARDS.confirmation.refusal;
  if (isDueNow(row, now)) return findRefusal(card, 0);
  return isForOnePayment(card) ? TEST_CARDS['one-payment'].refusal : null;
}

/** `isConfirmed` is the answer on the bank's page; undefined before it was shown. */
export const payCheckout = (
  parts: SandboxParts,
  id: string,
  { card, isConfirmed }: { card: CardName; isConfirmed?: boolean | undefined },
): Promise<PayOutcome> =>
  inTransaction(parts, async (tx) => {
    const row = await lockCheckout(tx, parts.database.dialect, id);
    if (!row) return { state: 'unknown' };
    if (row.state !== 'open') return { state: row.state };
    const now = parts.clock.now();
    if (isExpired(row, now)) return { state: 'closed' };
    if (needsConfirmation(card) && isConfirmed === undefined) return { state: 'confirm' };
    const problem = findProblem(row, { card, isConfirmed }, now);
    if (problem !== null) {
      await decline(parts, tx, row, card, problem);
      return { state: 'declined', message: problem };
    }
    await complete(parts, tx, row, card);
    return { state: 'paid' };
  });

/** The user goes back without paying. */
export const closeCheckout = (parts: SandboxParts, id: string): Promise<void> =>
  inTransaction(parts, async (tx) => {
    const row = await lockCheckout(tx, parts.database.dialect, id);
    if (row?.state !== 'open') return;
    await updateCheckout(tx, id, { state: 'closed' });
    await recordEvent(parts, tx, 'checkout.closed', subjectOf(row));
  });

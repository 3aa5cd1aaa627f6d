import type { Tx } from '../../../db/connect.ts';
import { newId } from '../../../ids.ts';
import type { CheckoutRequest } from '../payments.ts';
import { findRefusal, needsConfirmation, TEST_CARDS, type CardName } from './cards.ts';
import { inTransaction, type SandboxParts } from './parts.ts';
import {
  insertSubscription,
  insertCharge,
  insertCheckout,
  lockCheckout,
  updateCheckout,
  type ChargeRow,
  type CheckoutRow,
} from './store.ts';
import { recordEvent } from './webhooks.ts';
import { DAY } from '#contract/rules/time.ts';

/** A checkout page expires after a day. */
const LIFETIME_MS = DAY;

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
function planFirst(row: CheckoutRow, { clock, calendar }: SandboxParts) {
  const now = clock.now();
  if (row.first_charge_at > now)
    return { due: row.first_charge_at, amount: row.amount > 0 ? row.amount : row.renewal_amount };
  return { due: calendar.addPeriod(now, row.plan), amount: row.renewal_amount };
}

async function complete(parts: SandboxParts, tx: Tx, row: CheckoutRow, card: CardName) {
  const now = parts.clock.now();
  const providerSubscriptionId = `sub_${newId(now)}`;
  const isPaidNow = isDueNow(row, now);
  const chargeId = isPaidNow
    ? await recordCharge(tx, row, {
        card,
        failure: null,
        provider_subscription_id: providerSubscriptionId,
        at: now,
      })
    : null;
  const { due, amount } = planFirst(row, parts);
  await insertSubscription(tx, {
    id: providerSubscriptionId,
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
    card_uses: isPaidNow ? 1 : 0,
    failures: 0,
    created_at: now,
  });
  await updateCheckout(tx, row.id, {
    state: 'paid',
    provider_subscription_id: providerSubscriptionId,
    charge_id: chargeId,
  });
  const subject = { ...subjectOf(row), providerSubscriptionId, chargeId };
  await recordEvent(parts, tx, 'checkout.paid', subject);
  await parts.work.renewAt(tx, providerSubscriptionId, { at: due, now });
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
    const refusal =
      isConfirmed === false
        ? TEST_CARDS.confirmation.refusal
        : isDueNow(row, now)
          ? findRefusal(card, 0)
          : null;
    if (refusal !== null) {
      await decline(parts, tx, row, card, refusal);
      return { state: 'declined', message: refusal };
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

import { DAY, HOUR } from '#contract/rules/time.ts';
import type { Tx } from '../../../db/connect.ts';
import { newId } from '../../../ids.ts';
import {
  refusal,
  type ChargeRequest,
  type PaymentFailure,
  type PaymentRequest,
} from '../payments.ts';
import { BANK_PAYMENTS, type BankName } from './bank-payments.ts';
import {
  confirmsAlways,
  confirmsFirst,
  findRefusal,
  notConfirmed,
  type CardName,
} from './cards.ts';
import { inTransaction, type SandboxParts } from './parts.ts';
import { encryptEmail, readToken } from './saved-cards.ts';
import { findSettled, markFailed, markPaid } from './settle-payments.ts';
import {
  findPayment,
  insertPayment,
  lockCard,
  lockPayment,
  updateCard,
  updatePayment,
  type CardRow,
  type PaymentRow,
} from './store.ts';
import { recordEvent } from './webhooks.ts';

export const MINIMUM_CENTS = 100;
/** A payment page expires after a day. */
const PAGE_MS = DAY;
/** Not shortened with the months, so that people see it: they can decide sooner on the page. */
const BANK_MS = HOUR;

/** What a user chooses on the page. `isConfirmed` is the answer to the bank; undefined before it asks. */
export type Choice = { card: CardName; isConfirmed?: boolean | undefined } | { bank: BankName };

export type PayOutcome =
  | { state: 'paid' | 'pending' | 'failed' | 'unknown' | 'confirm' }
  | { state: 'declined'; message: string };

function refuseSmall(amount: number) {
  if (amount < MINIMUM_CENTS) throw refusal('The sandbox takes no payments of less than R1.');
}

/** Returns the page that exists if the reference has one. */
export async function openPage(parts: SandboxParts, request: PaymentRequest): Promise<string> {
  const { database, clock, work } = parts;
  refuseSmall(request.amount);
  const now = clock.now();
  const id = `pay_${newId(now)}`;
  const email = await encryptEmail(database.db, request.email);
  await inTransaction(parts, async (tx) => {
    const isNew = await insertPayment(tx, {
      id,
      reference: request.reference,
      email,
      amount: request.amount,
      currency: request.currency,
      description: request.description,
      saves_card: request.savesCard ? 1 : 0,
      success_url: request.successUrl,
      cancel_url: request.cancelUrl,
      due_at: now + PAGE_MS,
      created_at: now,
      at: now,
    });
    if (isNew) await work.settleAt(tx, id, { at: now + PAGE_MS, now });
  });
  const row = await findPayment(database.db, request.reference);
  if (!row?.success_url) throw refusal('This reference belongs to a charge without a page.');
  return row.id;
}

/** The page stays open, so that another card can be tried. */
async function decline(
  tx: Tx,
  row: PaymentRow,
  { method, failure, at }: { method: string; failure: PaymentFailure; at: number },
): Promise<PayOutcome> {
  const { message, isHard } = failure;
  await updatePayment(tx, row.id, { method, failure: message, is_hard: isHard ? 1 : 0, at });
  return { state: 'declined', message };
}

async function payByBank(
  parts: SandboxParts,
  tx: Tx,
  row: PaymentRow,
  bank: BankName,
): Promise<PayOutcome> {
  if (row.saves_card === 1) throw refusal('This payment needs a card.');
  const now = parts.clock.now();
  const { decides } = BANK_PAYMENTS[bank];
  if (decides === 'now') {
    await markPaid(parts, tx, row, { method: bank, at: now });
    return { state: 'paid' };
  }
  const at = decides === 'by-hand' ? null : now + BANK_MS;
  await updatePayment(tx, row.id, {
    state: 'pending',
    method: bank,
    failure: null,
    is_hard: 0,
    due_at: at,
    at: now,
    changed_at: now,
  });
  await recordEvent(parts, tx, 'payment.pending', row.reference);
  if (at !== null) await parts.work.settleAt(tx, row.id, { at, now });
  return { state: 'pending' };
}

async function payByCard(
  parts: SandboxParts,
  tx: Tx,
  row: PaymentRow,
  { card, isConfirmed }: { card: CardName; isConfirmed?: boolean | undefined },
): Promise<PayOutcome> {
  const at = parts.clock.now();
  if (confirmsFirst(card) && isConfirmed === undefined) return { state: 'confirm' };
  const failure = isConfirmed === false ? notConfirmed : findRefusal(card, 0);
  if (failure) return decline(tx, row, { method: card, failure, at });
  await markPaid(parts, tx, row, { method: card, at });
  return { state: 'paid' };
}

export async function payOnPage(
  parts: SandboxParts,
  key: string,
  choice: Choice,
): Promise<PayOutcome> {
  const found = await findSettled(parts, key);
  if (!found) return { state: 'unknown' };
  return inTransaction(parts, async (tx) => {
    const row = await lockPayment(tx, parts.database.dialect, found.id);
    if (!row || row.state === 'needs-member') return { state: 'unknown' };
    if (row.state !== 'open') return { state: row.state };
    return 'bank' in choice
      ? payByBank(parts, tx, row, choice.bank)
      : payByCard(parts, tx, row, choice);
  });
}

/** The user goes back without paying. */
export const closePage = (parts: SandboxParts, key: string): Promise<void> =>
  inTransaction(parts, async (tx) => {
    const row = await lockPayment(tx, parts.database.dialect, key);
    if (row?.state !== 'open') return;
    const failure = { message: 'The payment was cancelled.', isHard: false };
    await markFailed(parts, tx, row, { failure, at: parts.clock.now() });
  });

/** What the bank says to a charge without the member. */
function decideCharge(card: CardRow | undefined) {
  if (!card)
    return { state: 'failed', failure: 'The card is no longer saved.', is_hard: 1 } as const;
  const { method, uses } = card;
  if (confirmsAlways(method))
    return {
      state: 'needs-member',
      failure: 'Your bank wants you to confirm the payment.',
      is_hard: 0,
    } as const;
  const refused = findRefusal(method, uses);
  return refused
    ? ({ state: 'failed', failure: refused.message, is_hard: refused.isHard ? 1 : 0 } as const)
    : ({ state: 'paid', failure: null, is_hard: 0 } as const);
}

/** Returns the row of the reference, charged now or before. */
export async function chargeSavedCard(
  parts: SandboxParts,
  { reference, amount, currency, description, savedCard }: ChargeRequest,
): Promise<PaymentRow> {
  const { database, clock } = parts;
  const cardId = await readToken(database.db, savedCard.token);
  return inTransaction(parts, async (tx) => {
    // Simultaneous charges of one card wait for each other here.
    const card = cardId === null ? undefined : await lockCard(tx, database.dialect, cardId);
    const before = await findPayment(tx, reference);
    if (before) return before;
    refuseSmall(amount);
    const now = clock.now();
    const decision = decideCharge(card);
    const isPaid = decision.state === 'paid';
    const isNew = await insertPayment(tx, {
      id: `pay_${newId(now)}`,
      reference,
      email: null,
      amount,
      currency,
      description,
      saves_card: 0,
      success_url: null,
      cancel_url: null,
      method: card?.method ?? null,
      charge_id: isPaid ? `chg_${newId(now)}` : null,
      created_at: now,
      at: now,
      changed_at: now,
      ...decision,
    });
    if (isNew && isPaid && card) await updateCard(tx, card.id, { uses: card.uses + 1 });
    if (isNew) await recordEvent(parts, tx, `payment.${decision.state}`, reference);
    const row = await findPayment(tx, reference);
    if (!row) throw new Error('The payment just made is gone.');
    return row;
  });
}

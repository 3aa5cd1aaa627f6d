import { createHmac } from 'node:crypto';
import { DAY, HOUR } from '#contract/rules/time.ts';
import type { Db, Tx } from '../../../db/connect.ts';
import { decryptText, encryptText, readSecret } from '../../../db/secrets.ts';
import { newId } from '../../../db/ids.ts';
import {
  refusal,
  type ChargeRequest,
  type PaymentFailure,
  type PaymentRequest,
  type SavedCard,
} from '../payments.ts';
import { isSignature } from '../provider-answers.ts';
import { findSettled, markFailed, markPaid } from './settle-payments.ts';
import {
  findPayment,
  insertPayment,
  inTransaction,
  lockCard,
  lockPayment,
  updateCard,
  updatePayment,
  type CardRow,
  type PaymentRow,
  type SandboxParts,
} from './store.ts';
import {
  BANK_PAYMENTS,
  findRefusal,
  findTestCard,
  fingerprintCard,
  notConfirmed,
  showCard,
  type BankName,
  type CardName,
} from './ways-to-pay.ts';
import { recordEvent } from './webhooks.ts';

const SECRET = 'sandbox-cards';
const PURPOSE = 'sandbox-customers';

/** The id with a signature, so that the tables hold no token. */
async function signToken(db: Db, cardId: string): Promise<string> {
  const secret = await readSecret(db, SECRET);
  return `tok_${cardId}_${createHmac('sha256', secret).update(cardId).digest('hex')}`;
}

/** The id of the card that the token charges; null if the sandbox never gave it out. */
export async function readToken(db: Db, token: string): Promise<string | null> {
  const cardId = /^tok_(\w+)_[0-9a-f]{64}$/.exec(token)?.[1];
  if (cardId === undefined) return null;
  return isSignature(token, await signToken(db, cardId)) ? cardId : null;
}

export async function presentCard(db: Db, row: CardRow): Promise<SavedCard> {
  const email = await decryptText(db, PURPOSE, row.email);
  return {
    card: showCard(row.method),
    token: await signToken(db, row.id),
    email,
    customerId: null,
    fingerprint: fingerprintCard(row.method, email),
  };
}

export const MINIMUM_CENTS = 100;
/** A payment page expires after a day. */
const PAGE_MS = DAY;
/** Not shortened with the months, so that people see it: they can decide sooner on the page. */
const BANK_MS = HOUR;

/** What a user chooses on the page. `isConfirmed` is the answer to the bank; undefined before it asks. */
export type Choice = { card: CardName; isConfirmed?: boolean | undefined } | { bank: BankName };

type PayOutcome =
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
  const email = await encryptText(database.db, PURPOSE, request.email);
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
  if (findTestCard(card)?.confirms && isConfirmed === undefined) return { state: 'confirm' };
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
  if (findTestCard(method)?.confirms === 'always')
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

import { DAY, HOUR, MINUTE } from '#contract/rules/time.ts';
import type { Tx } from '../../../db/connect.ts';
import type { Deps } from '../../../deps.ts';
import { failure, type PaymentState } from '../../../ports/payments/payments.ts';
import { takeBackDepartures } from '../../departures/service.ts';
import { tellChanges } from '../billing-mail/send-messages.ts';
import { appendEntries, toLedgerContext } from '../ledger/ledger-entries.ts';
import { recordLateFee } from '../ledger/without-invoice.ts';
import { settleGift } from '../pay-once/settle-gift.ts';
import { reportUnarrived } from '../pay-once/gift-mail.ts';
import { findPayment, isUndecided, lockAccount, type PaymentRow } from '../queries.ts';
import { sealCard } from '../subscriptions/cards.ts';
import { declineRenewal } from '../subscriptions/late.ts';
import { acceptPayment, type Arrived } from './accept-payment.ts';
import { followDispute, followReversals, listReversals } from '../ledger/follow-reversals.ts';
import { recordChargeWithoutLedger } from '../ledger/write-invoices.ts';
import { followRefunds } from '../refunds/refunds.ts';
import { updatePayment } from './open-page.ts';

/** A payment further in the future means that the provider's clock or ours is wrong. */
const MAX_AHEAD_MS = 2 * DAY;
/** Providers close a page within days. A payment that arrives later still counts. */
export const PAGE_MS = 7 * DAY;

/** When to ask about it again: often at first, then every hour. */
function planCheck({ created_at, state }: PaymentRow, now: number): number {
  const age = now - created_at;
  if (age < 10 * MINUTE) return now + MINUTE;
  return now + (age < HOUR || state === 'asked' ? 10 * MINUTE : HOUR);
}

/** Nothing is decided yet, or it failed. */
async function recordUnpaid(tx: Tx, deps: Deps, row: PaymentRow, state: PaymentState) {
  const now = deps.clock.now();
  if (!isUndecided(row)) return updatePayment(tx, row, { check_at: null }, now);
  const isFailed =
    state.status === 'failed' || (state.status === 'needs-member' && row.state === 'asked');
  if (isFailed && row.state === 'asked') return declineRenewal(tx, deps, row, state);
  const isOver = row.state !== 'asked' && row.created_at <= now - PAGE_MS;
  if (isFailed || (isOver && state.status !== 'pending')) {
    const closed = isFailed ? ('failed' as const) : ('expired' as const);
    const why = { failure: state.failure?.message ?? null, is_hard: 0 as const };
    await updatePayment(tx, row, { state: closed, ...why, check_at: null }, now);
    return row.state === 'pending' ? reportUnarrived(tx, deps, row) : undefined;
  }
  const isPending = state.status === 'pending' && row.state === 'open';
  const next = { ...row, state: isPending ? ('pending' as const) : row.state };
  const { channel } = isPending ? state : row;
  await updatePayment(tx, row, { state: next.state, channel, check_at: planCheck(next, now) }, now);
}

/** The payment, and what has happened to it since: each is recorded once. */
async function recordPaid(tx: Tx, deps: Deps, arrived: Arrived) {
  const { row, userId, state } = arrived;
  const context = toLedgerContext(deps);
  const isNew = isUndecided(row) || row.state === 'failed' || row.state === 'expired';
  await tellChanges(tx, deps, userId, async () => {
    const accepted = isNew ? await acceptPayment(tx, deps, arrived) : [];
    const before = await appendEntries(tx, userId, accepted, context);
    const reversals = await listReversals(tx, before.ledger, row, state, context.now);
    const { ledger } = await appendEntries(tx, userId, reversals, context);
    const back = accepted.find(({ kind }) => kind === 'subscribed' || kind === 'resumed');
    if (back?.subscription_id) {
      const subscriptionId = back.subscription_id;
      await takeBackDepartures(tx, { userId, subscriptionId }, context.now);
    }
    await followReversals(tx, { userId, ledger, count: reversals.length }, context);
  });
}

/** In no account's ledger: a gift, or the payment of a deleted account, which goes back. */
async function recordWithoutLedger(tx: Tx, deps: Deps, row: PaymentRow, state: PaymentState) {
  const context = toLedgerContext(deps);
  const isGift = row.kind === 'gift' && (await settleGift(tx, deps, row, state));
  if (!isGift) {
    const decided = row.state === 'paid' ? row.state : ('refused' as const);
    const facts = { charge_id: state.chargeId, channel: state.channel, check_at: null };
    await updatePayment(tx, row, { state: decided, ...facts }, context.now);
  }
  const reason = isGift ? 'Paid for a gift, and goes back.' : 'Paid after the account was deleted.';
  await recordChargeWithoutLedger(tx, row.provider, state, context, reason);
}

/**
 * Makes what the provider says about a payment ours, in one transaction. Running it any number of
 * times, at the same time or after a crash at any point, leads to the same result.
 */
export async function settlePayment(
  deps: Deps,
  reference: string,
  answer?: PaymentState,
): Promise<{ row: PaymentRow; state: PaymentState } | null> {
  const { database, payments, clock } = deps;
  const { db } = database;
  const before = await findPayment(db, reference);
  if (!before || before.provider !== payments.name) return null;
  const state = answer ?? (await payments.readPayment(reference, before.provider_id));
  if (state.at > clock.now() + MAX_AHEAD_MS)
    throw failure(
      'The provider reports a payment in the future. Nothing is recorded until the clocks agree.',
    );
  const card = await sealCard(db, payments.name, state.savedCard);
  await db.transaction().execute(async (tx) => {
    if (before.user_id !== null) await lockAccount(tx, before.user_id);
    const row = await findPayment(tx, reference);
    if (!row) return;
    const { user_id: userId } = row;
    if (state.status !== 'paid') return recordUnpaid(tx, deps, row, state);
    if (userId === null) await recordWithoutLedger(tx, deps, row, state);
    else await recordPaid(tx, deps, { row, userId, state, card });
    await recordLateFee(tx, row.provider, state, toLedgerContext(deps));
    await followDispute(tx, row, state, clock.now());
    await followRefunds(tx, deps, row, state);
  });
  deps.jobs.wake();
  const row = await findPayment(db, reference);
  return row ? { row, state } : null;
}

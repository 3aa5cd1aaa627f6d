import { formatMoney } from '#contract/rules/format.ts';
import type { Db, Tx } from '../../../db/connect.ts';
import type { PaymentState } from '../../../ports/payments/payments.ts';
import {
  closeIssue,
  disputeKey,
  listKeptCharges,
  openIssue,
  refundKey,
  reportLostDispute,
} from '../../payment-issues/service.ts';
import { findSubscription, type LedgerEntry, type PaymentRow } from '../queries.ts';
import {
  endSubscription,
  moveNextPaymentBack,
  updateSubscription,
} from '../subscriptions/change-state.ts';
import {
  buildLedgerEntry,
  isRefundedAtProvider,
  REFUNDED_AT_PROVIDER,
  type LedgerContext,
  type NewLedgerEntry,
} from './ledger-entries.ts';
import { findPeriods } from './paid-through.ts';
import { sumRefundRequests } from '../refunds/refunds.ts';

const PAYMENTS: readonly LedgerEntry['kind'][] = ['charge', 'charge-refused', 'card-check'];

/** A full refund of a payment that counted, which nobody asked for here. */
async function isMadeAtProvider(
  db: Db,
  row: PaymentRow,
  { chargeId, amount, refunded, dispute }: PaymentState,
): Promise<boolean> {
  if (chargeId === null || refunded < amount || dispute?.state === 'lost') return false;
  if (row.state === 'refused' || row.kind === 'card-check') return false;
  return (await sumRefundRequests(db, { provider: row.provider, chargeId })) < amount;
}

function explainRefund(
  { amount, refunded, currency }: PaymentState,
  before: number,
  isAtProvider: boolean,
): string {
  const [all, back] = [formatMoney(amount, currency), formatMoney(refunded, currency)];
  if (refunded < before)
    return `A refund failed: ${back} of ${all} is refunded, and the payment counts for the rest.`;
  if (isAtProvider)
    return `${back} refunded at the payment provider, not here; the period it covered was removed.`;
  return refunded >= amount
    ? `${back} refunded; the period it covered was removed.`
    : `${back} of ${all} refunded; the period stays.`;
}

/** What happened to a payment since it was recorded: a refund, or a dispute and how it ended. */
export async function listReversals(
  db: Db,
  ledger: readonly LedgerEntry[],
  row: PaymentRow,
  state: PaymentState,
  now: number,
): Promise<NewLedgerEntry[]> {
  const { chargeId, currency, dispute, refunded } = state;
  const own = ledger.filter(
    (entry) => entry.charge_id === chargeId && entry.provider === row.provider,
  );
  const recorded = own.find(({ kind }) => PAYMENTS.includes(kind));
  if (chargeId === null || !recorded) return [];
  const { subscription_id, plan } = recorded;
  const facts = {
    provider: row.provider,
    charge_id: chargeId,
    subscription_id,
    plan,
    amount: state.amount,
    currency,
    actor: 'provider',
  };
  const money = formatMoney(state.amount, currency);
  // The last entry counts: a refund may fail after it was reported.
  const before = own.findLast(({ kind }) => kind === 'refund')?.amount ?? 0;
  const was = findDisputeState(own);
  const entries: NewLedgerEntry[] = [];
  if (refunded !== before) {
    const isAtProvider = await isMadeAtProvider(db, row, state);
    entries.push(
      buildLedgerEntry('refund', now, explainRefund(state, before, isAtProvider), {
        ...facts,
        amount: refunded,
        detail: isAtProvider ? REFUNDED_AT_PROVIDER : null,
      }),
    );
  }
  if (dispute && was === 'none')
    entries.push(
      buildLedgerEntry('dispute', now, `${money} charged back; the period was removed.`, facts),
    );
  if (dispute?.state === 'lost' && was !== 'lost')
    entries.push(
      buildLedgerEntry(
        'dispute-lost',
        now,
        `The dispute over ${money} was decided against us.`,
        facts,
      ),
    );
  if (!dispute && was !== 'none')
    entries.push(
      buildLedgerEntry('dispute-won', now, `Chargeback reversed; ${money} counts again.`, facts),
    );
  return entries;
}

/** Whoever paid for whatever: the bank wants an answer from an administrator. */
export async function followDispute(
  tx: Tx,
  { provider, user_id: userId, kind }: PaymentRow,
  { dispute, amount, currency, chargeId }: PaymentState,
  now: number,
): Promise<void> {
  if (chargeId === null) return;
  const key = disputeKey(provider, chargeId);
  const what = `${formatMoney(amount, currency)}${kind === 'gift' ? ' for a gift' : ''} charged back`;
  const facts = { key, userId, provider, chargeId, amount, currency };
  if (!dispute) return closeIssue(tx, key, 'Won.', now);
  if (dispute.state === 'open') {
    const issue = { ...facts, kind: 'dispute' as const, dueAt: dispute.respondBy };
    return openIssue(tx, { ...issue, reason: `${what}.` }, now);
  }
  const reason = `${what}, and the dispute was lost before it was seen here.`;
  await reportLostDispute(tx, { ...facts, reason }, now);
}

/** Administrators know about a refund that they didn't make. */
async function reportRefund(tx: Tx, entry: LedgerEntry) {
  const { provider, charge_id: chargeId, user_id: userId, recorded_at: now } = entry;
  if (provider === null || chargeId === null || !isRefundedAtProvider(entry)) return;
  const { amount, currency } = entry;
  const reason = `${entry.reason} What still renews is cancelled.`;
  const facts = { userId, provider, chargeId, amount, currency, reason };
  const key = refundKey(provider, chargeId);
  await openIssue(tx, { ...facts, key, kind: 'refund-at-provider' }, now);
}

/** The subscription whose newest payment this is; another payment's fate doesn't touch it. */
async function findAffected(
  tx: Tx,
  { subscription_id, charge_id }: LedgerEntry,
  ledger: readonly LedgerEntry[],
) {
  const newest = ledger.findLast(
    (entry) => entry.kind === 'charge' && entry.subscription_id === subscription_id,
  );
  if (subscription_id === null || newest?.charge_id !== charge_id) return null;
  const row = await findSubscription(tx, subscription_id);
  return row && row.status !== 'ended' ? row : null;
}

/**
 * A payment that went back ends its subscription: by a lost dispute, unless an administrator keeps
 * it, or by a full refund at the provider. While a bank decides, nothing is charged.
 */
export async function followReversals(
  tx: Tx,
  { userId, ledger, count }: { userId: string; ledger: readonly LedgerEntry[]; count: number },
  context: LedgerContext,
): Promise<void> {
  const { now } = context;
  for (const entry of ledger.slice(ledger.length - count)) {
    await reportRefund(tx, entry);
    // Months that were paid once moved the next payment; without them it is due earlier again.
    if (entry.kind === 'refund' && entry.subscription_id === null) {
      const paidThrough = findPeriods(ledger, context.calendar).at(-1)?.to ?? null;
      await moveNextPaymentBack(tx, userId, paidThrough, context);
    }
    const isLost = entry.kind === 'dispute-lost';
    const isDispute = isLost || entry.kind === 'dispute' || entry.kind === 'dispute-won';
    if (!isDispute && !isRefundedAtProvider(entry)) continue;
    const row = await findAffected(tx, entry, ledger);
    if (!row) continue;
    const isKept = (await listKeptCharges(tx, userId)).has(entry.charge_id ?? '');
    if (entry.kind === 'dispute') await updateSubscription(tx, row.id, { held_since: now }, now);
    else if (entry.kind === 'dispute-won' || (isLost && isKept))
      await updateSubscription(tx, row.id, { held_since: null }, now);
    else {
      await updateSubscription(tx, row.id, { cancelled_at: now }, now);
      const left = { way: isLost ? ('disputed' as const) : ('refunded' as const) };
      await endSubscription(tx, row, { reason: entry.reason, left }, context);
    }
  }
}

type DisputeState = 'none' | 'open' | 'lost';

const STATES: Partial<Record<LedgerEntry['kind'], DisputeState>> = {
  dispute: 'open',
  'dispute-won': 'none',
  'dispute-lost': 'lost',
};

/** What the last entry about a dispute says; the entries are those of one charge, in order. */
const findDisputeState = (entries: readonly Pick<LedgerEntry, 'kind'>[]): DisputeState =>
  STATES[entries.findLast(({ kind }) => kind in STATES)?.kind ?? 'charge'] ?? 'none';

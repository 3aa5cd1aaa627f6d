import { formatMoney } from '#contract/rules/format.ts';
import type { Tx } from '../../../db/connect.ts';
import {
  closeIssue,
  disputeKey,
  openIssue,
  otherAmountKey,
  refundKey,
  unfinishedCheckoutKey,
  unknownChargeKey,
  type NewIssue,
} from '../../payment-issues/service.ts';
import {
  isRefundedAtProvider,
  parseChargeDetail,
  parseDisputeDetail,
  parseRefusedCharge,
} from '../ledger/ledger-entries.ts';
import type { CheckoutRow, LedgerEntry } from '../queries.ts';

type IssueChange = { do: 'open'; issue: NewIssue } | { do: 'close'; key: string; note: string };

/** Administrators know about every payment that isn't what the user agreed to. */
function* listAmountIssues(entry: LedgerEntry, facts: IssueFacts): Generator<IssueChange> {
  const { provider, chargeId, because } = facts;
  const key = otherAmountKey(provider, chargeId);
  if (entry.kind === 'charge' && parseChargeDetail(entry).agreed !== undefined)
    yield { do: 'open', issue: { ...facts, key, kind: 'other-amount' } };
  if (entry.kind !== 'charge-refused') return;
  const refused = parseRefusedCharge(entry);
  if (refused === null)
    yield {
      do: 'open',
      issue: {
        ...facts,
        key: unknownChargeKey(provider, chargeId),
        kind: 'unknown-charge',
        because: `${because} It was not refunded.`,
      },
    };
  else if (!refused.isCouponSpent)
    yield {
      do: 'open',
      issue: {
        ...facts,
        key,
        kind: 'other-amount',
        reference: refused.reference,
        because: `${because} It is refunded in full.`,
      },
    };
}

type IssueFacts = {
  userId: string;
  provider: string;
  chargeId: string;
  amount: number | null;
  currency: string | null;
  because: string;
};

function* listIssueChanges(entry: LedgerEntry): Generator<IssueChange> {
  const { kind, provider, charge_id: chargeId, detail } = entry;
  if (provider === null || chargeId === null) return;
  const { user_id: userId, amount, currency, because } = entry;
  const facts = { userId, provider, chargeId, amount, currency, because };
  if (kind === 'charge')
    yield { do: 'close', key: unknownChargeKey(provider, chargeId), note: 'It was recorded.' };
  yield* listAmountIssues(entry, facts);
  if (isRefundedAtProvider(entry))
    yield {
      do: 'open',
      issue: {
        ...facts,
        key: refundKey(provider, chargeId),
        kind: 'refund-at-provider',
        because: `${because} What still renews is cancelled.`,
      },
    };
  const key = disputeKey(provider, chargeId);
  const dueAt = parseDisputeDetail(detail)?.respondBy ?? null;
  if (kind === 'dispute') yield { do: 'open', issue: { ...facts, key, kind: 'dispute', dueAt } };
  if (kind === 'dispute-won') yield { do: 'close', key, note: 'Won.' };
  if (kind === 'dispute-lost') yield { do: 'close', key, note: 'Lost.' };
}

/** Opens and closes the issues of entries that are appended in the same transaction. */
export async function recordIssues(tx: Tx, newEntries: readonly LedgerEntry[], now: number) {
  for (const entry of newEntries)
    for (const change of listIssueChanges(entry))
      if (change.do === 'open') await openIssue(tx, change.issue, now);
      else await closeIssue(tx, change.key, change.note, now);
}

export const openUnfinishedIssue = (tx: Tx, row: CheckoutRow, now: number) =>
  openIssue(
    tx,
    {
      key: unfinishedCheckoutKey(row.reference),
      kind: 'payment-without-subscription',
      userId: row.user_id,
      provider: row.provider,
      reference: row.reference,
      amount: row.amount,
      currency: row.currency,
      because: `${formatMoney(row.amount, row.currency)} was paid for the ${row.plan} plan, but the provider has no subscription for it. After a day we try to create one; if that fails, the payment is refunded.`,
    },
    now,
  );

export const closeUnfinishedIssue = (
  tx: Tx,
  { reference }: Pick<CheckoutRow, 'reference'>,
  note: string,
  now: number,
) => closeIssue(tx, unfinishedCheckoutKey(reference), note, now);

import type { Calendar } from '../../../ports/payments/payments.ts';
import { parseRefusedCharge } from '../ledger/ledger-entries.ts';
import { findPeriods } from '../ledger/paid-through.ts';
import type { InvoiceRow, LedgerEntry, SubscriptionRow } from '../queries.ts';
import type { PlannedMessage } from './write-message.ts';

/** Whether the last payment was for a year, here or at the provider that the subscription came from. */
export const isPaidForYear = (ledger: readonly LedgerEntry[], calendar: Calendar): boolean =>
  findPeriods(ledger, calendar).findLast(
    ({ entry: { kind, subscription_id } }) =>
      kind === 'charge' || (kind === 'grant' && subscription_id !== null),
  )?.entry.plan === 'annual';

type BillingState = {
  /** The entries just appended, and the whole ledger with them. */
  newEntries: readonly LedgerEntry[];
  ledger: readonly LedgerEntry[];
  subscription: SubscriptionRow | null;
  paidThrough: number | null;
  invoices: readonly InvoiceRow[];
  now: number;
  calendar: Calendar;
};

/** A payment that arrived and goes back. */
function* planForRefusal(entry: LedgerEntry): Generator<PlannedMessage> {
  const { provider, charge_id, amount, currency } = entry;
  const refused = parseRefusedCharge(entry);
  if (!refused || amount === null || !currency) return;
  const key = `refused:${provider}:${charge_id}`;
  yield { key, message: { kind: 'refused', amount, currency, why: refused.why } };
}

/** The site charged much later than planned: the dates on the receipt need a word. */
function* planForLateCharge(
  { charge_id, provider, seq }: LedgerEntry,
  { ledger, calendar }: BillingState,
): Generator<PlannedMessage> {
  const periods = findPeriods(ledger, calendar);
  const index = periods.findIndex(({ entry }) => entry.seq === seq);
  const [before, period] = [periods[index - 1], periods[index]];
  if (!before || !period || before.entry.subscription_id !== period.entry.subscription_id) return;
  if (period.entry.subscription_id === null || period.from <= before.to) return;
  const { from, to: until } = period;
  const message = { kind: 'late-charge' as const, due: before.to, from, until };
  yield { key: `late-charge:${provider}:${charge_id}`, message };
}

/** The messages about entries that were just appended. Planning again gives the same keys. */
export function planMessages(state: BillingState): PlannedMessage[] {
  return state.newEntries.flatMap((entry) => [...planForEntry(entry, state)]);
}

function* planForEntry(entry: LedgerEntry, state: BillingState): Generator<PlannedMessage> {
  const { paidThrough, now, subscription } = state;
  const isPaidFor = paidThrough !== null && now < paidThrough;
  const { kind, subscription_id: id, charge_id: chargeId, provider, plan } = entry;
  if (kind === 'subscribed' && plan) {
    yield { key: `welcome:${id}`, message: { kind: 'welcome', plan } };
    if (subscription?.method_id === null && paidThrough !== null)
      yield { key: `card-not-kept:${id}`, message: { kind: 'card-not-kept', until: paidThrough } };
  }
  const invoice = state.invoices.find(
    (one) => one.charge_id === chargeId && one.provider === provider,
  );
  if (kind === 'charge' && invoice)
    yield { key: `receipt:${provider}:${chargeId}`, message: { kind: 'receipt', invoice } };
  if (kind === 'charge') yield* planForLateCharge(entry, state);
  if (kind === 'cancelled')
    yield {
      key: `cancelled:${id}:${paidThrough}`,
      message: { kind: 'cancelled', until: isPaidFor ? paidThrough : null },
    };
  yield* planForRefusal(entry);
}

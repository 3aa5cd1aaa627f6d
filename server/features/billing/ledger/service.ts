import type { Tx } from '../../../db/connect.ts';
import type { Deps } from '../../../deps.ts';
import type { Calendar, Payout } from '../../../ports/payments/payments.ts';
import { recordDeparture } from '../../departures/service.ts';
import { updatePaymentFigures } from '../../rollups/service.ts';
import { askProvider } from '../ask-provider.ts';
import { findRunningSubscription, listLedgerEntries, type LedgerEntry } from '../queries.ts';
import { endSubscription, updateSubscription } from '../subscriptions/change-state.ts';
import { appendEntry, buildLedgerEntry, type LedgerContext } from './ledger-entries.ts';
import { readPaidHistory } from './paid-history.ts';
import { findAccessEnd, findPeriods, type AccessEntry } from './paid-through.ts';

export { lockKnownAccount } from '../queries.ts';
export { addToMonth, findClosedMonth, lockClosedMonth, setClosedMonth } from './booking.ts';
export {
  formatInvoiceNumber,
  formatNoteNumber,
  getCreditNote,
  getMemberInvoice,
  hasTaxInvoices,
  listInvoicesOf,
} from './invoices.ts';
export {
  appendEntry,
  buildLedgerEntry,
  toLedgerContext,
  type NewLedgerEntry,
} from './ledger-entries.ts';

/** What the provider in use paid out from `from` until before `to`, oldest first. */
export async function listPayouts(
  deps: Deps,
  span: { from: number; to: number },
): Promise<Payout[]> {
  const payouts = await askProvider(deps, () => deps.payments.listPayouts(span));
  return payouts.toSorted((a, b) => a.at - b.at);
}

/** When the paid time ends; null when no entry counts. */
export const findPaidThrough = (
  entries: readonly AccessEntry[],
  calendar: Calendar,
): number | null => findPeriods(entries, calendar).at(-1)?.to ?? null;

/** When the access of someone ended who has none; null if they never had any. */
export const readAccessEnd = async (
  { database, payments }: Pick<Deps, 'database' | 'payments'>,
  userId: string,
  graceMs: number,
): Promise<number | null> =>
  findAccessEnd(await listLedgerEntries(database.db, userId), {
    calendar: payments.calendar,
    graceMs,
  });

/** Free access, from an administrator or for a demo account. */
export const grantAccess = (
  tx: Tx,
  userId: string,
  { until, reason, actor }: { until: number; reason: string; actor: string },
  context: LedgerContext,
) =>
  appendEntry(
    tx,
    userId,
    buildLedgerEntry('grant', context.now, reason, { until, actor }),
    context,
  );

/** Ends all paid and granted access now, without a grace period, and stops further charges. */
export async function endAccess(
  tx: Tx,
  userId: string,
  cause: { reason: string; actor: string },
  context: LedgerContext,
) {
  const { reason, actor } = cause;
  await appendEntry(tx, userId, buildLedgerEntry('end', context.now, reason, { actor }), context);
  const running = await findRunningSubscription(tx, userId);
  if (!running) return;
  await updateSubscription(tx, running.id, { cancelled_at: context.now }, context.now);
  await endSubscription(tx, running, { ...cause, left: { way: 'ended' } }, context);
}

/** Counts ledgers that were inserted directly in the site's figures. */
export const countNewLedgers = (
  tx: Tx,
  ledgers: readonly (readonly LedgerEntry[])[],
  { calendar, timeZone }: { calendar: Calendar; timeZone: string },
) =>
  updatePaymentFigures(tx, {
    before: [],
    after: ledgers.flatMap((ledger) => {
      const [first] = ledger;
      return first ? [readPaidHistory(first.user_id, ledger, calendar)] : [];
    }),
    timeZone,
  });

/** A deleted account stops paying now; its earlier payments stay in the site's figures. */
export async function endPaidPeriods(
  tx: Tx,
  { clock, config, payments }: Pick<Deps, 'clock' | 'config' | 'payments'>,
  userId: string,
) {
  const now = clock.now();
  const entries = await listLedgerEntries(tx, userId);
  const before = readPaidHistory(userId, entries, payments.calendar);
  const periods = before.periods
    .filter(({ from }) => from < now)
    .map((period) => ({ ...period, to: Math.min(period.to, now) }));
  const { timeZone } = config;
  await updatePaymentFigures(tx, { before: [before], after: [{ ...before, periods }], timeZone });
  const running = await findRunningSubscription(tx, userId);
  if (running)
    await recordDeparture(tx, running, { way: 'deleted' }, { now, timeZone, endsAt: now });
}

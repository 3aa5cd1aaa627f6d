import { formatDate, formatMoney } from '#contract/rules/format.ts';
import { CURRENCY } from '#contract/rules/plans.ts';
import type { Tx } from '../../../db/connect.ts';
import type { Deps } from '../../../deps.ts';
import { appendEntry, buildLedgerEntry, toLedgerContext } from '../ledger/ledger-entries.ts';
import type { SubscriptionRow } from '../queries.ts';
import { findNextPrice } from './next-price.ts';
import { listNoticesOf, useChange, type PriceNotice } from './queries.ts';

/** Closes what the member was told about this price and earlier ones. */
async function closeNotices(tx: Tx, notice: PriceNotice, startsAt: number, now: number) {
  const { change_id, user_id: userId, plan, provider } = notice;
  const told = tx
    .updateTable('price_change_members')
    .where('user_id', '=', userId)
    .where('state', '=', 'told');
  await told
    .set({ state: 'applied', starts_at: startsAt, updated_at: now })
    .where('change_id', '=', change_id)
    .execute();
  await told
    .set({ state: 'replaced', updated_at: now })
    .where('change_id', 'in', (select) =>
      select
        .selectFrom('price_changes')
        .select('id')
        .where('plan', '=', plan)
        .where('provider', '=', provider)
        .where('id', '<', change_id),
    )
    .execute();
}

/** What a payment that is written now costs. A new price becomes the subscription's with it. */
export async function usePrice(tx: Tx, deps: Deps, row: SubscriptionRow): Promise<number> {
  const context = toLedgerContext(deps);
  const { now, calendar, timeZone } = context;
  if (row.user_id === null) return row.next_amount;
  const notices = await listNoticesOf(tx, row.user_id);
  const { amount, notice } = findNextPrice(row, notices, calendar);
  if (!notice) return amount;
  // Cancelled a moment ago: the price stays.
  if (!(await useChange(tx, notice.change_id, now))) return row.next_amount;
  await closeNotices(tx, notice, row.next_at, now);
  if (amount === row.next_amount && amount === row.amount) return amount;
  await tx
    .updateTable('subscriptions')
    .set({ next_amount: amount, ...(row.next_plan === null && { amount }) })
    .where('id', '=', row.id)
    .execute();
  const day = formatDate(row.next_at, timeZone);
  const money = (cents: number) => formatMoney(cents, CURRENCY);
  const because = `From ${day} the ${notice.plan} plan costs ${money(amount)} instead of ${money(notice.old_amount)}.`;
  const facts = { provider: row.provider, plan: notice.plan, subscription_id: row.id };
  const entry = buildLedgerEntry('price-changed', now, because, facts);
  await appendEntry(tx, row.user_id, entry, context);
  return amount;
}

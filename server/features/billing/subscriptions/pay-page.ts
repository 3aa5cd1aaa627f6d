import { CURRENCY } from '#contract/rules/plans.ts';
import type { Tx } from '../../../db/connect.ts';
import type { Deps } from '../../../deps.ts';
import { AppError } from '../../../http/app-error.ts';
import type { Viewer } from '../../../http/guards.ts';
import { lockAccount } from '../account-lock.ts';
import { askProvider } from '../ask-provider.ts';
import { REUSED_MS, settleOpenPages } from '../checkout/checkout.ts';
import { insertPage, openPage } from '../checkout/open-page.ts';
import { usePrice } from '../prices/use-price.ts';
import {
  findRunningSubscription,
  isOwing,
  type PaymentRow,
  type SubscriptionRow,
} from '../queries.ts';
import { describePlan } from './schedule.ts';

const findOpen = (tx: Tx, { id }: SubscriptionRow, page: Partial<PaymentRow>, since: number) =>
  tx
    .selectFrom('payments')
    .selectAll()
    .where('subscription_id', '=', id)
    .where('state', '=', 'open')
    .where('kind', '=', page.kind ?? 'card-check')
    .where('amount', '=', page.amount ?? 0)
    .where('created_at', '>', since)
    .executeTakeFirst();

/** What is owed, for its period; or a check of a new card that pays the next one. */
async function describePage(tx: Tx, deps: Deps, row: SubscriptionRow) {
  if (!isOwing(row)) return { kind: 'card-check' as const, amount: deps.payments.cardCheckAmount };
  const plan = row.next_plan ?? row.plan;
  const amount = await usePrice(tx, deps, row);
  return { kind: 'renewal' as const, amount, plan, period: row.period };
}

/** Null if a charge of the same payment is on its way: its outcome comes first. */
async function writePage(tx: Tx, deps: Deps, row: SubscriptionRow): Promise<PaymentRow | null> {
  const page = await describePage(tx, deps, row);
  const asked = await tx
    .selectFrom('payments')
    .select('reference')
    .where('subscription_id', '=', row.id)
    .where('state', 'in', ['asked', 'pending'])
    .executeTakeFirst();
  if (asked && page.kind === 'renewal') return null;
  const open = await findOpen(tx, row, page, deps.clock.now() - REUSED_MS);
  if (open) return open;
  const facts = { user_id: row.user_id, subscription_id: row.id, currency: CURRENCY };
  return insertPage(tx, deps, { ...page, ...facts });
}

/**
 * A payment page for another card. While a payment is owed, it is for what is owed, and the card that
 * pays it is kept; otherwise the card is only checked.
 */
export async function openCardPage(deps: Deps, viewer: Viewer): Promise<{ url: string }> {
  const { id: userId } = viewer.user;
  await settleOpenPages(deps, userId);
  const row = await deps.database.db.transaction().execute(async (tx) => {
    await lockAccount(tx, userId);
    const running = await findRunningSubscription(tx, userId);
    if (!running) throw new AppError('not_subscribed');
    const page = await writePage(tx, deps, running);
    if (!page) throw new AppError('payment_on_its_way');
    return { page, plan: running.next_plan ?? running.plan };
  });
  // Back from the page, paid or not, the member reads what became of it.
  const back = `/subscription?done=${row.page.kind}&reference=${row.page.reference}`;
  return askProvider(deps, () =>
    openPage(deps, viewer, row.page, {
      description: describePlan(row.plan, deps.config.siteName),
      successPath: back,
      cancelPath: back,
    }),
  );
}

/** Opens the page only if there is something to pay. */
export async function openOwedPage(deps: Deps, viewer: Viewer): Promise<{ url: string }> {
  const running = await findRunningSubscription(deps.database.db, viewer.user.id);
  if (!running || !isOwing(running)) throw new AppError('nothing_owed');
  return openCardPage(deps, viewer);
}

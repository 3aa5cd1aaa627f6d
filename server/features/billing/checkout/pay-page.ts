import type { Tx } from '../../../db/connect.ts';
import type { Deps } from '../../../deps.ts';
import { AppError } from '../../../http/route/app-error.ts';
import type { Viewer } from '../../../http/route/guards.ts';
import { applyPrice } from '../prices/next-price.ts';
import {
  findRunningSubscription,
  isOwing,
  lockAccount,
  type PaymentRow,
  type SubscriptionRow,
} from '../queries.ts';
import { describePlan } from '../subscriptions/schedule.ts';
import { settleOpenPages } from './checkout.ts';
import { findOpenPage, insertPage, openPage } from './open-page.ts';

/** What is owed, for its period; or a check of a new card that pays the next one. */
async function describePage(tx: Tx, deps: Deps, row: SubscriptionRow) {
  if (!isOwing(row)) return { kind: 'card-check' as const, amount: deps.payments.cardCheckAmount };
  const plan = row.next_plan ?? row.plan;
  const amount = await applyPrice(tx, deps, row);
  return { kind: 'renewal' as const, amount, plan, period: row.period };
}

/** While a charge of the same payment is on its way, its outcome comes first. */
async function refuseWhileAsked(tx: Tx, { id }: SubscriptionRow) {
  const asked = await tx
    .selectFrom('payments')
    .select('reference')
    .where('subscription_id', '=', id)
    .where('state', 'in', ['asked', 'pending'])
    .executeTakeFirst();
  if (asked) throw new AppError('payment_on_its_way');
}

const writePage = (deps: Deps, userId: string, isNew: boolean): Promise<PaymentRow> =>
  deps.database.db.transaction().execute(async (tx) => {
    await lockAccount(tx, userId);
    const running = await findRunningSubscription(tx, userId);
    if (!running) throw new AppError('not_subscribed');
    const page = await describePage(tx, deps, running);
    if (page.kind === 'renewal') await refuseWhileAsked(tx, running);
    const wanted = { ...page, user_id: userId, subscription_id: running.id };
    const open = isNew ? undefined : await findOpenPage(tx, deps, wanted);
    return open ?? insertPage(tx, deps, wanted);
  });

/**
 * A payment page for another card. While a payment is owed, it is for what is owed, and the card that
 * pays it is kept; otherwise the card is only checked.
 */
export async function openCardPage(
  deps: Deps,
  viewer: Viewer,
  { isForOwed = false } = {},
): Promise<{ url: string }> {
  const { id: userId, email } = viewer.user;
  await settleOpenPages(deps, userId);
  const running = await findRunningSubscription(deps.database.db, userId);
  if (isForOwed && !(running && isOwing(running))) throw new AppError('nothing_owed');
  if (!running) throw new AppError('not_subscribed');
  const description = describePlan(running.next_plan ?? running.plan, deps.config.siteName);
  const write = (isNew: boolean) => writePage(deps, userId, isNew);
  const { url } = await openPage(deps, email, write, ({ kind, reference }) => {
    // Back from the page, paid or not, the member reads what became of it.
    const back = `/subscription?done=${kind}&reference=${reference}`;
    return { description, successPath: back, cancelPath: back };
  });
  return { url };
}

import type { Subscription } from '#contract/billing.ts';
import type { Db, Tx } from '../../../db/connect.ts';
import { readSettings } from '../../../db/settings.ts';
import type { Deps } from '../../../deps.ts';
import { AppError } from '../../../http/route/app-error.ts';
import type { Viewer } from '../../../http/route/guards.ts';
import { PaymentsError } from '../../../ports/payments/payments.ts';
import { toLedgerContext } from '../ledger/ledger-entries.ts';
import { makeRefund } from './make-refund.ts';
import { requestRefund } from './refunds.ts';
import { hasWithdrawnBeforeDeletion } from '../privacy/used-offers-of-deleted-accounts.ts';
import { findSubscription, listLedgerEntries, lockAccount } from '../queries.ts';
import { findMethod } from '../subscriptions/cards.ts';
import { endSubscription, updateSubscription } from '../subscriptions/change-state.ts';
import {
  findWithdrawable,
  findWithdrawal,
  getSubscription,
  WITHDRAWN,
  type WithdrawablePayment,
} from '../subscriptions/service.ts';

/** Null if the provider doesn't say which card it was. */
async function readCardHash(db: Db, { subscriptionId }: WithdrawablePayment) {
  const subscription = await findSubscription(db, subscriptionId);
  return (await findMethod(db, subscription?.method_id ?? null))?.fingerprint_hash ?? null;
}

async function getWithdrawable({ payments, clock }: Deps, tx: Db, userId: string) {
  const now = clock.now();
  const { coolingOffDays } = await readSettings(tx, now);
  const ledger = await listLedgerEntries(tx, userId);
  const { name: provider, calendar } = payments;
  const found = findWithdrawable(ledger, { provider, coolingOffDays, calendar, now });
  if (!found) throw new AppError('withdrawal_over');
  return found;
}

/** Each card once, in any account. */
async function claimCard(tx: Tx, cardHash: string, now: number): Promise<void> {
  const claimed = await tx
    .insertInto('withdrawn_cards')
    .values({ card_hash: cardHash, at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('card_hash')
    .executeTakeFirst();
  if (!claimed) throw new AppError('withdrawal_over');
}

/** The subscription ends with the request, in one transaction with the job that makes the refund. */
async function requestWithdrawal(deps: Deps, userId: string): Promise<void> {
  const { database, payments } = deps;
  const context = toLedgerContext(deps);
  const { now } = context;
  if (await hasWithdrawnBeforeDeletion(database.db, userId)) throw new AppError('withdrawal_over');
  await database.db.transaction().execute(async (tx) => {
    await lockAccount(tx, userId);
    // The same request from another tab.
    if (await findWithdrawal(tx, userId)) return;
    const found = await getWithdrawable(deps, tx, userId);
    const { chargeId: charge_id, subscriptionId, amount } = found;
    const cardHash = await readCardHash(tx, found);
    if (cardHash !== null) await claimCard(tx, cardHash, now);
    const row = await findSubscription(tx, subscriptionId);
    if (row && row.status !== 'ended') {
      await updateSubscription(tx, row.id, { cancelled_at: now }, now);
      await endSubscription(tx, row, { ...WITHDRAWN, left: { way: 'withdrew' } }, context);
    }
    const payment = { provider: payments.name, charge_id, amount, user_id: userId };
    const refund = { ...payment, key: `withdrawal:${charge_id}`, why: 'withdrawal' as const };
    await requestRefund(tx, refund, { now, isMadeAtOnce: true });
  });
}

/** Cancels within the cooling-off period and refunds the payment. It counts from the request on. */
export async function withdraw(deps: Deps, viewer: Viewer): Promise<Subscription> {
  const { id: userId } = viewer.user;
  const { db } = deps.database;
  const before = await findWithdrawal(db, userId);
  if (before && before.done_at !== null) throw new AppError('withdrawal_over');
  if (!before) await requestWithdrawal(deps, userId);
  const row = await findWithdrawal(db, userId);
  try {
    if (row && row.done_at === null) {
      const { provider, charge_id: chargeId, key } = row;
      await makeRefund(deps, { provider, chargeId, key });
    }
  } catch (error) {
    if (!(error instanceof PaymentsError)) throw error;
    // The request is stored; the job goes on with it until the money is back.
    deps.log.error({ err: error }, 'The provider did not complete a withdrawal yet.');
  }
  return getSubscription(deps, viewer);
}

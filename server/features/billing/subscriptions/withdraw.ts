import { z } from 'zod';
import type { Subscription } from '#contract/billing.ts';
import { DAY, MINUTE } from '#contract/rules/time.ts';
import type { Db, Tx } from '../../../db/connect.ts';
import { readSettings } from '../../../db/settings.ts';
import type { Deps } from '../../../deps.ts';
import { AppError } from '../../../http/app-error.ts';
import type { Viewer } from '../../../http/guards.ts';
import { countAttemptsWithin } from '../../../jobs/backoff.ts';
import { defineJob } from '../../../jobs/define-job.ts';
import { enqueue, takeWaiting } from '../../../jobs/queue.ts';
import { PaymentsError } from '../../../ports/payments/payments.ts';
import { lockAccount } from '../account-lock.ts';
import { settleCharge } from '../checkout/settle-payment.ts';
import {
  appendEntry,
  buildLedgerEntry,
  toLedgerContext,
  type LedgerContext,
} from '../ledger/ledger-entries.ts';
import { hasWithdrawnBeforeDeletion } from '../privacy/used-offers-of-deleted-accounts.ts';
import { findPaidThroughOf, findSubscription, listLedgerEntries } from '../queries.ts';
import { refundCharge } from '../ledger/refunds.ts';
import { findMethod } from './cards.ts';
import { endSubscription, updateSubscription } from './change-state.ts';
import {
  findWithdrawable,
  findWithdrawal,
  getSubscription,
  WITHDRAWN,
  type WithdrawablePayment,
} from './service.ts';

/** The request itself does the work; the job only finishes what it leaves undone. */
const FINISH_MS = 2 * MINUTE;
/** The member was promised the money: after this long an administrator has to step in. */
const RETRY_MS = 60 * DAY;

/** Without the user, so that deleting the account doesn’t stop the refund. */
const Withdrawal = z.object({
  provider: z.string(),
  chargeId: z.string(),
  amount: z.int(),
});
type Withdrawal = z.infer<typeof Withdrawal>;

const toKey = (chargeId: string): string => `withdrawal:${chargeId}`;

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

/** The subscription ends with the request, in one transaction with the job that completes the refund. */
async function requestWithdrawal(deps: Deps, userId: string): Promise<void> {
  const { database, payments } = deps;
  const context = toLedgerContext(deps);
  const { now } = context;
  if (await hasWithdrawnBeforeDeletion(database.db, userId)) throw new AppError('withdrawal_over');
  await database.db.transaction().execute(async (tx) => {
    await lockAccount(tx, userId);
    const found = await getWithdrawable(deps, tx, userId);
    const { chargeId, subscriptionId, amount, currency } = found;
    const inserted = await tx
      .insertInto('withdrawals')
      .values({
        user_id: userId,
        provider: payments.name,
        subscription_id: subscriptionId,
        charge_id: chargeId,
        amount,
        currency,
        requested_at: now,
        done_at: null,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('user_id')
      .executeTakeFirst();
    // The same request from another tab.
    if (!inserted) return;
    const cardHash = await readCardHash(tx, found);
    if (cardHash !== null) await claimCard(tx, cardHash, now);
    const row = await findSubscription(tx, subscriptionId);
    if (row && row.status !== 'ended') {
      await updateSubscription(tx, row.id, { cancelled_at: now }, now);
      await endSubscription(tx, row, WITHDRAWN, context);
    }
    await enqueue(
      tx,
      finishWithdrawalJob,
      { provider: payments.name, chargeId, amount },
      { now, runAt: now + FINISH_MS, uniqueKey: toKey(chargeId) },
    );
  });
}

/** May be repeated, so that after a crash anywhere it runs again. */
const refund = (deps: Deps, withdrawal: Withdrawal): Promise<void> =>
  refundCharge(deps, { ...withdrawal, key: toKey(withdrawal.chargeId) });

/** What others paid for stays, such as a gift; the grace days of a trial don’t. */
async function endGrace(tx: Tx, userId: string, context: LedgerContext): Promise<void> {
  const paidThrough = await findPaidThroughOf(tx, userId);
  if (paidThrough === null || paidThrough > context.now) return;
  const entry = buildLedgerEntry('end', context.now, WITHDRAWN.because, { actor: 'user' });
  await appendEntry(tx, userId, entry, context);
}

async function recordWithdrawal(deps: Deps, userId: string, chargeId: string): Promise<void> {
  await settleCharge(deps, chargeId);
  const context = toLedgerContext(deps);
  await deps.database.db.transaction().execute(async (tx) => {
    const done = await tx
      .updateTable('withdrawals')
      .set({ done_at: context.now })
      .where('user_id', '=', userId)
      .where('done_at', 'is', null)
      .returning('user_id')
      .executeTakeFirst();
    if (done) await endGrace(tx, userId, context);
    await takeWaiting(tx, toKey(chargeId));
  });
  deps.jobs.wake();
}

/** Completes what a crash or an outage of the provider interrupted, even for a deleted account. */
export const finishWithdrawalJob = defineJob({
  name: 'finish-withdrawal',
  lane: 'payments',
  payload: Withdrawal,
  maxAttempts: countAttemptsWithin(RETRY_MS),
  run: async (deps: Deps, withdrawal) => {
    const { provider, chargeId } = withdrawal;
    const row = await deps.database.db
      .selectFrom('withdrawals')
      .select('user_id')
      .where('provider', '=', provider)
      .where('charge_id', '=', chargeId)
      .executeTakeFirst();
    await refund(deps, withdrawal);
    if (row) await recordWithdrawal(deps, row.user_id, chargeId);
  },
});

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
      const { provider, charge_id: chargeId, amount } = row;
      await refund(deps, { provider, chargeId, amount });
      await recordWithdrawal(deps, userId, chargeId);
    }
  } catch (error) {
    if (!(error instanceof PaymentsError)) throw error;
    // The request is stored; the job goes on with it until the money is back.
    deps.log.error({ err: error }, 'The provider did not complete a withdrawal yet.');
  }
  return getSubscription(deps, viewer);
}

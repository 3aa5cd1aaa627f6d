import { formatMoney } from '#contract/rules/format.ts';
import { DAY, HOUR, MINUTE } from '#contract/rules/time.ts';
import type { Db, Tx } from '../../../db/connect.ts';
import type { RefundRequestsTable } from '../../../db/types/billing-tables.ts';
import type { Deps } from '../../../deps.ts';
import { countAttemptsWithin } from '../../../jobs/backoff.ts';
import { enqueue, takeWaiting } from '../../../jobs/queue.ts';
import {
  failure,
  isRefusal,
  isUnauthorized,
  type PaymentState,
} from '../../../ports/payments/payments.ts';
import { closeIssue, openIssue, refundFailedKey } from '../../payment-issues/service.ts';
import { enqueueMessages } from '../billing-mail/send-messages.ts';
import { updatePayment } from '../checkout/open-page.ts';
import { formatNoteNumber } from '../ledger/invoices.ts';
import { enqueueGiftMail } from '../pay-once/gift-mail.ts';
import { findPayment, type PaymentRow } from '../queries.ts';

export type RefundRow = RefundRequestsTable;
export type RefundId = { provider: string; chargeId: string; key: string };

/** Longer than a provider takes to answer, and to show a refund whose answer was lost. */
const LEASE_MS = 1.5 * MINUTE;
/** Someone's money that isn't ours: after this long an administrator has to step in. */
const RETRY_MS = 60 * DAY;
/** Whoever makes a refund at once has that long before the job does it. */
const FINISH_MS = 3 * MINUTE;

/** What `make-refund.ts` runs. */
export const refundJob = {
  name: 'make-refund',
  lane: 'payments' as const,
  maxAttempts: countAttemptsWithin(RETRY_MS),
  encode: (id: RefundId): string => JSON.stringify(id),
};

const toJobKey = ({ key }: Pick<RefundId, 'key'>): string => `refund:${key}`;

export const findRefund = (db: Db, { provider, chargeId, key }: RefundId) =>
  db
    .selectFrom('refund_requests')
    .selectAll()
    .where((where) => where.and({ provider, charge_id: chargeId, key }))
    .executeTakeFirst();

export const updateRefund = (
  db: Db,
  { provider, charge_id, key }: RefundRow,
  values: Partial<RefundRow>,
) =>
  db
    .updateTable('refund_requests')
    .set(values)
    .where((where) => where.and({ provider, charge_id, key }));

type NewRefund = Pick<RefundRow, 'provider' | 'charge_id' | 'key' | 'amount' | 'why'> &
  Partial<RefundRow>;

/**
 * In the transaction that decides it, with the job that makes it. Asking again for the same refund
 * makes it once.
 */
export async function requestRefund(
  tx: Tx,
  refund: NewRefund,
  { now, isMadeAtOnce }: { now: number; isMadeAtOnce: boolean },
): Promise<RefundId> {
  const { provider, charge_id: chargeId, key } = refund;
  const { done_at } = await tx
    .insertInto('refund_requests')
    .values({
      user_id: null,
      action_id: null,
      ends_subscription: 0,
      lease_until: null,
      requested_at: now,
      accepted_at: null,
      done_at: null,
      ...refund,
    })
    .onConflict((conflict) =>
      conflict.columns(['provider', 'charge_id', 'key']).doUpdateSet({ key }),
    )
    .returning('done_at')
    .executeTakeFirstOrThrow();
  const id = { provider, chargeId, key };
  const runAt = isMadeAtOnce ? now + FINISH_MS : now;
  if (done_at === null) await enqueue(tx, refundJob, id, { now, runAt, uniqueKey: toJobKey(id) });
  return id;
}

/** It is done, or the provider has refused it: the job has nothing left to do. */
export const dropRefundJob = (tx: Tx, id: Pick<RefundId, 'key'>) => takeWaiting(tx, toJobKey(id));

/** The provider won't make it. Returns false if it has accepted it before. */
export async function dropRefund(tx: Tx, id: RefundId): Promise<boolean> {
  const row = await findRefund(tx, id);
  if (row && row.accepted_at !== null) return false;
  await dropRefundJob(tx, id);
  // A refusal of what was asked before may mean that it has been refunded.
  if (row?.lease_until === null)
    await tx
      .deleteFrom('refund_requests')
      .where((where) =>
        where.and({ provider: row.provider, charge_id: row.charge_id, key: row.key }),
      )
      .execute();
  return true;
}

/**
 * Asks the provider for a refund. The row is a lease: two processes never ask for the same refund at
 * once, which not every provider would notice. If the answer is lost, the lease lasts until the provider
 * shows the refund.
 */
export async function askForRefund(deps: Deps, row: RefundRow, amount: number): Promise<void> {
  const { provider, charge_id: chargeId, key, lease_until } = row;
  const { db } = deps.database;
  const now = deps.clock.now();
  if (provider !== deps.payments.name)
    throw new Error(`Refund ${chargeId} by hand: the site no longer uses ${provider}.`);
  const claimed = await updateRefund(db, row, { lease_until: now + LEASE_MS })
    .where('accepted_at', 'is', null)
    .where((where) => where.or([where('lease_until', 'is', null), where('lease_until', '<=', now)]))
    .returning('key')
    .executeTakeFirst();
  if (!claimed) throw failure('This refund is under way, and its result isn’t known yet.');
  try {
    await deps.payments.refund({ chargeId, amount, key });
  } catch (error) {
    // Nothing was done: whoever asks next need not wait.
    if (isRefusal(error) || isUnauthorized(error))
      await updateRefund(db, row, { lease_until }).execute();
    throw error;
  }
  await updateRefund(db, row, { accepted_at: deps.clock.now() }).execute();
}

/** How much of a charge the site has asked to refund, in cents. */
export async function sumRefundRequests(
  db: Db,
  { provider, chargeId }: Pick<RefundId, 'provider' | 'chargeId'>,
): Promise<number> {
  const rows = await db
    .selectFrom('refund_requests')
    .select('amount')
    .where((where) => where.and({ provider, charge_id: chargeId }))
    .where('lease_until', 'is not', null)
    .execute();
  return rows.reduce((sum, { amount }) => sum + amount, 0);
}

/** It paid for nothing: it was refused, only checked a card, or its account is gone. */
const goesBack = ({ state, kind, user_id }: PaymentRow): boolean =>
  state === 'refused' || kind === 'card-check' || (user_id === null && state !== 'paid');

/** What is left of a payment that must not be kept. */
export const findLeft = ({ status, amount, refunded, dispute }: PaymentState): number =>
  status === 'paid' && dispute === null ? amount - refunded : 0;

/** The number of the payment's newest credit note, and whether its member withdrew from it. */
async function describeRefund(db: Db, { provider, chargeId }: Omit<RefundId, 'key'>) {
  const note = await db
    .selectFrom('credit_notes')
    .innerJoin('invoices', 'invoices.id', 'credit_notes.invoice_id')
    .select(['credit_notes.kind', 'credit_notes.number'])
    .where('invoices.provider', '=', provider)
    .where('invoices.charge_id', '=', chargeId)
    .where('credit_notes.kind', '=', 'credit')
    .orderBy('credit_notes.number', 'desc')
    .limit(1)
    .executeTakeFirst();
  const withdrawal = await db
    .selectFrom('refund_requests')
    .select('key')
    .where((where) => where.and({ provider, charge_id: chargeId, why: 'withdrawal' }))
    .executeTakeFirst();
  return {
    creditNote: note ? formatNoteNumber(note) : null,
    isWithdrawal: withdrawal !== undefined,
  };
}

/** Whoever paid hears of a refund, unless another mail already mentions it, and of one that failed. */
async function tellPayer(tx: Tx, deps: Deps, row: PaymentRow, state: PaymentState) {
  const { provider, reference, user_id: userId } = row;
  const { chargeId, currency, refunded } = state;
  const isFailed = refunded < row.refunded;
  if (chargeId === null || (goesBack(row) && !isFailed)) return;
  const amount = Math.abs(refunded - row.refunded);
  const key = `${provider}:${chargeId}:${refunded}:${row.failed_refunds}`;
  if (userId !== null) {
    const money = { amount, currency };
    const message = isFailed
      ? { kind: 'refund-failed' as const, ...money }
      : {
          kind: 'refund' as const,
          ...money,
          ...(await describeRefund(tx, { provider, chargeId })),
        };
    return enqueueMessages(tx, deps, userId, [{ key: `${message.kind}:${key}`, message }]);
  }
  const gift = await tx
    .selectFrom('gifts')
    .select('id')
    .where('reference', '=', reference)
    .executeTakeFirst();
  const kind = isFailed ? ('refund-failed' as const) : ('refunded' as const);
  if (gift) await enqueueGiftMail(tx, { giftId: gift.id, kind, key, amount }, deps.clock.now());
}

/** More or less of it has gone back than at the last look: those who have to know are told once. */
async function noteChange(tx: Tx, deps: Deps, row: PaymentRow, state: PaymentState) {
  const now = deps.clock.now();
  const { provider, reference, user_id: userId } = row;
  const { chargeId, refunded, currency } = state;
  if (chargeId === null || refunded === row.refunded) return;
  const isFailed = refunded < row.refunded;
  const failed_refunds = row.failed_refunds + (isFailed ? 1 : 0);
  const noted = await tx
    .updateTable('payments')
    .set({ refunded, failed_refunds })
    .where('reference', '=', reference)
    .where('refunded', '=', row.refunded)
    .returning('reference')
    .executeTakeFirst();
  if (!noted) return;
  const key = refundFailedKey(provider, chargeId);
  const amount = Math.abs(refunded - row.refunded);
  const reason = `A refund of ${formatMoney(amount, currency)} failed at the bank.`;
  const facts = { userId, provider, chargeId, reference, amount, currency, reason };
  if (isFailed) await openIssue(tx, { key, kind: 'refund-failed', ...facts }, now);
  else await closeIssue(tx, key, 'It was refunded again.', now);
  await tellPayer(tx, deps, row, state);
}

/** What must not be kept is looked at every hour until all of it has gone back. */
async function requestReturn(tx: Tx, row: PaymentRow, state: PaymentState, now: number) {
  const { provider, failed_refunds } = row;
  const { chargeId: charge_id } = state;
  const amount = goesBack(row) ? findLeft(state) : 0;
  const isWaiting = amount > 0 && state.at > now - RETRY_MS;
  await updatePayment(tx, row, { check_at: isWaiting ? now + HOUR : null }, now);
  if (amount === 0 || charge_id === null) return;
  // A refund that the bank sent back is followed by another.
  const key = `return:${charge_id}:${failed_refunds}`;
  const refund = { provider, charge_id, key, amount, why: 'refused' as const };
  await requestRefund(tx, refund, { now, isMadeAtOnce: false });
}

/** At every look at a payment, after what it paid for was decided. */
export async function followRefunds(
  tx: Tx,
  deps: Deps,
  { reference }: Pick<PaymentRow, 'reference'>,
  state: PaymentState,
): Promise<void> {
  const row = await findPayment(tx, reference);
  if (!row) return;
  await noteChange(tx, deps, row, state);
  const noted = await findPayment(tx, reference);
  if (noted) await requestReturn(tx, noted, state, deps.clock.now());
}

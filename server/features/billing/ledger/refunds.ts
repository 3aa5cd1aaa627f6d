import { z } from 'zod';
import { DAY, HOUR, MINUTE } from '#contract/rules/time.ts';
import type { Db, Tx } from '../../../db/connect.ts';
import type { Deps } from '../../../deps.ts';
import { countAttemptsWithin } from '../../../jobs/backoff.ts';
import { defineJob } from '../../../jobs/define-job.ts';
import { enqueue } from '../../../jobs/queue.ts';
import {
  failure,
  isRefusal,
  isUnauthorized,
  type PaymentState,
  type RefundRequest,
} from '../../../ports/payments/payments.ts';
import { updatePayment } from '../checkout/open-page.ts';
import { findPayment, type PaymentRow } from '../queries.ts';

type RefundDeps = Pick<Deps, 'database' | 'payments' | 'clock'>;

/** Longer than a provider takes to answer, and to show a refund whose answer was lost. */
const LEASE_MS = 1.5 * MINUTE;

type Refund = RefundRequest & { provider: string };

/** Returns whether the request is new. Throws while someone else asks for the same refund. */
async function claimRequest(
  { database, clock }: RefundDeps,
  { provider, chargeId: charge_id, amount, key }: Refund,
): Promise<boolean> {
  const now = clock.now();
  const lease_until = now + LEASE_MS;
  const inserted = await database.db
    .insertInto('refund_requests')
    .values({ provider, charge_id, key, amount, lease_until, requested_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('key')
    .executeTakeFirst();
  if (inserted) return true;
  const claimed = await database.db
    .updateTable('refund_requests')
    .set({ lease_until })
    .where((where) => where.and({ provider, charge_id, key }))
    .where((where) => where.or([where('lease_until', 'is', null), where('lease_until', '<=', now)]))
    .returning('key')
    .executeTakeFirst();
  if (!claimed) throw failure('This refund is under way, and its result isn’t known yet.');
  return false;
}

/**
 * Asks the provider for a refund. The request is stored first: two processes never ask for the same
 * refund at once, which not every provider would notice, and a refund made here can be told from one
 * made at the provider. If the answer is lost, the lease lasts until the provider shows the refund.
 */
export async function refundCharge(deps: RefundDeps, refund: Refund): Promise<void> {
  const { provider, chargeId, amount, key } = refund;
  const { db } = deps.database;
  if (provider !== deps.payments.name)
    throw new Error(`Refund ${chargeId} by hand: the site no longer uses ${provider}.`);
  const own = { provider, charge_id: chargeId, key };
  const release = () =>
    db
      .updateTable('refund_requests')
      .set({ lease_until: null })
      .where((where) => where.and(own))
      .execute();
  const isNew = await claimRequest(deps, refund);
  try {
    await deps.payments.refund({ chargeId, amount, key });
  } catch (error) {
    // A refusal of an earlier request may mean that it has been refunded.
    if (isRefusal(error) && isNew)
      await db
        .deleteFrom('refund_requests')
        .where((where) => where.and(own))
        .execute();
    else if (isRefusal(error) || isUnauthorized(error)) await release();
    throw error;
  }
  await release();
}

/** The provider has accepted this very request; it may take a while to show the refund. */
async function isRequested(
  db: Db,
  provider: string,
  { chargeId, key }: Pick<RefundRequest, 'chargeId' | 'key'>,
): Promise<boolean> {
  const row = await db
    .selectFrom('refund_requests')
    .select('lease_until')
    .where((where) => where.and({ provider, charge_id: chargeId, key }))
    .executeTakeFirst();
  return row?.lease_until === null;
}

/** How much of a charge the site has asked to refund, in cents. */
export async function sumRefundRequests(
  db: Db,
  { provider, chargeId }: Pick<Refund, 'provider' | 'chargeId'>,
): Promise<number> {
  const rows = await db
    .selectFrom('refund_requests')
    .select('amount')
    .where((where) => where.and({ provider, charge_id: chargeId }))
    .execute();
  return rows.reduce((sum, { amount }) => sum + amount, 0);
}

/** Someone's money that isn't ours: after this long an administrator has to step in. */
const RETRY_MS = 60 * DAY;

/** It paid for nothing: it was refused, only checked a card, or its account is gone. */
const goesBack = ({ state, kind, user_id }: PaymentRow): boolean =>
  state === 'refused' || kind === 'card-check' || (user_id === null && state !== 'paid');

const findLeft = ({ status, amount, refunded, dispute }: PaymentState): number =>
  status === 'paid' && dispute === null ? amount - refunded : 0;

/** One key per attempt: a refund that failed at the bank since then gets another one. */
async function nameAttempt({ database }: Deps, { provider }: PaymentRow, chargeId: string) {
  const { count } = await database.db
    .selectFrom('ledger_entries')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('provider', '=', provider)
    .where('charge_id', '=', chargeId)
    .where('kind', '=', 'refund')
    .executeTakeFirstOrThrow();
  return `return:${chargeId}:${count}`;
}

/** Gives back what must not be kept, and records it. */
export const returnPayment = defineJob({
  name: 'return-payment',
  lane: 'payments',
  payload: z.object({ reference: z.string() }),
  maxAttempts: countAttemptsWithin(RETRY_MS),
  run: async (deps: Deps, { reference }, job) => {
    const { database, payments } = deps;
    const row = await findPayment(database.db, reference);
    if (!row || row.provider !== payments.name || !goesBack(row)) return;
    const state = await payments.readPayment(reference, row.provider_id);
    const { chargeId } = state;
    const amount = findLeft(state);
    if (chargeId === null || amount <= 0) return;
    const key = await nameAttempt(deps, row, chargeId);
    if (await isRequested(database.db, row.provider, { chargeId, key })) return;
    await refundCharge(deps, { provider: row.provider, chargeId, amount, key });
    // The next look at the payment records it.
    const now = deps.clock.now();
    await job.finish((tx) => updatePayment(tx, row, { check_at: now }, now));
    deps.jobs.wake();
  },
});

/** In the transaction that decides it. It is looked at every hour until all of it has gone back. */
export async function requestReturn(
  tx: Tx,
  reference: string,
  state: PaymentState,
  now: number,
): Promise<void> {
  const row = await findPayment(tx, reference);
  if (!row) return;
  const isWaiting = goesBack(row) && findLeft(state) > 0;
  const isRecent = state.at > now - RETRY_MS;
  await updatePayment(tx, row, { check_at: isWaiting && isRecent ? now + HOUR : null }, now);
  if (isWaiting)
    await enqueue(tx, returnPayment, { reference }, { now, uniqueKey: `return:${reference}` });
}

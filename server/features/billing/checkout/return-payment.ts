import { z } from 'zod';
import { DAY, HOUR } from '#contract/rules/time.ts';
import type { Tx } from '../../../db/connect.ts';
import type { Deps } from '../../../deps.ts';
import { countAttemptsWithin } from '../../../jobs/backoff.ts';
import { defineJob } from '../../../jobs/define-job.ts';
import { enqueue } from '../../../jobs/queue.ts';
import type { PaymentState } from '../../../ports/payments/payments.ts';
import { isRequested, refundCharge } from '../ledger/refund-charge.ts';
import { findPayment, type PaymentRow } from '../queries.ts';
import { updatePayment } from './update-payment.ts';

/** Someone's money that isn't ours: after this long an administrator has to step in. */
const RETRY_MS = 60 * DAY;

/** It paid for nothing: it was refused, only checked a card, or its account is gone. */
export const goesBack = ({ state, kind, user_id }: PaymentRow): boolean =>
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
    await refundCharge(deps, { chargeId, amount, key });
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

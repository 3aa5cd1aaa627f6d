import { z } from 'zod';
import type { Db } from '../../db/connect.ts';
import type { Deps } from '../../deps.ts';
import { attemptsOver } from '../../jobs/backoff.ts';
import { defineJob } from '../../jobs/define-job.ts';
import { enqueue } from '../../jobs/queue.ts';
import { planCheck } from './plan-check.ts';
import { findAgreement, findCheckout } from './queries.ts';
import { DAY } from '#contract/rules/time.ts';

/** Somebody is charged as long as it does not work: what fails for so long is for a person to do. */
const PATIENCE_MS = 60 * DAY;
/** Providers close a page within days. */
const CHECKOUT_MS = 7 * DAY;

/** What became of it, for those rows whose member has left and whom nobody else asks about. */
async function keepStatus({ database, payments, clock }: Deps, agreementId: string) {
  const row = await findAgreement(database.db, payments.name, agreementId);
  if (!row || row.user_id !== null) return;
  const { agreement } = await payments.readAgreement(agreementId);
  const now = clock.now();
  const next = {
    status: agreement.status,
    next_charge_at: agreement.nextChargeAt,
    updated_at: now,
  };
  const isOver = agreement.status === 'ended';
  await database.db
    .updateTable('agreements')
    .set({
      ...next,
      check_at: isOver ? null : planCheck({ ...row, ...next }, now, payments.calendar),
    })
    .where('id', '=', row.id)
    .execute();
}

/** Cancels what must not be charged again: its member has left, or lost access by decision. */
export const endAgreement = defineJob({
  name: 'end-agreement',
  payload: z.object({ provider: z.string(), agreementId: z.string() }),
  maxAttempts: attemptsOver(PATIENCE_MS),
  run: async (deps: Deps, { provider, agreementId }) => {
    const { payments } = deps;
    if (provider !== payments.name)
      throw new Error(`Cancel ${agreementId} by hand: the site does not use ${provider} any more.`);
    await payments.cancelAtPeriodEnd(agreementId);
    await keepStatus(deps, agreementId);
  },
});

export const requestEnd = (
  db: Db,
  agreement: { provider: string; agreementId: string },
  now: number,
) =>
  enqueue(db, endAgreement, agreement, {
    now,
    uniqueKey: `end:${agreement.provider}:${agreement.agreementId}`,
  });

/** A page that its member left open and then left for good: what comes of it is undone. */
export const endCheckout = defineJob({
  name: 'end-checkout',
  payload: z.object({ reference: z.string() }),
  maxAttempts: attemptsOver(PATIENCE_MS),
  run: async (deps: Deps, { reference }) => {
    const { database, payments, clock } = deps;
    const row = await findCheckout(database.db, reference);
    if (!row || row.user_id !== null || row.provider !== payments.name) return;
    const said = await payments.readCheckout(reference, row.checkout_id);
    const now = clock.now();
    const { charge } = said;
    const left = charge?.status === 'paid' ? charge.amount - charge.refunded : 0;
    // What was paid on the page of somebody who is gone pays for nothing that can be given.
    if (charge && left > 0 && !charge.isDisputed && row.state !== 'paid')
      await payments.refund({ chargeId: charge.id, amount: left, key: `left:${charge.id}` });
    const isUndecided = said.state === 'open' || said.state === 'unknown';
    const late = row.created_at <= now - CHECKOUT_MS ? 'expired' : row.state;
    await database.db.transaction().execute(async (tx) => {
      if (said.agreementId)
        await requestEnd(tx, { provider: row.provider, agreementId: said.agreementId }, now);
      await tx
        .updateTable('checkouts')
        .set({
          state: isUndecided ? late : said.state === 'paid' ? 'paid' : 'failed',
          agreement_id: said.agreementId ?? row.agreement_id,
          updated_at: now,
        })
        .where('reference', '=', reference)
        .execute();
    });
    deps.jobs.wake();
  },
});

export const requestEndOfCheckout = (db: Db, reference: string, now: number) =>
  enqueue(db, endCheckout, { reference }, { now, uniqueKey: `end-checkout:${reference}` });

/**
 * What a webhook about somebody who has left asks for: that it be the last. An agreement that nobody
 * here knows is left alone: the same customer may be a member again.
 */
export async function endSubject(
  { database, payments, clock }: Deps,
  subject: { reference: string | null; agreementId: string | null },
) {
  const { db } = database;
  const now = clock.now();
  const checkout = subject.reference ? await findCheckout(db, subject.reference) : undefined;
  if (checkout?.user_id === null) await requestEndOfCheckout(db, checkout.reference, now);
  const agreementId = subject.agreementId ?? '';
  const agreement = await findAgreement(db, payments.name, agreementId);
  if (agreement?.user_id === null && agreement.status !== 'ended')
    await requestEnd(db, { provider: payments.name, agreementId }, now);
}

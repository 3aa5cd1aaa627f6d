import { z } from 'zod';
import type { Db } from '../../db/connect.ts';
import type { Deps } from '../../deps.ts';
import { newId } from '../../ids.ts';
import { attemptsOver } from '../../jobs/backoff.ts';
import { defineJob } from '../../jobs/define-job.ts';
import { enqueue } from '../../jobs/queue.ts';
import type { Notice, NoticeSubject } from '../../ports/payments/payments.ts';
import { convergeMember } from './converge-member.ts';
import { keepableBody } from './notice-body.ts';
import { endSubject, requestEnd } from './leavers.ts';
import { findAgreement, findChargeOwner, findCheckout, listUsersOfCustomer } from './queries.ts';
import type { Hints } from './read-truth.ts';
import { DAY } from '#contract/rules/time.ts';

const Subjects = z.array(
  z.object({
    reference: z.string().nullable(),
    agreementId: z.string().nullable(),
    customerId: z.string().nullable(),
    chargeId: z.string().nullable(),
    plan: z.enum(['monthly', 'annual']).nullable(),
  }),
);

/** Null stands for somebody who was a member and has left. */
type Owner = string | null;

async function findOwners(db: Db, provider: string, subject: NoticeSubject): Promise<Owner[]> {
  const checkout = subject.reference ? await findCheckout(db, subject.reference) : undefined;
  if (checkout) return [checkout.user_id];
  const agreement = subject.agreementId
    ? await findAgreement(db, provider, subject.agreementId)
    : undefined;
  if (agreement) return [agreement.user_id];
  const charge = subject.chargeId
    ? await findChargeOwner(db, provider, subject.chargeId)
    : undefined;
  if (charge) return [charge.user_id];
  return subject.customerId ? listUsersOfCustomer(db, provider, subject.customerId) : [];
}

/** An agreement that nobody here knows yet may name a checkout that somebody does. */
async function findOwnersByTruth(
  { database, payments, clock }: Deps,
  { agreementId }: NoticeSubject,
): Promise<Owner[]> {
  if (!agreementId) return [];
  const { agreement, charges } = await payments.readAgreement(agreementId);
  for (const { reference } of charges) {
    const checkout = reference ? await findCheckout(database.db, reference) : undefined;
    if (checkout?.user_id === null && agreement.status !== 'ended')
      await requestEnd(database.db, { provider: payments.name, agreementId }, clock.now());
    if (checkout) return [checkout.user_id];
  }
  return listUsersOfCustomer(database.db, payments.name, agreement.customerId);
}

const toHints = ({ reference, agreementId, customerId }: NoticeSubject): Hints => ({
  references: reference ? [reference] : [],
  agreementIds: agreementId ? [agreementId] : [],
  customerIds: customerId ? [customerId] : [],
});

/** The customer of who has left may be a member again: then the agreement itself says whose it is. */
async function isGuess(
  { database, payments }: Deps,
  { reference, agreementId }: NoticeSubject,
  owners: readonly Owner[],
): Promise<boolean> {
  if (owners.some((owner) => owner !== null)) return false;
  const { db } = database;
  if (reference && (await findCheckout(db, reference))) return false;
  return !agreementId || !(await findAgreement(db, payments.name, agreementId));
}

async function settleSubject(deps: Deps, subject: NoticeSubject): Promise<Owner[]> {
  const known = await findOwners(deps.database.db, deps.payments.name, subject);
  const told = (await isGuess(deps, subject, known)) ? await findOwnersByTruth(deps, subject) : [];
  const owners = told.length > 0 ? told : known;
  if (owners.length === 0)
    throw new Error('This webhook is about a payment that nobody here has begun.');
  for (const userId of owners)
    if (userId !== null) await convergeMember(deps, userId, { hints: toHints(subject) });
    else await endSubject(deps, subject);
  return owners;
}

/** What it is about is asked for anew: a webhook says where to look, never what is true. */
export const settleNotice = defineJob({
  name: 'settle-payment-notice',
  payload: z.object({ id: z.string() }),
  // A payment may be told of before the checkout it belongs to is written down everywhere.
  maxAttempts: attemptsOver(3 * DAY),
  run: async (deps: Deps, { id }, job) => {
    const { database, payments, clock } = deps;
    const row = await database.db
      .selectFrom('payment_notices')
      .select(['provider', 'subjects', 'state'])
      .where('id', '=', id)
      .executeTakeFirst();
    if (!row || row.state === 'done') return;
    if (row.provider !== payments.name)
      throw new Error(`The site does not take payments by ${row.provider} any more.`);
    const owners: Owner[] = [];
    for (const subject of Subjects.parse(JSON.parse(row.subjects)))
      owners.push(...(await settleSubject(deps, subject)));
    await job.finish(async (tx) => {
      await tx
        .updateTable('payment_notices')
        .set({
          state: 'done',
          user_id: owners.find((owner) => owner !== null) ?? null,
          settled_at: clock.now(),
          // Nobody is left whom it could concern.
          ...(owners.every((owner) => owner === null) ? { body: '' } : {}),
        })
        .where('id', '=', id)
        .execute();
    });
  },
});

/** Stores a genuine webhook once, together with the work it asks for. */
export async function keepNotice(deps: Deps, notice: Notice, rawBody: Buffer): Promise<void> {
  const { database, payments, clock } = deps;
  const now = clock.now();
  await database.db.transaction().execute(async (tx) => {
    const row = await tx
      .insertInto('payment_notices')
      .values({
        id: newId(now),
        provider: payments.name,
        event_id: notice.eventId,
        kind: notice.kind,
        subjects: JSON.stringify(notice.subjects),
        body: keepableBody(rawBody),
        state: 'waiting',
        user_id: null,
        received_at: now,
        settled_at: null,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst();
    if (row)
      await enqueue(tx, settleNotice, { id: row.id }, { now, uniqueKey: `notice:${row.id}` });
  });
  deps.jobs.wake();
}

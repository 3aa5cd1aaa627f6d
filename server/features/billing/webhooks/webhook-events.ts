import { z } from 'zod';
import { DAY } from '#contract/rules/time.ts';
import type { Deps } from '../../../deps.ts';
import { newId } from '../../../ids.ts';
import { countAttemptsWithin } from '../../../jobs/backoff.ts';
import { defineJob } from '../../../jobs/define-job.ts';
import { enqueue } from '../../../jobs/queue.ts';
import type { WebhookEvent } from '../../../ports/payments/payments.ts';
import { findPayment } from '../queries.ts';
import { watchPayment } from '../subscriptions/jobs.ts';

/** Card data that identifies a card or could charge it again: not needed to understand an event. */
const CARD_FIELDS = [
  'authorization_code',
  'bin',
  'signature',
  'fingerprint',
  'account_name',
  'payment_method',
  'token',
];
const HIDDEN = '[card]';
const mentionsCard = new RegExp(`"(?:${CARD_FIELDS.join('|')})"\\s*:`);

/** The body as it came, for debugging, but without card data. */
function hideCardData(rawBody: Buffer): string {
  // PostgreSQL stores no NUL in a text.
  const text = rawBody.toString('utf8').replaceAll('\0', '');
  if (!mentionsCard.test(text)) return text;
  return JSON.stringify(JSON.parse(text), (key, value: unknown) =>
    CARD_FIELDS.includes(key) && value !== null ? HIDDEN : value,
  );
}

const References = z.array(z.string());

/** A payment may be known a moment after the event about it; one that never is becomes an issue. */
async function settleReference(deps: Deps, reference: string, isLastAttempt: boolean) {
  const row = await findPayment(deps.database.db, reference);
  if (!row && !isLastAttempt)
    throw new Error('This webhook event is about a payment that isn’t known yet.');
  await watchPayment(deps, reference);
  return row;
}

/** Reads the payments that the event is about: it says where to look, but isn't trusted itself. */
export const processWebhookEvent = defineJob({
  name: 'process-webhook-event',
  lane: 'payments',
  payload: z.object({ id: z.string() }),
  maxAttempts: countAttemptsWithin(DAY),
  run: async (deps: Deps, { id }, job) => {
    const { database, payments, clock } = deps;
    const row = await database.db
      .selectFrom('webhook_events')
      .select(['provider', 'subjects', 'state'])
      .where('id', '=', id)
      .executeTakeFirst();
    if (!row || row.state === 'done') return;
    if (row.provider !== payments.name)
      throw new Error(`The site no longer uses ${row.provider} for payments.`);
    const isLastAttempt = job.attempt >= job.maxAttempts;
    const owners: (string | null)[] = [];
    for (const reference of References.parse(JSON.parse(row.subjects)))
      owners.push((await settleReference(deps, reference, isLastAttempt))?.user_id ?? null);
    const userId = owners.find((owner) => owner !== null) ?? null;
    await job.finish(async (tx) => {
      await tx
        .updateTable('webhook_events')
        .set({
          state: 'done',
          user_id: userId,
          processed_at: clock.now(),
          // Its account is deleted, or it is about someone else's customer.
          ...(userId === null ? { body: '' } : {}),
        })
        .where('id', '=', id)
        .execute();
    });
  },
});

/** Stores a genuine event once, together with the job that processes it. */
export async function storeWebhookEvent(
  deps: Deps,
  event: WebhookEvent,
  rawBody: Buffer,
): Promise<void> {
  const { database, payments, clock } = deps;
  const now = clock.now();
  await database.db.transaction().execute(async (tx) => {
    const row = await tx
      .insertInto('webhook_events')
      .values({
        id: newId(now),
        provider: payments.name,
        event_id: event.eventId,
        kind: event.kind,
        subjects: JSON.stringify(event.references),
        body: hideCardData(rawBody),
        state: 'waiting',
        user_id: null,
        received_at: now,
        processed_at: null,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst();
    if (row)
      await enqueue(
        tx,
        processWebhookEvent,
        { id: row.id },
        { now, uniqueKey: `webhook-event:${row.id}` },
      );
  });
  deps.jobs.wake();
}

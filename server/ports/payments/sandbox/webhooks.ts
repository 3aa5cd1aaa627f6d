import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Db, Tx } from '../../../db/connect.ts';
import { readSecret } from '../../../db/secrets.ts';
import { newId } from '../../../db/ids.ts';
import { ForgedWebhook, isOurReference } from '../payments.ts';
import { isSignature } from '../provider-answers.ts';
import type { SandboxParts } from './store.ts';

const SIGNATURE_HEADER = 'x-sandbox-signature';
const SECRET = 'sandbox-webhooks';

const KINDS = [
  'payment.pending',
  'payment.paid',
  'payment.failed',
  'payment.needs-member',
  'refund.paid',
  'refund.failed',
  'dispute.opened',
  'dispute.won',
  'dispute.lost',
] as const;
type EventKind = (typeof KINDS)[number];

const EventBody = z.object({ id: z.string().min(1), kind: z.enum(KINDS), reference: z.string() });

/** As it is sent over the network. */
export type SignedWebhook = { headers: Record<string, string>; rawBody: Buffer };

const signBody = (secret: Buffer, rawBody: Buffer): string =>
  createHmac('sha256', secret).update(rawBody).digest('hex');

export async function signWebhook(db: Db, body: string): Promise<SignedWebhook> {
  const rawBody = Buffer.from(body);
  const signature = signBody(await readSecret(db, SECRET), rawBody);
  return {
    headers: { 'content-type': 'application/json', [SIGNATURE_HEADER]: signature },
    rawBody,
  };
}

/** Stored in the transaction of the change, and delivered from there. */
export async function recordEvent(
  { clock, work }: SandboxParts,
  tx: Tx,
  kind: EventKind,
  reference: string,
) {
  const now = clock.now();
  const id = `evt_${newId(now)}`;
  await tx
    .insertInto('sandbox_events')
    .values({
      id,
      seq: sql<number>`(select coalesce(max(seq), 0) + 1 from sandbox_events)`,
      body: JSON.stringify({ id, kind, at: now, reference }),
      created_at: now,
      delivered_at: null,
    })
    .execute();
  await work.deliver(tx, id, now);
}

export const findEvent = (db: Db, id: string) =>
  db.selectFrom('sandbox_events').selectAll().where('id', '=', id).executeTakeFirst();

export const markDelivered = (db: Db, id: string, now: number) =>
  db.updateTable('sandbox_events').set({ delivered_at: now }).where('id', '=', id).execute();

export const listUndelivered = (db: Db) =>
  db
    .selectFrom('sandbox_events')
    .selectAll()
    .where('delivered_at', 'is', null)
    .orderBy('seq')
    .orderBy('id')
    .execute();

export async function parseSandboxWebhook(
  db: Db,
  headers: IncomingHttpHeaders,
  rawBody: Buffer,
): Promise<string | null> {
  const expected = signBody(await readSecret(db, SECRET), rawBody);
  if (!isSignature(headers[SIGNATURE_HEADER], expected))
    throw new ForgedWebhook('The signature doesn’t match this body.');
  const event = EventBody.safeParse(JSON.parse(rawBody.toString('utf8')));
  return event.success && isOurReference(event.data.reference) ? event.data.reference : null;
}

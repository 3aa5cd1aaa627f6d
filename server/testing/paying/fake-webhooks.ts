import { createHash, createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { ForgedWebhook, type WebhookEvent } from '../../ports/payments/payments.ts';

const KEY = 'shared by the provider and the site';
const HEADER = 'x-sandbox-signature';
const sign = (body: string | Buffer) => createHmac('sha256', KEY).update(body).digest('hex');

export type SignedWebhook = { headers: Record<string, string>; rawBody: Buffer };

export const signFakeWebhook = (body: string): SignedWebhook => ({
  headers: { 'content-type': 'application/json', [HEADER]: sign(body) },
  rawBody: Buffer.from(body),
});

export function parseFakeWebhook(
  headers: IncomingHttpHeaders,
  rawBody: Buffer,
): WebhookEvent | null {
  if (headers[HEADER] !== sign(rawBody)) throw new ForgedWebhook('The signature is wrong.');
  const { id, kind, references } = JSON.parse(rawBody.toString()) as {
    id: string;
    kind: string;
    references: string[];
  };
  return { eventId: createHash('sha256').update(id).digest('hex'), kind, references };
}

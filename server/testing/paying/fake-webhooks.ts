import { createHash, createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import {
  ForgedWebhook,
  type WebhookEvent,
  type WebhookSubject,
} from '../../ports/payments/payments.ts';
import type { SignedWebhook } from '../../ports/payments/sandbox/sandbox.ts';

const KEY = 'shared by the provider and the site';
const HEADER = 'x-sandbox-signature';
const sign = (body: string | Buffer) => createHmac('sha256', KEY).update(body).digest('hex');

export const signFakeWebhook = (body: string): SignedWebhook => ({
  headers: { 'content-type': 'application/json', [HEADER]: sign(body) },
  rawBody: Buffer.from(body),
});

export function parseFakeWebhook(
  headers: IncomingHttpHeaders,
  rawBody: Buffer,
): WebhookEvent | null {
  if (headers[HEADER] !== sign(rawBody)) throw new ForgedWebhook('The signature is wrong.');
  const { id, kind, data } = JSON.parse(rawBody.toString()) as {
    id: string;
    kind: string;
    data: WebhookSubject;
  };
  return /^(?:checkout|charge|subscription)\./.test(kind)
    ? { eventId: createHash('sha256').update(id).digest('hex'), kind, subjects: [data] }
    : null;
}

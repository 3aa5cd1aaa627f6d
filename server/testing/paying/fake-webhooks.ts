import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { ForgedWebhook } from '../../ports/payments/payments.ts';

const KEY = 'shared by the provider and the site';
const HEADER = 'x-sandbox-signature';
const sign = (body: string | Buffer) => createHmac('sha256', KEY).update(body).digest('hex');

export type SignedWebhook = { headers: Record<string, string>; rawBody: Buffer };

export const signFakeWebhook = (body: string): SignedWebhook => ({
  headers: { 'content-type': 'application/json', [HEADER]: sign(body) },
  rawBody: Buffer.from(body),
});

export function parseFakeWebhook(headers: IncomingHttpHeaders, rawBody: Buffer): string | null {
  if (headers[HEADER] !== sign(rawBody)) throw new ForgedWebhook('The signature is wrong.');
  return (JSON.parse(rawBody.toString()) as { reference: string }).reference;
}

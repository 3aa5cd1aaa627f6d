import { timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { failure, type PaymentFailure } from './payments.ts';

/** A page of the provider to send the user to: never a script or a file. */
export const PageUrl = z.url({ protocol: /^https$/ });

/** The longest genuine response is a page of a hundred payments. */
const MAX_RESPONSE_BYTES = 4 * 1024 * 1024;

/** Stops reading a response that is longer than any genuine one. */
export async function readBounded(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.byteLength;
    if (size > MAX_RESPONSE_BYTES) throw failure('The provider’s response is too long.');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

/** The time in the provider’s answer to anything: whole seconds, and as late as the answer took. */
export async function readProviderTime(api: string, timeoutMs: number): Promise<number> {
  const response = await fetch(api, {
    method: 'HEAD',
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  });
  const time = Date.parse(response.headers.get('date') ?? '');
  if (Number.isNaN(time)) throw failure('The provider doesn’t say what time it is.');
  return time;
}

/** Compares a signature header in constant time. */
export function isSignature(header: unknown, expected: string): boolean {
  if (typeof header !== 'string') return false;
  const [given, right] = [Buffer.from(header), Buffer.from(expected)];
  return given.length === right.length && timingSafeEqual(given, right);
}

/** What providers say about a request may name the card's token, which is a secret. */
export const hideTokens = (message: string): string =>
  message.replaceAll(/\b(AUTH|pm|card|src)_\w+/g, '$1_…').slice(0, 200);

/** The bank's own words, as a sentence. */
export const describeDecline = (reason: string | null | undefined, isHard: boolean) => ({
  message: reason
    ? `Your bank declined the payment: ${hideTokens(reason).slice(0, 160).replace(/\.$/, '')}.`
    : 'Your bank declined the payment.',
  isHard,
});

export const NOT_COMPLETED: PaymentFailure = {
  message: 'The payment was not completed.',
  isHard: false,
};
export const WANTS_MEMBER: PaymentFailure = {
  message: 'Your bank wants you to confirm this payment.',
  isHard: false,
};
export const CARD_GONE: PaymentFailure = {
  message: 'This card can no longer be charged.',
  isHard: true,
};

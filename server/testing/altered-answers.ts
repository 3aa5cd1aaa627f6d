import { expect, vi } from 'vitest';
import {
  isOurReference,
  PaymentsError,
  type PaymentState,
  type Payout,
} from '../ports/payments/payments.ts';
import { alter, type Json } from './alter-json.ts';

/** What a look at a provider returns, as far as money depends on it. */
export type Look = () => Promise<readonly (PaymentState | Payout | string)[]>;

/** Answers from memory, so that thousands of altered answers are quick. */
async function record(look: Look): Promise<Map<string, string>> {
  const answers = new Map<string, string>();
  const { fetch } = globalThis;
  vi.stubGlobal('fetch', async (input: string, init: RequestInit) => {
    const response = await fetch(input, init);
    answers.set(input, await response.clone().text());
    return response;
  });
  await look();
  vi.stubGlobal('fetch', fetch);
  return answers;
}

const STATUSES = ['open', 'pending', 'paid', 'failed', 'needs-member', 'not-found'];

function isSane(found: PaymentState | Payout | string): boolean {
  if (typeof found === 'string') return isOurReference(found);
  const isPayment = 'status' in found;
  const numbers = [found.amount, found.at, isPayment ? found.refunded : 0];
  return numbers.every(Number.isFinite) && (!isPayment || STATUSES.includes(found.status));
}

/**
 * Repeats each look with every answer that it got, altered in every way. It either returns something
 * sane or fails as expected, and never writes. Returns the number of altered answers.
 */
export async function expectSaneLooks(looks: readonly Look[], missing: Json): Promise<number> {
  const answers = new Map<string, string>();
  const tries: { look: Look; address: string; text: string }[] = [];
  for (const look of looks)
    for (const [address, text] of await record(look)) {
      if (!answers.has(address)) tries.push({ look, address, text });
      answers.set(address, text);
    }
  const writes: string[] = [];
  let count = 0;
  for (const { look, address, text } of tries)
    for (const altered of alter(JSON.parse(text) as Json)) {
      vi.stubGlobal('fetch', async (input: string, { method = 'GET' }: RequestInit) => {
        if (method !== 'GET') writes.push(`${method} ${input}`);
        const body = input === address ? JSON.stringify(altered) : answers.get(input);
        return new Response(body ?? JSON.stringify(missing), {
          status: body === undefined ? 404 : 200,
          headers: { 'content-type': 'application/json' },
        });
      });
      const outcome = await look().catch((error: unknown) => error);
      count += 1;
      const isAsExpected = Array.isArray(outcome)
        ? outcome.every(isSane)
        : outcome instanceof PaymentsError;
      // An assertion for each of thousands takes longer than all the rest.
      if (!isAsExpected) expect([address, altered, outcome]).toBe('sane or a PaymentsError');
    }
  expect(writes).toEqual([]);
  return count;
}

import { afterEach, expect, it, vi } from 'vitest';
import { alter, type Json } from '../../../testing/alter-json.ts';
import { START } from '../../../testing/fake-providers.ts';
import {
  fake,
  month,
  parseEvent,
  passTo,
  payments,
  readState,
  restart,
  subscribe,
  usePaystack,
} from '../../../testing/paystack/use-paystack.ts';
import { PaymentsError, WebhookSubject, type Charge } from '../payments.ts';
import { DAY } from '#contract/rules/time.ts';

usePaystack();
afterEach(() => {
  vi.unstubAllGlobals();
});

/** A member with a renewal, a refund, a dispute, a missed payment and a payment for it. */
async function createHistory(): Promise<string> {
  const id = await subscribe();
  passTo(month(START));
  fake.refund('ref-1', 100);
  fake.emptyAccount(id);
  passTo(month(month(START)));
  passTo(month(month(START)) + DAY);
  fake.updateCard(id, 'second');
  const owed = { providerSubscriptionId: id, plan: 'monthly' as const, amount: 7900 };
  await payments.payOwed({ ...owed, reference: 'owed-1' });
  fake.dispute('owed-1');
  fake.payOther('thandi@example.com', 'PLN_other');
  return id;
}

it('reads an altered event as a hint or as nothing', async () => {
  await createHistory();
  passTo(month(month(START)) + 4 * DAY);
  const bodies = fake.drainWebhooks().map(({ rawBody }) => JSON.parse(rawBody.toString()) as Json);
  const events = bodies as { event: string; data: Json }[];
  const byKind = new Map(events.map((event) => [event.event, event]));
  expect(byKind.size).toBeGreaterThan(5);
  for (const { event, data } of byKind.values())
    for (const altered of alter(data)) {
      const parsed = await parseEvent(event, altered);
      expect([event, undefined]).toContain(parsed?.kind);
      for (const subject of parsed?.subjects ?? [])
        expect(WebhookSubject.safeParse(subject).error).toBeUndefined();
    }
});

it('reads the same after any delay, in any order and any number of times', async () => {
  const id = await createHistory();
  const state = await readState(id);
  const reads = await Promise.all([1, 2, 3].map(() => payments.getProviderSubscription(id)));
  restart();
  reads.push(await payments.getProviderSubscription(id));
  for (const read of reads) {
    expect(read.providerSubscription).toEqual(state);
    expect(read.charges.map((charge) => [charge.id, charge.status])).toEqual([
      ['ref-1', 'paid'],
      [expect.any(String), 'paid'],
      [expect.any(String), 'failed'],
      ['owed-1', 'paid'],
    ]);
  }
});

const toPath = (input: unknown) => String(input).slice(fake.origin.length);

/** Answers from memory, so that thousands of altered answers are quick. */
async function record(act: () => Promise<unknown>): Promise<Map<string, string>> {
  const answers = new Map<string, string>();
  const { fetch } = globalThis;
  vi.stubGlobal('fetch', async (input: string, init: RequestInit) => {
    const response = await fetch(input, init);
    answers.set(toPath(input), await response.clone().text());
    return response;
  });
  await act();
  return answers;
}

const isSane = ({ amount, refunded, at, status }: Charge): boolean =>
  [amount, refunded, at].every(Number.isFinite) && ['paid', 'pending', 'failed'].includes(status);

it('reads an altered answer as what it says or fails as expected, and never in another way', async () => {
  const id = await createHistory();
  const act = async () => {
    const { charges } = await payments.getProviderSubscription(id);
    const { charge } = await payments.getCheckout('ref-1');
    return [...charges, ...(charge ? [charge] : [])];
  };
  restart();
  const answers = await record(act);
  // One of each kind.
  const kinds = new Map(
    [...answers].map(([path, text]) => [path.replaceAll(/\d+/g, 'n'), [path, text]]),
  );
  expect(kinds.size).toBeGreaterThan(5);
  let count = 0;
  for (const [path = '', text = ''] of kinds.values())
    for (const altered of alter(JSON.parse(text) as Json)) {
      vi.stubGlobal('fetch', async (input: string) => {
        const body = toPath(input) === path ? JSON.stringify(altered) : answers.get(toPath(input));
        return new Response(body ?? '{"status":false,"message":"Not found"}', {
          status: body === undefined ? 404 : 200,
        });
      });
      restart();
      const outcome = await act().catch((error: unknown) => error);
      count += 1;
      if (Array.isArray(outcome)) expect(outcome.every(isSane)).toBe(true);
      else expect([path, altered, outcome]).toEqual([path, altered, expect.any(PaymentsError)]);
    }
  expect(count).toBeGreaterThan(500);
});

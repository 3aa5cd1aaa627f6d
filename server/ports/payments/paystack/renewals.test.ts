import { describe, expect, it } from 'vitest';
import { START } from '../../../testing/fake-providers.ts';
import {
  clock,
  countSeen,
  fake,
  listTaken,
  month,
  passTo,
  payments,
  readPaid,
  readState,
  request,
  restart,
  subscribe,
  usePaystack,
} from '../../../testing/paystack/use-paystack.ts';
import { createPlanFinder } from './plan-finder.ts';
import { Transaction } from './shapes.ts';
import { fetchedPayload, listedPayload } from '../../../testing/paystack-payloads.ts';
import { DAY, HOUR } from '#contract/rules/time.ts';

usePaystack();

const FETCHED = /^GET \/transaction\/\d+$/;
const customerOf = async (reference = 'ref-1') =>
  (await payments.getCheckout(reference)).customerId ?? '';

describe('renewals', () => {
  it('count, although lists leave out the plan, and each is fetched once', async () => {
    const id = await subscribe();
    passTo(START + 100 * DAY);
    expect(await readPaid(id)).toHaveLength(4);
    expect(countSeen(FETCHED)).toBe(3);
    expect(await readPaid(id)).toHaveLength(4);
    await payments.listProviderSubscriptions(await customerOf());
    expect(countSeen(FETCHED)).toBe(3);
    passTo(START + 130 * DAY);
    expect(await readPaid(id)).toHaveLength(5);
    expect(countSeen(FETCHED)).toBe(4);
    restart();
    expect(await readPaid(id)).toHaveLength(5);
    expect(countSeen(FETCHED)).toBe(8);
  });

  it('count as soon as a webhook names them, even if lists are behind', async () => {
    const id = await subscribe();
    fake.drainWebhooks();
    passTo(month(START) + 1);
    const renewal = fake.transactions.at(-1)?.reference ?? '';
    fake.unlisted.add(renewal);
    expect(await readPaid(id)).toHaveLength(1);
    for (const { headers, rawBody } of fake.drainWebhooks())
      await payments.parseWebhook(headers, rawBody);
    expect(await readPaid(id)).toEqual([
      [START, 7900],
      [month(START), 7900],
    ]);
    fake.unlisted.clear();
    const verify = `GET /transaction/verify/${renewal}`;
    const before = countSeen(verify);
    for (const _ of [1, 2]) expect(await readPaid(id)).toHaveLength(2);
    expect(countSeen(verify)).toBe(before);
  });

  it('count once Paystack names their plan, even if it did not at first', async () => {
    const id = await subscribe();
    passTo(month(START) + 1);
    const renewal = fake.transactions.at(-1);
    const plan = renewal?.plan ?? null;
    Object.assign(renewal ?? {}, { plan: null });
    expect(await readPaid(id)).toHaveLength(1);
    Object.assign(renewal ?? {}, { plan });
    expect(await readPaid(id)).toHaveLength(2);
  });

  it('that cannot be fetched right now make the answer fail instead of missing', async () => {
    const id = await subscribe();
    passTo(month(START) + 1);
    const line = `GET /transaction/${fake.transactions.at(-1)?.id}`;
    for (const fault of ['error', 'down', 'surprise'] as const) {
      fake.setFault(fault, line);
      await expect(payments.getProviderSubscription(id)).rejects.toMatchObject({
        kind: 'temporary',
      });
    }
    fake.setFault(null);
    expect(await readPaid(id)).toHaveLength(2);
  });

  it('have the amount that was really charged after the plan was edited at Paystack', async () => {
    const id = await subscribe();
    fake.editPlan('PLN_monthly', 9900);
    expect((await readState(id)).nextAmount).toBe(9900);
    passTo(month(START) + 1);
    expect((await readPaid(id)).map(([, amount]) => amount)).toEqual([7900, 9900]);
  });

  it('begun on the 31st are charged on the 28th and counted', async () => {
    clock.set(Date.UTC(2027, 0, 31, 12));
    const id = await subscribe({ firstChargeAt: clock.now() });
    passTo(Date.UTC(2027, 3, 1));
    expect(
      (await readPaid(id)).map(([at]) => new Date(at ?? 0).toISOString().slice(0, 10)),
    ).toEqual(['2027-01-31', '2027-02-28', '2027-03-28']);
  });

  it('say what Paystack kept', async () => {
    const id = await subscribe();
    const { charges } = await payments.getProviderSubscription(id);
    expect(charges).toMatchObject([{ amount: 7900, fee: 329 }]);
  });
});

describe('other products on the account', () => {
  it('are neither payments nor subscriptions of a member who bought them too', async () => {
    const id = await subscribe();
    fake.payOther(request.email);
    const { reference } = fake.payOther(request.email, 'PLN_other');
    passTo(month(START) + 1);
    const states = await payments.listProviderSubscriptions(await customerOf());
    expect(states.map(({ providerSubscription }) => providerSubscription.id)).toEqual([id]);
    expect(states[0]?.charges.map(({ amount }) => amount)).toEqual([7900, 7900]);
    const foreign = fake.subscriptions[1]?.subscription_code ?? '';
    expect(await payments.getProviderSubscription(foreign)).toMatchObject({
      providerSubscription: { id: foreign, plan: null },
      charges: [],
    });
    expect(await payments.isOurs(reference)).toBe(false);
  });

  it('are told apart from our payments by the reference alone', async () => {
    const id = await subscribe();
    passTo(month(START) + 1);
    const [, renewal] = (await payments.getProviderSubscription(id)).charges;
    expect(await payments.isOurs('ref-1')).toBe(true);
    expect(await payments.isOurs(renewal?.id ?? '')).toBe(true);
    expect(await payments.isOurs(fake.payOther('other@example.com').reference)).toBe(false);
    expect(await payments.isOurs('nobody-knows-it')).toBe(false);
    fake.setFault('error');
    await expect(payments.isOurs('ref-1')).rejects.toMatchObject({ kind: 'temporary' });
  });
});

describe('a replaced card', () => {
  it('is checked with a payment that is no payment for a plan', async () => {
    const id = await subscribe();
    const before = await readState(id);
    fake.updateCard(id, 'second');
    expect(listTaken().at(-1)).toEqual([START, 100]);
    expect(await readPaid(id)).toEqual([[START, 7900]]);
    const check = fake.transactions.at(-1)?.reference ?? '';
    expect(await payments.isOurs(check)).toBe(false);
    const after = await readState(id);
    expect(after.card?.last4).not.toBe(before.card?.last4);
    expect(after.nextChargeAt).toBe(before.nextChargeAt);
    passTo(START + 2 * DAY);
    expect(await readPaid(id)).toEqual([[START, 7900]]);
  });
});

describe('a dispute', () => {
  const readDispute = async () => (await payments.getCheckout('ref-1')).charge;

  it('has to be answered within 48 hours, and is lost by silence', async () => {
    const id = await subscribe();
    clock.set(START + DAY);
    fake.dispute('ref-1');
    expect((await readDispute())?.dispute).toEqual({
      state: 'open',
      respondBy: START + DAY + 48 * HOUR,
    });
    passTo(START + DAY + 48 * HOUR);
    expect(await readDispute()).toMatchObject({
      dispute: { state: 'lost', respondBy: null },
      // Paystack pays a lost dispute back with a refund: the money is gone once, not twice.
      refunded: 0,
    });
    const { charges } = await payments.getProviderSubscription(id);
    expect(charges).toEqual([await readDispute()]);
  });

  it('that we won is none, and one that we gave in to is lost', async () => {
    await subscribe();
    fake.dispute('ref-1');
    fake.resolveDispute('ref-1', 'declined');
    expect((await readDispute())?.dispute).toBeNull();
    fake.dispute('ref-1');
    expect((await readDispute())?.dispute?.state).toBe('open');
    fake.passTo(START + 3 * DAY);
    expect((await readDispute())?.dispute?.state).toBe('lost');
  });
});

it('lists what Paystack paid out in a month', async () => {
  const from = Date.UTC(2026, 10, 1);
  const to = Date.UTC(2026, 11, 1);
  const settle = (settledAt: number, status = 'success') =>
    fake.settle({ settledAt, amount: 7571, fees: 329, status });
  settle(from);
  settle(to);
  settle(START, 'pending');
  settle(START);
  settle(from - 1);
  expect(await payments.listPayouts({ from, to })).toEqual([
    { id: expect.any(String), at: from, amount: 7571, fees: 329, currency: 'ZAR' },
    { id: expect.any(String), at: START, amount: 7571, fees: 329, currency: 'ZAR' },
  ]);
});

it('forgets the oldest answers rather than grow without end', async () => {
  await subscribe();
  passTo(START + 130 * DAY);
  const renewals = fake.transactions.slice(1);
  const asked: string[] = [];
  const get = async <T>(path: string) => {
    asked.push(path);
    const found = renewals.find(({ id }) => path === `/transaction/${id}`);
    if (!found) throw new Error(`Nobody has ${path}.`);
    return Transaction.parse(fetchedPayload(found)) as T;
  };
  const api = { get, post: get, list: async () => [] };
  const finder = createPlanFinder(api, clock, 2);
  const listed = renewals.map((renewal) => Transaction.parse(listedPayload(renewal)));
  const [first, second, ...kept] = listed.map(({ id }) => `/transaction/${id}`);
  expect(kept).toHaveLength(2);
  for (const _ of [1, 2]) await finder.nameTransactions(listed);
  // Two of the four were forgotten.
  expect(asked).toEqual([first, second, ...kept, first, second]);
  const named = await finder.nameTransactions(listed.slice(0, 2));
  expect(named.map(({ plan }) => plan)).toEqual(['PLN_monthly', 'PLN_monthly']);
  expect(asked).toHaveLength(6);
});

import { expect, it } from 'vitest';
import { START } from '../../../testing/fake-providers.ts';
import {
  countSeen,
  fake,
  listTaken,
  month,
  parseEvent,
  passTo,
  payments,
  readPaid,
  readState,
  subscribe,
  usePaystack,
} from '../../../testing/paystack/use-paystack.ts';
import { DAY, HOUR } from '#contract/rules/time.ts';

usePaystack();

const DUE = Date.UTC(2026, 11, 15, 12);

/** A member whose renewal was declined a day ago. */
async function fallBehind(): Promise<string> {
  const id = await subscribe();
  fake.emptyAccount(id);
  passTo(DUE + DAY);
  return id;
}

const pay = (providerSubscriptionId: string, reference = 'owed-1') =>
  payments.payOwed({ providerSubscriptionId, reference, plan: 'monthly', amount: 7900 });

const readFailures = async (id: string) =>
  (await payments.getProviderSubscription(id)).charges.filter(({ status }) => status === 'failed');

it('does not try a failed renewal again before the next date, not even with another card', async () => {
  const id = await fallBehind();
  fake.updateCard(id, 'second');
  passTo(month(DUE) - HOUR);
  expect(await readState(id)).toMatchObject({ status: 'late', nextChargeAt: month(DUE) });
  expect(await readPaid(id)).toEqual([[START, 7900]]);
  expect(await readFailures(id)).toHaveLength(1);
  passTo(month(DUE));
  expect(await readState(id)).toMatchObject({ status: 'active' });
});

it('charges what is owed to the new card, and the subscription goes on', async () => {
  const id = await fallBehind();
  fake.updateCard(id, 'second');
  await pay(id);
  expect(await readState(id)).toMatchObject({
    status: 'active',
    nextChargeAt: month(DUE),
    nextAmount: 7900,
  });
  const { charges } = await payments.getProviderSubscription(id);
  expect(charges.at(-1)).toMatchObject({
    id: 'owed-1',
    reference: null,
    providerSubscriptionId: id,
    plan: 'monthly',
    status: 'paid',
    amount: 7900,
    at: DUE + DAY,
    fee: 329,
  });
  passTo(month(DUE));
  expect(await readState(id)).toMatchObject({ status: 'active', nextChargeAt: month(month(DUE)) });
  expect(await readPaid(id)).toEqual([
    [START, 7900],
    [DUE + DAY, 7900],
    [month(DUE), 7900],
  ]);
});

it.each(['twice', 'twice at once', 'with a lost answer', 'with another reference'])(
  'charges once when asked %s',
  async (how) => {
    const id = await fallBehind();
    fake.fillAccount(id);
    if (how === 'twice at once') await Promise.all([pay(id), pay(id)]);
    else if (how === 'with a lost answer') {
      fake.setFault('lost', 'POST /transaction/charge_authorization');
      await expect(pay(id)).rejects.toMatchObject({ kind: 'temporary' });
      fake.setFault(null);
    } else await pay(id);
    await pay(id, how === 'with another reference' ? 'owed-2' : 'owed-1');
    expect(listTaken()).toEqual([
      [START, 7900],
      [DUE + DAY, 7900],
    ]);
    expect((await readState(id)).status).toBe('active');
  },
);

it('stays late when the bank declines again, and another attempt may succeed', async () => {
  const id = await fallBehind();
  await pay(id);
  expect((await readState(id)).status).toBe('late');
  expect(await readFailures(id)).toMatchObject([
    {},
    { id: 'owed-1', failure: 'Your bank declined the payment: Insufficient Funds.' },
  ]);
  fake.updateCard(id, 'second');
  passTo(DUE + 2 * DAY);
  await pay(id);
  expect((await readState(id)).status).toBe('late');
  await pay(id, 'owed-2');
  expect((await readState(id)).status).toBe('active');
  expect(await readPaid(id)).toEqual([
    [START, 7900],
    [DUE + 2 * DAY, 7900],
  ]);
});

it('is late again when the next renewal fails, or the payment is given back', async () => {
  const id = await fallBehind();
  fake.fillAccount(id);
  await pay(id);
  fake.emptyAccount(id);
  passTo(month(DUE));
  expect((await readState(id)).status).toBe('late');
  fake.fillAccount(id);
  await pay(id, 'owed-2');
  expect((await readState(id)).status).toBe('active');
  fake.refund('owed-2', 7900);
  expect((await readState(id)).status).toBe('late');
});

it('charges nothing when nothing is owed', async () => {
  const id = await subscribe();
  await pay(id);
  await payments.cancelAtPeriodEnd(id);
  await pay(id);
  expect(countSeen('POST /transaction/charge_authorization')).toBe(0);
  expect(listTaken()).toEqual([[START, 7900]]);
});

it('refuses a card that cannot be charged again, and a subscription that does not exist', async () => {
  const id = await fallBehind();
  fake.updateCard(id, 'single-use');
  await expect(pay(id)).rejects.toMatchObject({ kind: 'refused' });
  await expect(pay('SUB_nobody')).rejects.toMatchObject({ kind: 'not-found' });
  expect((await readState(id)).status).toBe('late');
});

it('names the subscription in the webhook of such a payment', async () => {
  const id = await fallBehind();
  fake.fillAccount(id);
  fake.drainWebhooks();
  await pay(id);
  const [delivery] = fake.drainWebhooks();
  const { event, data } = JSON.parse(delivery?.rawBody.toString() ?? '') as Record<string, string>;
  expect((await parseEvent(event ?? '', data))?.subjects).toMatchObject([
    { chargeId: 'owed-1', reference: null, providerSubscriptionId: id, plan: 'monthly' },
  ]);
});

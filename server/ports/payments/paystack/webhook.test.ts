import { describe, expect, it } from 'vitest';
import {
  fake,
  parseEvent,
  passTo,
  payments,
  subscribe,
  usePaystack,
} from '../../../testing/paystack/use-paystack.ts';
import { START } from '../../../testing/fake-providers.ts';
import { DAY } from '#contract/rules/time.ts';

usePaystack();

describe('an event about another product', () => {
  const readAll = async () => {
    const events = [];
    for (const { headers, rawBody } of fake.drainWebhooks())
      events.push(await payments.parseWebhook(headers, rawBody));
    return events.map((event) => [event?.kind, event?.subjects]);
  };

  it('gives no subjects, or only the payment that it names', async () => {
    await subscribe();
    fake.drainWebhooks();
    const { reference } = fake.payOther('shop@example.com', 'PLN_other');
    const plain = fake.payOther('thandi@example.com').reference;
    expect(await readAll()).toEqual([
      ['charge.success', []],
      ['subscription.create', []],
      ['charge.success', []],
    ]);
    fake.refund(plain, 100);
    fake.dispute(reference);
    expect(await readAll()).toMatchObject([
      ['refund.pending', [{ reference: plain, chargeId: plain, plan: null }]],
      ['charge.dispute.create', [{ reference, chargeId: reference, plan: null }]],
    ]);
    passTo(START + 3 * DAY);
    expect(await readAll()).toMatchObject([
      ['refund.pending', [{ chargeId: reference }]],
      ['charge.dispute.resolve', [{ chargeId: reference }]],
    ]);
    for (const id of [reference, plain]) expect(await payments.isOurs(id)).toBe(false);
  });

  it('gives no subjects for the card check behind the manage link', async () => {
    const id = await subscribe();
    fake.drainWebhooks();
    fake.updateCard(id, 'second');
    expect((await readAll())[0]).toEqual(['charge.success', []]);
  });

  it('gives no subjects for an invoice of another plan or of none', async () => {
    const invoice = (subscription: unknown) =>
      parseEvent('invoice.payment_failed', { subscription, customer: { customer_code: 'CUS_1' } });
    const other = { subscription_code: 'SUB_x', plan: { plan_code: 'PLN_other' } };
    expect((await invoice(other))?.subjects).toEqual([]);
    expect((await invoice(null))?.subjects).toEqual([]);
    // Most invoices don't say.
    expect((await invoice({ subscription_code: 'SUB_1' }))?.subjects).toMatchObject([
      { providerSubscriptionId: 'SUB_1', customerId: 'CUS_1', plan: null },
    ]);
  });
});

it('ignores what another shop sells', async () => {
  const foreign = { reference: 'r', metadata: '', customer: null, plan: { plan_code: 'PLN_x' } };
  expect((await parseEvent('charge.success', foreign))?.subjects).toEqual([]);
  const other = { subscription_code: 'SUB_x', plan: { plan_code: 'PLN_x' }, customer: null };
  expect((await parseEvent('subscription.create', other))?.subjects).toEqual([]);
});

it('names every customer whose card expires', async () => {
  const item = (n: number) => ({
    expiry_date: '12/2026',
    description: 'visa ending with 4081',
    brand: 'visa',
    subscription: {
      id: n,
      subscription_code: `SUB_${n}`,
      amount: 7900,
      next_payment_date: '2026-12-15T12:00:00.000Z',
      plan: { interval: 'monthly', id: 28, name: 'Premium', plan_code: 'PLN_monthly' },
    },
    customer: {
      id: n,
      first_name: null,
      last_name: null,
      email: 'a@example.com',
      customer_code: `CUS_${n}`,
    },
  });
  const webhookEvent = await parseEvent('subscription.expiring_cards', [item(1), item(2)]);
  expect(webhookEvent?.subjects).toMatchObject([
    { providerSubscriptionId: 'SUB_1', customerId: 'CUS_1', plan: 'monthly' },
    { providerSubscriptionId: 'SUB_2', customerId: 'CUS_2', plan: 'monthly' },
  ]);
});

it.each(['subscription.not_renew', 'subscription.disable'])('reads %s', async (event) => {
  const webhookEvent = await parseEvent(event, {
    subscription_code: 'SUB_1',
    status: 'non-renewing',
    plan: { plan_code: 'PLN_annual' },
    customer: { customer_code: 'CUS_1' },
    next_payment_date: null,
  });
  expect(webhookEvent).toMatchObject({
    kind: event,
    subjects: [{ providerSubscriptionId: 'SUB_1', customerId: 'CUS_1', plan: 'annual' }],
  });
});

it.each([
  ['charge.success', {}],
  ['invoice.update', null],
  ['subscription.expiring_cards', {}],
])('gives no subjects when %s is signed but has an unknown format', async (event, data) => {
  expect(await parseEvent(event, data)).toMatchObject({ kind: event, subjects: [] });
});

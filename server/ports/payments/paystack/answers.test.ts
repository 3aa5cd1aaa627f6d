import { describe, expect, it } from 'vitest';
import { DAY } from '#contract/rules/time.ts';
import { presentPayment, Transaction, type Use } from './answers.ts';

const at = Date.UTC(2026, 10, 15);

const transaction = (status: string, use: Use | null, gateway_response = ''): Transaction =>
  Transaction.parse({
    id: 1,
    status,
    reference: 'wk-1',
    amount: 7900,
    currency: 'ZAR',
    channel: 'card',
    gateway_response,
    created_at: new Date(at).toISOString(),
    metadata: use && { use },
  });

const present = (found: Transaction, now = at) =>
  presentPayment(found, { refunds: [], disputes: [] }, now);

describe('the status of a payment', () => {
  /** The statuses that Paystack's guide to verifying payments lists, and those of its charge API. */
  it.each([
    ['success', 'paid', 'paid', 'paid'],
    ['reversed', 'paid', 'paid', 'paid'],
    ['reversal-pending', 'paid', 'paid', 'paid'],
    ['failed', 'open', 'failed', 'failed'],
    ['abandoned', 'open', 'failed', 'needs-member'],
    ['ongoing', 'pending', 'failed', 'needs-member'],
    ['pending', 'pending', 'pending', 'pending'],
    ['processing', 'pending', 'pending', 'pending'],
    ['queued', 'pending', 'pending', 'pending'],
    ['send_otp', 'pending', 'pending', 'needs-member'],
    ['open_url', 'pending', 'pending', 'needs-member'],
    ['something-new', 'pending', 'pending', 'pending'],
  ])(
    '%s means %s on a page, %s a day later, and %s for a charge',
    (status, page, later, charge) => {
      const shown = [
        present(transaction(status, 'save-card')),
        present(transaction(status, 'save-card'), at + DAY),
        present(transaction(status, 'charge')),
      ];
      expect(shown.map((state) => state.status)).toEqual([page, later, charge]);
      for (const state of shown) expect(state.chargeId !== null).toBe(state.status === 'paid');
    },
  );

  it('counts a reversed payment without a refund as refunded', () => {
    expect(present(transaction('reversed', 'once'))).toMatchObject({ refunded: 7900 });
    expect(present(transaction('success', 'once'))).toMatchObject({ refunded: 0 });
  });
});

/** Messages of banks, as Paystack's help articles on failed payments quote them. */
it.each([
  ['Insufficient Funds', false],
  ['Do not honour', false],
  ['Declined', false],
  ['Issuer or switch inoperative', false],
  ['Exceeds withdrawal limit', false],
  ['Denied by Fraud System', false],
  ['Access Denied', false],
  ['Lost Card, Pick-Up', true],
  ['Stolen Card', true],
  ['Pick up card', true],
  ['Expired card', true],
  ['Account Closed', true],
  ['Invalid Card Number', true],
  ['Restricted Card', true],
  ['Transaction not permitted to cardholder', true],
])('knows whether a card may pay another day after “%s”', (reason, isHard) => {
  expect(present(transaction('failed', 'charge', reason)).failure).toEqual({
    message: `Your bank declined the payment: ${reason}.`,
    isHard,
  });
});

it.each([
  [{ use: 'charge' }, 'charge'],
  ['{"use":"save-card","custom_fields":[]}', 'save-card'],
  ...['', null, {}, { use: 'x' }, { order_id: 'shirt-7' }, '{', 7].map((other) => [other, null]),
])('reads our metadata in any form: %j', (metadata, use) => {
  const { metadata: _none, ...rest } = transaction('success', null);
  const raw = { ...rest, created_at: new Date(at).toISOString(), metadata };
  expect(Transaction.parse(raw).metadata).toBe(use);
});

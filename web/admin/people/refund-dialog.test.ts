import { expect, it } from 'vitest';
import type { SubscriberPage } from '#contract/admin/subscribers.ts';
import { describeRefund } from './refund-dialog.tsx';

const page = {
  subscriber: { username: 'sipho' },
  subscription: {
    renews: true,
    currency: 'ZAR',
    nextPayment: { at: Date.parse('2026-12-15T10:00:00Z'), amount: 79_00 },
  },
} as unknown as SubscriberPage;

it.each([
  [
    true,
    true,
    'sipho loses the period this payment covers. The subscription ends, and nothing more is charged.',
  ],
  [true, false, 'sipho loses the period this payment covers. R79 is charged again on 15 Dec 2026.'],
  [
    false,
    true,
    'sipho keeps the period this payment covers. The subscription ends with it, and nothing more is charged.',
  ],
  [
    false,
    false,
    'sipho keeps the period this payment covers. R79 is charged again on 15 Dec 2026.',
  ],
])(
  'a refund (full: %s, ending: %s) says what happens to access and charges',
  (isFull, isEnding, text) => expect(describeRefund(page, { isFull, isEnding })).toBe(text),
);

import { expect, test } from 'vitest';
import { type BoughtGift, NewGift } from '#contract/paying/pay-once.ts';
import { plans, priceOnce } from '#contract/rules/plans.ts';
import { toGiftErrors } from '#web/pages/gift/give-form.tsx';
import { describeDelivery, parseOnce } from './once-texts.ts';

test('months are priced by the month, and twelve like a year', () => {
  expect(([1, 3, 12] as const).map((months) => priceOnce(plans, months))).toEqual([
    79_00, 237_00, 790_00,
  ]);
});

test('a link in a mail starts the payment; the way back from its page doesn’t', () => {
  expect(parseOnce('?pay=3')).toEqual({ months: 3, isStarted: true });
  expect(parseOnce('?once=12&reference=wk-1')).toEqual({ months: 12, isStarted: false });
  expect(parseOnce('?pay=2')).toBeNull();
  expect(parseOnce('?plan=annual')).toBeNull();
});

const gift: BoughtGift = {
  state: 'paid',
  months: 3,
  amount: 237_00,
  currency: 'ZAR',
  from: 'Ayanda',
  words: '',
  email: 'ayanda@example.com',
  recipient: null,
  url: 'https://music.example/gift/token',
  isRedeemed: false,
  at: Date.UTC(2026, 10, 15),
};

test('the page of a gift says where it is', () => {
  const recipient = { email: 'thandi@example.com', day: '2026-12-24', sentAt: null };
  expect(describeDelivery(gift)).toBe('Give them the link, or print the card.');
  expect(describeDelivery({ ...gift, recipient })).toBe(
    'We’ll send it to thandi@example.com on the morning of 24 December 2026.',
  );
  const sent = { ...recipient, sentAt: Date.UTC(2026, 11, 24, 7) };
  expect(describeDelivery({ ...gift, recipient: sent })).toBe(
    'We sent it to thandi@example.com on 24 December 2026.',
  );
  expect(describeDelivery({ ...gift, isRedeemed: true })).toBe('It has been claimed.');
});

test('each mistake in the form is shown at its field', () => {
  const parsed = NewGift.safeParse({
    months: 3,
    amount: 237_00,
    from: ' ',
    words: 'See www.evil.example',
    email: 'ayanda',
    recipient: { email: 'thandi', day: 'tomorrow' },
  });
  const errors = toGiftErrors(parsed.error?.issues ?? []);
  expect(Object.keys(errors).toSorted()).toEqual([
    'day',
    'email',
    'from',
    'recipientEmail',
    'words',
  ]);
  expect(errors.words).toBe('Leave out links: the gift has its own.');
});

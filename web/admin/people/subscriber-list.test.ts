import { expect, it } from 'vitest';
import type { Subscriber } from '#contract/admin/subscribers.ts';
import { describePaid, summarisePaid } from './subscriber-list.tsx';

const at = Date.UTC(2026, 10, 18, 12);
const member: Subscriber = {
  id: '1',
  username: 'thandi',
  email: 'thandi@example.com',
  isEmailVerified: true,
  avatarUrl: null,
  createdAt: 0,
  paidThrough: null,
  basis: 'none',
  refundedAt: null,
  access: 'free',
  isAdmin: false,
  isHelper: false,
  isDisabled: false,
};

it.each<[Partial<Subscriber>, string, string]>([
  [{}, 'Paid: Never', 'Never paid'],
  [
    { basis: 'refunded', refundedAt: at },
    'Paid: Nothing now, refunded on 18 Nov 2026',
    'Refunded 18 Nov 2026',
  ],
  [{ basis: 'ended' }, 'Paid: Nothing now, ended', 'Ended, nothing paid now'],
  [
    { basis: 'payment', paidThrough: at, access: 'active' },
    'Paid until: 18 Nov 2026',
    'Paid until 18 Nov 2026',
  ],
  [
    { basis: 'free', paidThrough: at, access: 'active' },
    'Free access until: 18 Nov 2026',
    'Free access until 18 Nov 2026',
  ],
  [
    { basis: 'free', paidThrough: at, access: 'free' },
    'Free access until: 18 Nov 2026',
    'Expired 18 Nov 2026',
  ],
])('says what a member has paid: %j', (change, fact, line) => {
  const { label, text } = describePaid({ ...member, ...change });
  expect(`${label}: ${text}`).toBe(fact);
  expect(summarisePaid({ ...member, ...change })).toBe(line);
});

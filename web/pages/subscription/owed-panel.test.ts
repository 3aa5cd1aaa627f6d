import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { boot } from '#web/lib/store/boot.ts';
import { describeOwed, listOwedFacts } from './owed-panel.tsx';

const siteZone = boot.timeZone;
beforeAll(() => void (boot.timeZone = 'Africa/Johannesburg'));
afterAll(() => void (boot.timeZone = siteZone));

const day = (text: string): number => Date.parse(`${text}T10:00:00+02:00`);
const DATES = { now: day('2026-11-15') };

const problem = {
  since: day('2026-11-15'),
  until: day('2026-11-20'),
  message: 'Your bank declined the payment: insufficient funds.',
  amount: 79_00,
  retryAt: day('2026-11-16') as number | null,
  needsMember: false,
};
const late = {
  hasAccess: true,
  accessUntil: day('2026-11-18'),
  card: { brand: 'Visa', last4: '0341', expiryMonth: 9, expiryYear: 2046 },
  isHeld: false,
  problem,
};

describe('a payment that is owed', () => {
  it('says since when, how long access lasts, when we try again, and by when to pay', () => {
    expect(listOwedFacts(late, DATES)).toEqual([
      ['Unpaid since', '15 November'],
      ['Premium', 'You keep it until 18 November'],
      ['We try again', 'On 16 November, with Visa ending in 0341'],
      ['Pay by', '20 November, or your subscription ends'],
    ]);
    expect(describeOwed(problem)).toBe('Your bank declined the payment: insufficient funds.');
  });

  it('says that Premium is paused once the grace period is over', () => {
    const paused = { ...late, hasAccess: false };
    expect(listOwedFacts(paused, DATES)).toContainEqual(['Premium', 'Paused until this is paid']);
  });

  const retry = (change: object): string | undefined =>
    listOwedFacts({ ...late, ...change }, DATES).find(([name]) => name === 'We try again')?.[1];

  it('promises no other attempt where there is none', () => {
    expect(retry({ problem: { ...problem, retryAt: null } })).toBe(
      'No, this card can’t be charged again',
    );
    expect(retry({ problem: { ...problem, retryAt: null, needsMember: true } })).toBe(
      'Only once you confirm',
    );
    expect(retry({ isHeld: true })).toBe('Not while your bank decides about the dispute');
    expect(retry({ problem: { ...problem, retryAt: DATES.now }, card: null })).toBe(
      'In a few minutes',
    );
  });

  it('asks the member to confirm what only they can confirm', () => {
    expect(describeOwed({ ...problem, needsMember: true })).toMatch(/^Your bank wants you to/);
  });
});

import { describe, expect, it } from 'vitest';
import { GRACE_MS } from '#contract/rules/access.ts';
import { offlineUntil } from '#contract/rules/lease.ts';
import { accessChange, delayUntil, findPaidThrough } from './access-change.ts';
import { HOUR } from '#contract/rules/time.ts';

const NOW = 1_800_000_000_000;
const person = (change: object = {}) => ({
  id: 'thandi',
  isSubscriber: false,
  isAdmin: false,
  offlineUntil: null,
  ...change,
});
const paid = (paid_through: number) =>
  person({
    isSubscriber: true,
    offlineUntil: offlineUntil({ is_admin: 0, paid_through, grace_ms: GRACE_MS }, NOW),
  });

describe('what changed between two answers', () => {
  it.each([
    ['nobody was known', undefined, person(), 'person'],
    ['somebody left', person(), null, 'person'],
    ['it is somebody else', person(), person({ id: 'lerato' }), 'person'],
    ['they have paid', person(), paid(NOW + HOUR), 'access'],
    ['their access is over', paid(NOW + HOUR), person(), 'access'],
    ['nothing did', paid(NOW + HOUR), paid(NOW + 2 * HOUR), null],
  ])('%s', (_, before, now, change) => expect(accessChange(before, now)).toBe(change));
});

describe('the end of what is paid for', () => {
  it('is read from the answer about the member', () => {
    expect(findPaidThrough(paid(NOW + HOUR))).toBe(NOW + HOUR);
    expect(findPaidThrough(paid(NOW - HOUR))).toBe(NOW - HOUR);
  });

  it('is nothing to those who have none, or who run the site', () => {
    expect(findPaidThrough(null)).toBeNull();
    expect(findPaidThrough(person())).toBeNull();
    expect(findPaidThrough({ ...paid(NOW + HOUR), isAdmin: true })).toBeNull();
  });
});

it('is asked for right after that moment, within what a timer and two clocks allow', () => {
  expect(delayUntil(NOW + HOUR, NOW)).toBe(HOUR + 500);
  expect(delayUntil(NOW + 365 * 24 * HOUR, NOW)).toBe(24 * HOUR);
  expect(delayUntil(NOW - HOUR, NOW)).toBe(5000);
});

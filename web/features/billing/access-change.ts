import type { User } from '#contract/accounts.ts';
import { LEASE_EXTRA_MS } from '#contract/rules/lease.ts';
import { DAY } from '#contract/rules/time.ts';

const SHORTEST_MS = 5_000;
const LONGEST_MS = DAY;

type Person = Pick<User, 'id' | 'isSubscriber' | 'isAdmin' | 'offlineUntil'>;

/** Undefined before anybody was asked. */
export function accessChange(
  before: Person | null | undefined,
  now: Person | null,
): 'person' | 'access' | null {
  if (before?.id !== now?.id) return 'person';
  return before && now && before.isSubscriber !== now.isSubscriber ? 'access' : null;
}

/** The end of what is paid for, which follows from how long kept mixes play; null when it has none. */
export const findPaidThrough = (user: Person | null): number | null =>
  user?.isSubscriber && !user.isAdmin && user.offlineUntil !== null
    ? user.offlineUntil - LEASE_EXTRA_MS
    : null;

/** Right after a moment, but not at once where two clocks disagree, and no longer than a timer can run. */
export const delayUntil = (moment: number, now: number): number =>
  Math.min(LONGEST_MS, Math.max(moment - now + 500, SHORTEST_MS));

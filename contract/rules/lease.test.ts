import { describe, expect, it } from 'vitest';
import { GRACE_MS } from './access.ts';
import { NO_ENDS } from './allowed-files.ts';
import { checkLease, offlineUntil } from './lease.ts';
import { DAY } from './time.ts';

const now = Date.UTC(2026, 10, 15);
const member = (paid_through: number | null) => ({
  is_admin: 0 as const,
  is_helper: 0 as const,
  paid_through,
  grace_ms: GRACE_MS,
});

describe('offline access', () => {
  it('lasts seven days beyond the paid period', () => {
    expect(offlineUntil(member(now + 30 * DAY), NO_ENDS, now)).toBe(now + 37 * DAY);
    expect(offlineUntil(member(now - DAY), NO_ENDS, now)).toBe(now + 6 * DAY);
  });

  it('is not for viewers without full access', () => {
    expect(offlineUntil(null, NO_ENDS, now)).toBeNull();
    expect(offlineUntil(member(null), NO_ENDS, now)).toBeNull();
    expect(offlineUntil(member(now - GRACE_MS), NO_ENDS, now)).toBeNull();
  });

  it('lasts a week at a time for administrators and helpers', () => {
    const admin = { ...member(null), is_admin: 1 as const };
    const helper = { ...member(null), is_helper: 1 as const };
    expect(offlineUntil(admin, NO_ENDS, now)).toBe(now + 7 * DAY);
    expect(offlineUntil(helper, NO_ENDS, now)).toBe(now + 7 * DAY);
  });
});

describe('offline access on a site that stops saving', () => {
  const until = (savingEnd: number) =>
    offlineUntil(member(now + 30 * DAY), { ...NO_ENDS, savingEnd }, now);

  it('ends with it, also on devices that don’t come back', () => {
    expect(until(now + DAY)).toBe(now + DAY);
    expect(until(now + 90 * DAY)).toBe(now + 37 * DAY);
  });

  it('is over once its time has come', () => {
    expect(until(now)).toBeNull();
    expect(until(0)).toBeNull();
  });
});

describe('a lease', () => {
  const lease = { until: now + 10 * DAY, seenAt: now };

  it('is valid until its last millisecond', () => {
    expect(checkLease(lease, now)).toBe('valid');
    expect(checkLease(lease, lease.until - 1)).toBe('valid');
    expect(checkLease(lease, lease.until)).toBe('expired');
  });

  it('stays expired once its end was seen, whatever the clock says later', () => {
    expect(checkLease({ ...lease, seenAt: lease.until }, now)).toBe('expired');
  });

  it('is not valid while the clock is behind the latest time it has shown', () => {
    const seen = { ...lease, seenAt: now + 5 * DAY };
    expect(checkLease(seen, now + 4 * DAY)).toBe('clock-set-back');
    expect(checkLease(seen, now + 5 * DAY - 1000)).toBe('valid');
    expect(checkLease(seen, now + 6 * DAY)).toBe('valid');
  });
});

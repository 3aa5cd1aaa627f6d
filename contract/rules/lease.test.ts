import { describe, expect, it } from 'vitest';
import { GRACE_MS } from './access.ts';
import { judgeLease, LEASE_EXTRA_MS, offlineUntil } from './lease.ts';
import { DAY } from './time.ts';

const now = Date.UTC(2026, 10, 15);
const member = (paid_through: number | null) => ({
  is_admin: 0 as const,
  paid_through,
  grace_ms: GRACE_MS,
});

describe('until when kept mixes play', () => {
  it('is seven days after the period that was paid for', () => {
    expect(LEASE_EXTRA_MS).toBe(7 * DAY);
    expect(offlineUntil(member(now + 30 * DAY), now)).toBe(now + 37 * DAY);
    expect(offlineUntil(member(now - DAY), now)).toBe(now + 6 * DAY);
  });

  it('is never for those who have no access', () => {
    expect(offlineUntil(null, now)).toBeNull();
    expect(offlineUntil(member(null), now)).toBeNull();
    expect(offlineUntil(member(now - GRACE_MS), now)).toBeNull();
  });

  it('is a week at a time for whoever runs the site', () => {
    const admin = { is_admin: 1 as const, paid_through: null, grace_ms: GRACE_MS };
    expect(offlineUntil(admin, now)).toBe(now + 7 * DAY);
  });
});

describe('a lease', () => {
  const lease = { until: now + 10 * DAY, seenAt: now };

  it('holds to its last moment', () => {
    expect(judgeLease(lease, now)).toBe('valid');
    expect(judgeLease(lease, lease.until - 1)).toBe('valid');
    expect(judgeLease(lease, lease.until)).toBe('over');
  });

  it('is over for good once its end was seen, whatever the clock says later', () => {
    expect(judgeLease({ ...lease, seenAt: lease.until }, now)).toBe('over');
  });

  it('does not hold while the clock stands before what it has shown already', () => {
    const seen = { ...lease, seenAt: now + 5 * DAY };
    expect(judgeLease(seen, now + 4 * DAY)).toBe('clock-set-back');
    expect(judgeLease(seen, now + 5 * DAY - 1000)).toBe('valid');
    expect(judgeLease(seen, now + 6 * DAY)).toBe('valid');
  });
});

/** @module-tag both-databases */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chooseCases } from '#tools/testing/random-runs.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import {
  enforceRateLimits,
  releaseRateLimit,
  consumeRateLimit,
  type RateLimit,
} from './rate-limit.ts';
import { toRateLimitAddress } from './address.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

/** A bucket of uses that fills up steadily: the same rule in other words. */
function createBucket({ limit, periodMs }: RateLimit) {
  const interval = Math.ceil(periodMs / limit);
  let missing = 0;
  let last = 0;
  return {
    take(now: number): boolean {
      missing = Math.max(0, missing - (now - last));
      last = now;
      if (missing > periodMs - interval) return false;
      missing += interval;
      return true;
    },
    release() {
      missing -= interval;
    },
  };
}

type Step = { wait: number; isReleased: boolean };
const steps = fc.array(
  fc.record<Step>({ wait: fc.integer({ min: 0, max: 3000 }), isReleased: fc.boolean() }),
  { minLength: 1, maxLength: 30 },
);
const rules = fc.record({
  limit: fc.integer({ min: 1, max: 8 }),
  periodMs: fc.integer({ min: 1000, max: 10_000 }),
});

describe('rate limit', () => {
  it('allows as much as a token bucket, and says when to retry', async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(rules, steps, async (numbers, plan) => {
        run += 1;
        const rule = { name: `model-${run}`, ...numbers };
        const use = { rule, subject: 'x' };
        const bucket = createBucket(rule);
        let now = 1_800_000_000_000;
        for (const { wait, isReleased } of plan) {
          now += wait;
          const decision = await consumeRateLimit(database.db, use, now);
          expect(decision.isAllowed).toBe(bucket.take(now));
          if (decision.isAllowed && isReleased) {
            await releaseRateLimit(database.db, use);
            bucket.release();
          }
          if (!decision.isAllowed) {
            expect(bucket.take(now + decision.retryAfterMs - 1)).toBe(false);
            now += decision.retryAfterMs;
            const later = await consumeRateLimit(database.db, use, now);
            expect([later.isAllowed, bucket.take(now)]).toEqual([true, true]);
          }
        }
      }),
      { numRuns: chooseCases(25, 1000) },
    );
  });

  it('doesn’t exceed the limit with simultaneous requests', async () => {
    const use = { rule: { name: 'race', limit: 5, periodMs: 60_000 }, subject: 'x' };
    const other = database.connectAgain();
    const decisions = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        consumeRateLimit(n % 2 ? database.db : other.db, use, 1_800_000_000_000),
      ),
    );
    expect(decisions.filter((decision) => decision.isAllowed)).toHaveLength(5);
  });

  it('counts each subject and each rule separately', async () => {
    const one = { name: 'one', limit: 1, periodMs: 1000 };
    const two = { name: 'two', limit: 1, periodMs: 1000 };
    const take = async (rule: RateLimit, subject: string) =>
      (await consumeRateLimit(database.db, { rule, subject }, 5000)).isAllowed;
    expect(await take(one, 'a')).toBe(true);
    expect(await take(one, 'a')).toBe(false);
    expect(await take(one, 'b')).toBe(true);
    expect(await take(two, 'a')).toBe(true);
  });

  it('stores subjects only as hashes', async () => {
    const use = { rule: { name: 'hidden', limit: 1, periodMs: 1000 }, subject: 'a@example.com' };
    await consumeRateLimit(database.db, use, 5000);
    const rows = await database.db.selectFrom('rate_limits').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain('example.com');
  });

  it('recovers within its period from a clock that was fast', async () => {
    const rule = { name: 'fast-clock', limit: 3, periodMs: 60_000 };
    const use = { rule, subject: 'x' };
    const now = 1_800_000_000_000;
    const fast = now + 40 * 24 * 3_600_000;
    await consumeRateLimit(database.db, use, fast);
    // As if all uses were taken now: one comes back after a third of the period.
    expect(await consumeRateLimit(database.db, use, now)).toEqual({
      isAllowed: false,
      retryAfterMs: 20_000,
    });
    expect(await consumeRateLimit(database.db, use, now + 20_000)).toEqual({ isAllowed: true });
  });
});

describe('someone with many networks of IPv6', () => {
  const rule = { name: 'many-networks', limit: 2, periodMs: 60_000 };
  const now = 1_800_000_000_000;
  const useFrom = (address: string) => ({ rule, subject: toRateLimitAddress(address) });
  const ask = (address: string) =>
    enforceRateLimits(database.db, [useFrom(address)], now).then(
      () => true,
      () => false,
    );

  it('may do ten times as much with all of a /48 as with one of them, and others are not affected', async () => {
    let allowed = 0;
    for (let n = 0; n < 30; n += 1) if (await ask(`2001:db8:1:${n}::7`)) allowed += 1;
    expect([allowed, await ask('2001:db8:2::7'), await ask('203.0.113.7')]).toEqual([
      20,
      true,
      true,
    ]);
  });

  it('gets back what is released', async () => {
    for (let n = 0; n < 30; n += 1) {
      expect(await ask(`2001:db8:3:${n}::7`)).toBe(true);
      await releaseRateLimit(database.db, useFrom(`2001:db8:3:${n}::7`));
    }
  });
});

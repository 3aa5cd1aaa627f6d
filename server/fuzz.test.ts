import { expect, it } from 'vitest';
import { chooseCases, howToRepeat, randomSeed } from '#tools/testing/random-runs.ts';
import { runFuzz } from '#tools/fuzz/run-fuzz.ts';
import { createTestDatabase } from './testing/test-database.ts';

const REQUESTS = chooseCases(600, 20_000);

it('answers hostile requests clearly, and shows nothing of its inside', async () => {
  const database = await createTestDatabase();
  try {
    const { findings, requests, statuses } = await runFuzz(database, {
      requests: REQUESTS,
      seed: randomSeed,
    });
    expect(findings.length > 0 ? [howToRepeat(randomSeed), ...findings] : []).toEqual([]);
    expect(requests).toBe(REQUESTS);
    // Enough of them are good enough to reach what they ask for.
    expect(statuses.get(200)).toBeGreaterThan(REQUESTS / 20);
  } finally {
    await database.close();
  }
});

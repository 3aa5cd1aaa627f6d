/** @module-tag both-databases */
import { expect, it } from 'vitest';
import type { Fault } from '#tools/chaos/faults.ts';
import { runChaos } from '#tools/chaos/run-chaos.ts';
import { chooseCases } from '#tools/testing/random-runs.ts';
import { createTestDatabase } from './testing/test-database.ts';

/**
 * Killing PostgreSQL itself would hit the other tests: `npm run chaos` does that. With PostgreSQL,
 * `several-servers.test.ts` kills servers and workers, and only the nightly run does it here as well.
 */
const FAULTS = {
  sqlite: ['lock database', 'kill both'],
  postgres: (['cut lines', 'freeze lines', 'kill both'] as const).slice(0, chooseCases(2, 3)),
} satisfies Record<string, Fault[]>;

it('keeps every acknowledged write through faults and kills', async () => {
  const database = await createTestDatabase({ isEmpty: true });
  const { settings } = database;
  const faults = FAULTS[settings.kind];
  try {
    const { losses, failures, journal } = await runChaos({
      ...(settings.kind === 'postgres' && { databaseUrl: settings.url }),
      faults,
      rounds: faults.length,
      writers: 2,
      seed: 17,
    });
    // As text: a report shows what was in it.
    expect([...losses, ...failures, ...journal.bad].join('\n')).toBe('');
    expect(journal.entries.length).toBeGreaterThan(0);
  } finally {
    await database.close();
  }
});

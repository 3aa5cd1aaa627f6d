/** @module-tag both-databases */
import { expect, it } from 'vitest';
import { runSeveralServers } from '#tools/chaos/run-several-servers.ts';
import { findNginxPrograms, NO_NGINX } from '#tools/testing/find-nginx.ts';
import { postgresSources, startFirst } from '#tools/testing/find-postgres.ts';

/** Generous: eight processes start, and six of them again. */
const LIMIT_MS = 300_000;

it(
  'two servers, a worker, PostgreSQL, a store and nginx lose nothing when each is killed',
  { timeout: LIMIT_MS },
  async ({ skip }) => {
    skip(!findNginxPrograms(), NO_NGINX);
    const { platform, arch } = process;
    // One of its own, because other tests would notice its restart.
    const postgres = await startFirst(postgresSources({ platform, arch, env: {} }));
    if (!postgres) throw new Error('There is no PostgreSQL to start.');
    try {
      const { journal, losses, failures, leaks, refusals } = await runSeveralServers(postgres);
      // As text: a report shows what was in it.
      const problems = [...losses, ...leaks, ...failures, ...journal.bad];
      expect(problems.join('\n')).toBe('');
      const kinds = new Set(journal.entries.map(({ kind }) => kind));
      for (const kind of ['account', 'favorite', 'playlist', 'play', 'progress', 'upload'] as const)
        expect(kinds).toContain(kind);
      expect(refusals).toBeGreaterThan(0);
    } finally {
      await postgres.stop();
    }
  },
);

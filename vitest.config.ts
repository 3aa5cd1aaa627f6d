import { defineConfig } from 'vitest/config';

/** A limit for what hangs, not a measure: tests start processes, and machines are busy. */
const LIMITS = { testTimeout: 60_000, hookTimeout: 60_000 };

const SERVER_TESTS = ['server/**/*.test.ts', 'demo/*.test.ts'];
/** Slow, and the same on any database: once is enough. */
const MEDIA_TESTS = 'server/ports/media/**/*.test.ts';
/** Starts whole processes, which bring their own SQLite database. */
const PROCESS_TESTS = 'server/main.test.ts';

export default defineConfig({
  test: {
    // As many as there are cores: much of the time goes to child processes and databases.
    maxWorkers: '100%',
    projects: [
      {
        test: {
          name: 'unit',
          ...LIMITS,
          include: ['{contract,web,tools,demo/*}/**/*.test.{ts,tsx}', MEDIA_TESTS],
          setupFiles: ['tools/testing/fail-on-console-error.ts'],
        },
      },
      {
        test: {
          name: 'server-sqlite',
          include: SERVER_TESTS,
          exclude: [MEDIA_TESTS],
          ...LIMITS,
          env: { TEST_DIALECT: 'sqlite' },
          globalSetup: ['server/testing/setup-sqlite.ts'],
          setupFiles: ['tools/testing/fail-on-console-error.ts'],
        },
      },
      {
        test: {
          name: 'server-postgres',
          include: SERVER_TESTS,
          exclude: [MEDIA_TESTS, PROCESS_TESTS],
          ...LIMITS,
          env: { TEST_DIALECT: 'postgres' },
          globalSetup: ['server/testing/setup-postgres.ts'],
          setupFiles: ['tools/testing/fail-on-console-error.ts'],
        },
      },
    ],
  },
});

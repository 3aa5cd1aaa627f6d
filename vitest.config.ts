import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { icons } from './tools/icons-plugin.ts';

/** A limit for what hangs, not a measure: tests start processes, and machines are busy. */
const LIMITS = {
  testTimeout: 60_000,
  hookTimeout: 60_000,
  expect: { poll: { interval: 20, timeout: 30_000 } },
};

const SERVER_TESTS = ['server/**/*.test.ts', 'demo/*.test.ts'];
/** Files, messages, providers that a fake server plays, and sums: no database is near. */
const TESTS_WITHOUT_DATABASE = [
  'server/ports/{media,storage}/**/*.test.ts',
  'server/ports/mail/smtp-mail.test.ts',
  'server/ports/payments/{*,paystack/**,stripe/**}.test.ts',
  'server/features/billing/{reconcile/reconcile,ledger/paid-through}.test.ts',
];
/** What a second database would prove nothing of; each with where its queries are run on both. */
const SQLITE_ONLY = [
  // Starts whole processes, which bring their own SQLite database.
  'server/main.test.ts',
  'server/stop-with-npm.test.ts',
  // Seconds of making music, between a seed, a job and an ingest that other tests run on both.
  'demo/render-job.test.ts',
];
/** These define jobs of their own, which no other file may find defined. */
const JOB_TESTS = 'server/jobs/**/*.test.ts';

/** The length of a preview is one line of code: these tests run with another value in that line. */
const PREVIEW_TESTS = 'web/app/preview-of-30-seconds.test.tsx';
const previewOf30Seconds = {
  name: 'preview-of-30-seconds',
  transform: (code: string, id: string) =>
    id.endsWith('/contract/rules/preview.ts')
      ? code.replace('PREVIEW_SECONDS = 20;', 'PREVIEW_SECONDS = 30;')
      : undefined,
};

type Dialect = 'sqlite' | 'postgres';

/** Files share what they import: loading the whole server again for each of them takes longer than testing it. */
const project = (
  name: string,
  test: TestProjectInlineConfiguration['test'],
): TestProjectInlineConfiguration => ({
  plugins: [icons()],
  test: {
    name,
    ...LIMITS,
    isolate: false,
    setupFiles: ['tools/testing/fail-on-console-error.ts', 'tools/testing/fix-property-seed.ts'],
    ...test,
  },
});

const onDatabase = (dialect: Dialect) => ({
  env: { TEST_DIALECT: dialect },
  globalSetup: [`server/testing/setup-${dialect}.ts`],
});

const serverProjects = (dialect: Dialect, elsewhere: string[]) => [
  project(`server-${dialect}`, {
    include: SERVER_TESTS,
    exclude: [JOB_TESTS, ...TESTS_WITHOUT_DATABASE, ...elsewhere],
    ...onDatabase(dialect),
  }),
  project(`server-${dialect}-jobs`, {
    include: [JOB_TESTS],
    isolate: true,
    ...onDatabase(dialect),
  }),
];

export default defineConfig({
  test: {
    // As many as there are cores: much of the time goes to child processes and databases.
    maxWorkers: '100%',
    globalSetup: ['server/testing/setup-ffmpeg.ts'],
    projects: [
      project('unit', {
        include: ['{contract,web,tools,demo/*}/**/*.test.{ts,tsx}', ...TESTS_WITHOUT_DATABASE],
        exclude: [PREVIEW_TESTS],
      }),
      {
        ...project('preview-of-30-seconds', { include: [PREVIEW_TESTS], isolate: true }),
        plugins: [icons(), previewOf30Seconds],
      },
      ...serverProjects('sqlite', []),
      ...serverProjects('postgres', SQLITE_ONLY),
    ],
  },
});

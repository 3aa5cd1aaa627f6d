import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { icons } from './tools/icons-plugin.ts';

const root = import.meta.dirname;

/** `npm run test:nightly` runs every server test on both databases. */
const isNightly = process.env.TEST_RUN === 'nightly';

/** Generous, only for tests that hang: tests start processes, and machines may be busy. */
const LIMITS = {
  testTimeout: isNightly ? 1_800_000 : 60_000,
  hookTimeout: isNightly ? 1_800_000 : 60_000,
  expect: { poll: { interval: 20, timeout: 30_000 } },
  // A slow build machine must not fail a whole run; the report lists retried tests as flaky.
  retry: process.env.CI ? 1 : 0,
};

const SERVER_TESTS = ['server/**/*.test.ts', 'demo/*.test.ts'];
/** Tests of files, messages, fake providers and calculations. */
const TESTS_WITHOUT_DATABASE = [
  'server/ports/{media,storage}/**/*.test.ts',
  'server/ports/mail/{smtp-mail,find-mail-problem}.test.ts',
  'server/ports/payments/{*,paystack/**,stripe/**}.test.ts',
  'server/features/achievements/achievement-rules.test.ts',
  'server/features/backup/{kept-days,nightly}.test.ts',
  'server/features/billing/ledger/paid-through.test.ts',
  'server/features/clips/clip-limit.test.ts',
  'server/features/legal/render-markdown.test.ts',
  'server/features/look/convert-images.test.ts',
  'server/features/look/rebuild-svg.test.ts',
  'server/features/member-import/read-members.test.ts',
  'server/features/search/typos.test.ts',
  'server/features/usage/measure-entries.test.ts',
  'server/features/usage-reports/compare-lines.test.ts',
  'server/features/usage-reports/layouts.test.ts',
  'server/http/{load/*,pages/sent-page,send/send-local-file}.test.ts',
  'server/background/passwords.test.ts',
  'server/background/*.test.ts',
];
const UNIT_TESTS = ['{contract,web,tools,demo/*}/**/*.test.{ts,tsx}', ...TESTS_WITHOUT_DATABASE];
/** Running these on PostgreSQL would prove nothing more. */
const SQLITE_ONLY = [
  // Start whole processes with their own SQLite database.
  'server/{main,run-process,start,stop-with-npm}.test.ts',
  // Renders music for seconds; other tests run the seed, the job and the ingest on both databases.
  'demo/render-job.test.ts',
];
/** Start a PostgreSQL of their own. */
const POSTGRES_ONLY = ['server/db/postgres-faults.test.ts', 'server/several-servers.test.ts'];
/**
 * One whose figures depend on the machine, and one that starts and kills fourteen processes;
 * `server/chaos.test.ts` kills them in every run, on both databases.
 */
const NIGHTLY_ONLY = isNightly ? [] : ['tools/load/load.test.ts', 'server/several-servers.test.ts'];
/** These define their own jobs, which other files must not see. */
const JOB_TESTS = 'server/jobs/**/*.test.ts';

/**
 * Every server test runs on SQLite; on PostgreSQL, those with this tag at the top of their file. They
 * run every statement there is: `tools/testing/check-statements.ts` fails if one ran on SQLite only.
 */
const BOTH_DATABASES = 'both-databases';
const isForBoth = (file: string): boolean =>
  readFileSync(join(root, file), 'utf8').startsWith(`/** @module-tag ${BOTH_DATABASES} */`);
const listForPostgres = (patterns: string[]): string[] =>
  isNightly ? patterns : globSync(patterns, { cwd: root }).filter(isForBoth);

/** Modules that use a mocked one would be the wrong ones for other files, and those of others for it. */
const hasMockedModules = (file: string): boolean =>
  /^vi\.mock\(/m.test(readFileSync(join(root, file), 'utf8'));
const UNIT_TESTS_WITH_MOCKS = globSync(UNIT_TESTS, { cwd: root }).filter(hasMockedModules);

/** The length of a preview is one line of code; these tests run with another value there. */
const PREVIEW_TESTS = 'web/pages/preview-of-30-seconds.test.tsx';
const previewOf30Seconds = {
  name: 'preview-of-30-seconds',
  transform: (code: string, id: string) =>
    id.endsWith('/contract/rules/preview.ts')
      ? code.replace('PREVIEW_SECONDS = 20;', 'PREVIEW_SECONDS = 30;')
      : undefined,
};

const SETUP = ['tools/testing/fail-on-console-error.ts', 'tools/testing/random-runs.ts'];

type Dialect = 'sqlite' | 'postgres';

/** Files share their imports: loading the whole server for each file takes longer than testing it. */
const project = (
  name: string,
  test: TestProjectInlineConfiguration['test'],
): TestProjectInlineConfiguration => ({
  plugins: [icons()],
  test: {
    name,
    ...LIMITS,
    isolate: false,
    setupFiles: SETUP,
    tags: [{ name: BOTH_DATABASES, description: 'Runs on SQLite and on PostgreSQL.' }],
    ...test,
  },
});

const onDatabase = (dialect: Dialect) => ({
  env: { TEST_DIALECT: dialect },
  setupFiles: [...SETUP, 'server/testing/record-statements.ts'],
  globalSetup: [`server/testing/setup-${dialect}.ts`],
});

const serverProjects = (
  dialect: Dialect,
  { choose, excluded }: { choose: (patterns: string[]) => string[]; excluded: string[] },
) => [
  project(`server-${dialect}`, {
    include: choose(SERVER_TESTS),
    exclude: [JOB_TESTS, ...TESTS_WITHOUT_DATABASE, ...excluded],
    ...onDatabase(dialect),
  }),
  project(`server-${dialect}-jobs`, {
    include: choose([JOB_TESTS]),
    isolate: true,
    ...onDatabase(dialect),
  }),
];

export default defineConfig({
  test: {
    // One per core: with more, two cores are full and nothing is quicker.
    maxWorkers: '100%',
    globalSetup: ['server/testing/setup-ffmpeg.ts'],
    projects: [
      project('unit', {
        include: UNIT_TESTS,
        exclude: [PREVIEW_TESTS, ...UNIT_TESTS_WITH_MOCKS, ...NIGHTLY_ONLY],
      }),
      project('unit-isolated', { include: UNIT_TESTS_WITH_MOCKS, isolate: true }),
      {
        ...project('preview-of-30-seconds', { include: [PREVIEW_TESTS], isolate: true }),
        plugins: [icons(), previewOf30Seconds],
      },
      ...serverProjects('sqlite', { choose: (all) => all, excluded: POSTGRES_ONLY }),
      ...serverProjects('postgres', {
        choose: listForPostgres,
        excluded: [...SQLITE_ONLY, ...NIGHTLY_ONLY],
      }),
    ],
  },
});

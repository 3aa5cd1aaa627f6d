import { describe, expect, test } from 'vitest';
import {
  closingLine,
  countOne,
  countPlaywright,
  countVitest,
  sumCounts,
  failedInPlaywright,
  failedInVitest,
  flakyInPlaywright,
  flakyInVitest,
  skippedInVitest,
  type PlaywrightSuites,
  summarise,
  type StepResult,
  type VitestFiles,
} from './test-report.ts';

const playwright = { stats: { expected: 20, unexpected: 0, flaky: 0, skipped: 0 } };

const vitestTest = (title: string, status: string, ...failureMessages: string[]) => ({
  ancestorTitles: ['favorites'],
  title,
  status,
  failureMessages,
});
const vitestReport = (...assertionResults: VitestFiles['testResults'][0]['assertionResults']) => ({
  testResults: [{ name: '/site/a.test.ts', status: 'passed', message: '', assertionResults }],
});

describe('the counts of a run', () => {
  const passed = vitestTest('works', 'passed');
  const skipped = {
    ...vitestTest('needs nginx', 'skipped'),
    meta: { skipReason: 'nginx is not installed' },
  };

  test('come from the reports', () => {
    expect(countVitest(vitestReport(passed, passed), true)).toEqual({
      passed: 2,
      failed: 0,
      skipped: 0,
    });
    expect(countVitest(vitestReport(passed, vitestTest('fails', 'failed')), false)).toEqual({
      passed: 1,
      failed: 1,
      skipped: 0,
    });
    expect(countPlaywright(playwright, true)).toEqual({ passed: 20, failed: 0, skipped: 0 });
  });

  test('count tests that were skipped without a reason as failed, and flaky tests as passed', () => {
    const report = vitestReport(
      passed,
      skipped,
      vitestTest('a', 'skipped'),
      vitestTest('b', 'todo'),
    );
    expect(countVitest(report, true)).toEqual({ passed: 1, failed: 2, skipped: 1 });
    const flaky = { stats: { ...playwright.stats, flaky: 1, skipped: 1 } };
    expect(countPlaywright(flaky, true)).toEqual({ passed: 21, failed: 1, skipped: 0 });
  });

  test('include a failure when the run failed without a failed test or a report', () => {
    expect(countVitest(vitestReport(passed), false)).toMatchObject({ passed: 1, failed: 1 });
    expect(countVitest(undefined, true)).toMatchObject({ passed: 0, failed: 1 });
    expect(countPlaywright(playwright, false)).toMatchObject({ passed: 20, failed: 1 });
    expect(countPlaywright(undefined, true)).toMatchObject({ passed: 0, failed: 1 });
  });

  test('add up to the closing line', () => {
    const sum = sumCounts([
      countOne(true),
      countVitest(vitestReport(passed), true),
      countOne(false),
    ]);
    expect(closingLine(sum)).toBe('2 passed, 1 failed');
    expect(closingLine({ ...sum, skipped: 3 })).toBe('2 passed, 1 failed, 3 skipped');
  });
});

test('skipped tests are named by file and reason, and are not listed as failed', () => {
  const meta = { skipReason: 'nginx is not installed' };
  const report = vitestReport(
    { ...vitestTest('balances', 'skipped'), meta },
    { ...vitestTest('retries', 'skipped'), meta },
  );
  expect(skippedInVitest(report, '/site')).toEqual(['a.test.ts: nginx is not installed (2 tests)']);
  expect(failedInVitest(report, '/site')).toEqual([]);
});

describe('failed Vitest tests', () => {
  test('are named by file, suite, test and database', () => {
    const failed = { ...vitestTest('adds one', 'failed', 'expected 1\nto be 2', 'and more') };
    const report = {
      testResults: [
        {
          name: '/site/server/favorites.test.ts',
          status: 'failed',
          message: '',
          assertionResults: [
            vitestTest('lists all', 'passed'),
            { ...failed, meta: { database: 'postgres' } },
          ],
        },
      ],
    };
    expect(failedInVitest(report, '/site')).toEqual([
      {
        name: 'server/favorites.test.ts › favorites › adds one (postgres)',
        error: 'expected 1\nto be 2\nand more',
      },
    ]);
  });

  test('that passed on retry count as passed, and are listed as flaky', () => {
    const flaky = vitestTest('adds one', 'passed', 'too slow');
    const report = vitestReport(vitestTest('lists all', 'passed'), flaky);
    expect(countVitest(report, true)).toEqual({ passed: 2, failed: 0, skipped: 0 });
    expect(failedInVitest(report, '/site')).toEqual([]);
    expect(flakyInVitest(report, '/site')).toEqual([
      { name: 'a.test.ts › favorites › adds one', error: 'too slow' },
    ]);
  });

  test('include tests that did not run and files that do not load', () => {
    const file = (name: string, message: string, ...assertionResults: (typeof skipped)[]) => ({
      name: `C:\\site\\${name}`,
      status: message ? 'failed' : 'passed',
      message,
      assertionResults,
    });
    const skipped = vitestTest('is skipped', 'skipped');
    const testResults = [file('a.test.ts', '', skipped), file('b.test.ts', 'No such module')];
    expect(failedInVitest({ testResults }, 'C:\\site')).toEqual([
      { name: 'a.test.ts › favorites › is skipped: did not run (skipped)', error: '' },
      { name: 'b.test.ts', error: 'No such module' },
    ]);
  });
});

const spec = (title: string, status: string, ...tries: string[][]) => ({
  title,
  file: 'shell.spec.ts',
  line: 7,
  tests: [
    {
      status,
      results: tries.map((errors) => ({ errors: errors.map((message) => ({ message })) })),
    },
  ],
});

const playwrightSuites: PlaywrightSuites = {
  errors: [],
  suites: [
    {
      title: 'shell.spec.ts',
      specs: [spec('opens', 'expected', []), spec('closes', 'flaky', ['too slow'], [])],
      suites: [
        {
          title: 'the menu',
          specs: [spec('shows', 'unexpected', ['not there', 'nor here']), spec('waits', 'skipped')],
        },
      ],
    },
  ],
};

describe('failed Playwright tests', () => {
  test('are named by file, line, suite and test', () => {
    expect(failedInPlaywright(playwrightSuites)).toEqual([
      { name: 'e2e/shell.spec.ts:7 › the menu › shows', error: 'not there\nnor here' },
      {
        name: 'e2e/shell.spec.ts:7 › the menu › waits: did not run (skipped)',
        error: '',
      },
    ]);
  });

  test('includes failures outside the tests', () => {
    const report = { suites: [], errors: [{ message: 'The server did not start.' }] };
    expect(failedInPlaywright(report)).toEqual([
      { name: 'Outside of the tests', error: 'The server did not start.' },
    ]);
  });

  test('lists flaky tests separately', () => {
    expect(flakyInPlaywright(playwrightSuites)).toEqual([
      { name: 'e2e/shell.spec.ts:7 › closes', error: 'too slow' },
    ]);
  });
});

const step = (name: string, overrides: Partial<StepResult> = {}): StepResult => ({
  name,
  seconds: 1.25,
  counts: { passed: 1, failed: 0, skipped: 0 },
  failed: [],
  flaky: [],
  skipped: [],
  lastLines: [],
  ...overrides,
});
const isFailed = { counts: { passed: 0, failed: 1, skipped: 0 } };

test('a run without failures prints only its table', () => {
  const lines = summarise([step('Lint', { lastLines: ['all fine'] })]);
  expect(lines).toEqual(['━━ Summary', expect.stringMatching(/^✓ Lint +1\.[23] s {2}1 passed/)]);
});

test('each failed test is listed after the table with the start of its error', () => {
  const error = `\u001b[31mnot this\u001b[39m\n  at run (/site/node_modules/a.js)\n\n${'but that\n'.repeat(20)}`;
  const failed = [{ name: 'a.test.ts › adds', error }];
  const lines = summarise([step('Unit', { ...isFailed, failed, lastLines: ['noise'] })]);
  expect(lines.slice(2)).toEqual([
    '',
    '━━ Failed: Unit',
    '✗ a.test.ts › adds',
    '    not this',
    ...Array.from({ length: 14 }, () => '    but that'),
    '…'.padStart(5),
  ]);
});

test('a step that fails without a failed test shows the end of its output', () => {
  const lines = summarise([step('Lint', { ...isFailed, lastLines: ['x.ts:1 is wrong'] })]);
  expect(lines.slice(2)).toEqual(['', '━━ Failed: Lint', 'x.ts:1 is wrong']);
});

test('a step with a test that never ran shows the end of its output too', () => {
  const failed = [{ name: 'a.test.ts › adds: did not run (skipped)', error: '' }];
  const lines = summarise([step('Unit', { ...isFailed, failed, lastLines: ['no setup'] })]);
  expect(lines.slice(3)).toEqual([
    '━━ Failed: Unit',
    '✗ a.test.ts › adds: did not run (skipped)',
    'no setup',
  ]);
});

test('a step that did not run says why in the table only', () => {
  const lines = summarise([step('End to end', { ...isFailed, note: 'not run, because …' })]);
  expect(lines).toEqual(['━━ Summary', expect.stringMatching(/^✗ End to end .* not run, because/)]);
});

test('only the first of many failures are listed, and the rest are counted', () => {
  const failed = Array.from({ length: 25 }, (_, index) => ({
    name: `test ${index}`,
    error: 'x',
  }));
  const lines = summarise([step('Unit', { ...isFailed, failed })]);
  expect(lines.slice(-3)).toEqual(['✗ test 19', '    x', '… and 5 more.']);
});

test('a flaky test is listed with the error of its first attempt', () => {
  const flaky = [{ name: 'e2e/shell.spec.ts:7 › closes', error: 'too slow' }];
  const lines = summarise([step('End to end', { flaky })]);
  expect(lines.slice(2)).toEqual([
    '',
    '━━ Passed only on retry',
    '~ e2e/shell.spec.ts:7 › closes',
    '    too slow',
  ]);
});

test('what the machine could not run is listed below the table', () => {
  const lines = summarise([
    step('Unit', { skipped: ['a.test.ts: nginx is not installed (2 tests)'] }),
  ]);
  expect(lines.slice(2)).toEqual([
    '',
    '━━ Did not run on this machine',
    '– a.test.ts: nginx is not installed (2 tests)',
  ]);
});

import { describe, expect, test } from 'vitest';
import {
  failedInPlaywright,
  failedInVitest,
  unsteadyInPlaywright,
  type PlaywrightSuites,
} from './failed-tests.ts';

const vitestTest = (title: string, status: string, ...failureMessages: string[]) => ({
  ancestorTitles: ['favorites'],
  title,
  status,
  failureMessages,
});

describe('what failed in Vitest', () => {
  test('is named with its file, suite, test and database', () => {
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

  test('includes what did not run, and a file that does not load', () => {
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

const playwright: PlaywrightSuites = {
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

describe('what failed in Playwright', () => {
  test('is named with its file, line, suite and test', () => {
    expect(failedInPlaywright(playwright)).toEqual([
      { name: 'e2e/shell.spec.ts:7 › the menu › shows', error: 'not there\nnor here' },
      { name: 'e2e/shell.spec.ts:7 › the menu › waits: did not run (skipped)', error: '' },
    ]);
  });

  test('includes what failed before any test', () => {
    const report = { suites: [], errors: [{ message: 'The server did not start.' }] };
    expect(failedInPlaywright(report)).toEqual([
      { name: 'Outside of the tests', error: 'The server did not start.' },
    ]);
  });

  test('at its first try only is told apart', () => {
    expect(unsteadyInPlaywright(playwright)).toEqual([
      { name: 'e2e/shell.spec.ts:7 › closes', error: 'too slow' },
    ]);
  });
});

import { expect, test } from 'vitest';
import { summarise, type StepResult } from './test-summary.ts';

const step = (name: string, overrides: Partial<StepResult> = {}): StepResult => ({
  name,
  seconds: 1.25,
  counts: { passed: 1, failed: 0 },
  failed: [],
  unsteady: [],
  lastLines: [],
  ...overrides,
});
const isFailed = { counts: { passed: 0, failed: 1 } };

test('a run without a failure is summed up in its table', () => {
  const lines = summarise([step('Lint', { lastLines: ['all fine'] })]);
  expect(lines).toEqual(['━━ Summary', expect.stringMatching(/^✓ Lint +1\.[23] s {2}1 passed/)]);
});

test('each failed test is named after the table, with the beginning of its error', () => {
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

test('a step that fails without a test shows the end of what it printed', () => {
  const lines = summarise([step('Lint', { ...isFailed, lastLines: ['x.ts:1 is wrong'] })]);
  expect(lines.slice(2)).toEqual(['', '━━ Failed: Lint', 'x.ts:1 is wrong']);
});

test('so does one with a test that never ran, as the reason is told outside of it', () => {
  const failed = [{ name: 'a.test.ts › adds: did not run (skipped)', error: '' }];
  const lines = summarise([step('Unit', { ...isFailed, failed, lastLines: ['no setup'] })]);
  expect(lines.slice(3)).toEqual([
    '━━ Failed: Unit',
    '✗ a.test.ts › adds: did not run (skipped)',
    'no setup',
  ]);
});

test('a step that did not run says why in the table alone', () => {
  const lines = summarise([step('End to end', { ...isFailed, note: 'not run, because …' })]);
  expect(lines).toEqual(['━━ Summary', expect.stringMatching(/^✗ End to end .* not run, because/)]);
});

test('of very many failures the first are told and the rest counted', () => {
  const failed = Array.from({ length: 25 }, (_, index) => ({
    name: `test ${index}`,
    error: 'x',
  }));
  const lines = summarise([step('Unit', { ...isFailed, failed })]);
  expect(lines.slice(-3)).toEqual(['✗ test 19', '    x', '… and 5 more.']);
});

test('a second try that passed is named, with what the first one said', () => {
  const unsteady = [{ name: 'e2e/shell.spec.ts:7 › closes', error: 'too slow' }];
  const lines = summarise([step('End to end', { unsteady })]);
  expect(lines.slice(2)).toEqual([
    '',
    '━━ Passed only at a second try',
    '~ e2e/shell.spec.ts:7 › closes',
    '    too slow',
  ]);
});

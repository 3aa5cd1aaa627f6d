import { expect, it } from 'vitest';
import { formatReport, isGood, type Outcome } from './report.ts';

const made = (browser: string, width: number, journey: string, problem: string | null = null) => ({
  browser,
  version: '1.0',
  width,
  journey,
  problem,
});
const missing = { browser: 'webkit', version: null } as const;

it('has a row for each journey, and says what was not tried', () => {
  const outcomes: Outcome[] = [
    made('chromium', 390, 'Home'),
    made('chromium', 390, 'Queue', 'It never happened: button “Queue”'),
    made('chromium', 1440, 'Home'),
    missing,
  ];
  expect(formatReport(outcomes).split('\n')).toEqual([
    '| Journey | chromium 1.0, 390 px | chromium 1.0, 1440 px | webkit |',
    '| --- | --- | --- | --- |',
    '| Home | works | works | not tried |',
    '| Queue | FAILED | not tried | not tried |',
    'FAILED chromium 390, Queue: It never happened: button “Queue”',
    'Not tried: webkit is not on this machine.',
  ]);
});

it.each<[string, Outcome[], string[], boolean]>([
  ['what was tried works', [made('firefox', 390, 'Home'), missing], [], true],
  ['a required browser is there', [made('firefox', 390, 'Home'), missing], ['firefox'], true],
  ['a required browser is missing', [made('firefox', 390, 'Home'), missing], ['webkit'], false],
  ['a journey failed', [made('firefox', 390, 'Home', 'no')], [], false],
  ['nothing was tried', [missing], [], false],
])('judges a run in which %s', (_case, outcomes, required, isFine) => {
  expect(isGood(outcomes, required)).toBe(isFine);
});

import { describe, expect, test } from 'vitest';
import { closingLine, countOne, countPlaywright, countVitest, sumCounts } from './test-counts.ts';

const vitest = { numPassedTests: 40, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0 };
const playwright = { stats: { expected: 20, unexpected: 0, flaky: 0, skipped: 0 } };

describe('the numbers of a run', () => {
  test('are those of the reports', () => {
    expect(countVitest(vitest, true)).toEqual({ passed: 40, failed: 0 });
    expect(countVitest({ ...vitest, numFailedTests: 2 }, false)).toEqual({ passed: 40, failed: 2 });
    expect(countPlaywright(playwright, true)).toEqual({ passed: 20, failed: 0 });
  });

  test('count skipped and unwritten tests as failed, and a second try that passes as passed', () => {
    const skipped = { ...vitest, numPendingTests: 1, numTodoTests: 2 };
    expect(countVitest(skipped, true)).toEqual({ passed: 40, failed: 3 });
    const flaky = { stats: { ...playwright.stats, flaky: 1, skipped: 1 } };
    expect(countPlaywright(flaky, true)).toEqual({ passed: 21, failed: 1 });
  });

  test('show a failure when the run failed but no test did, or left no report', () => {
    expect(countVitest(vitest, false)).toEqual({ passed: 40, failed: 1 });
    expect(countVitest(undefined, true)).toEqual({ passed: 0, failed: 1 });
    expect(countPlaywright(playwright, false)).toEqual({ passed: 20, failed: 1 });
    expect(countPlaywright(undefined, true)).toEqual({ passed: 0, failed: 1 });
  });

  test('add up to the closing line', () => {
    const sum = sumCounts([countOne(true), countVitest(vitest, true), countOne(false)]);
    expect(closingLine(sum)).toBe('41 passed, 1 failed');
  });
});

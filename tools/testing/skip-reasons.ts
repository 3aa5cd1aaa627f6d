import type { Reporter, TestCase } from 'vitest/node';

/** Adds the reason of `ctx.skip('…')` to the JSON report, which leaves it out. */
// oxlint-disable-next-line import/no-default-export -- Vitest loads reporters this way
export default class SkipReasons implements Reporter {
  onTestCaseResult(test: TestCase): void {
    const result = test.result();
    if (result.state === 'skipped' && result.note)
      Object.assign(test.meta(), { skipReason: result.note });
  }
}

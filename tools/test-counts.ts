/** How a step went, in numbers. A step without tests of its own counts as one. */
export type Counts = { passed: number; failed: number };

export type VitestReport = {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
};
export type PlaywrightReport = {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
};

export const countOne = (isPassed: boolean): Counts =>
  isPassed ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };

/** A run can fail beside its tests (a file that does not load, an error nobody awaited): that counts too. */
const withFailedRun = (counts: Counts, isPassed: boolean): Counts =>
  isPassed || counts.failed > 0 ? counts : { ...counts, failed: 1 };

/** A skipped test is a failed one: nobody would notice it otherwise. */
export function countVitest(report: VitestReport | undefined, isPassed: boolean): Counts {
  if (!report) return countOne(false);
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = report;
  const failed = numFailedTests + numPendingTests + numTodoTests;
  return withFailedRun({ passed: numPassedTests, failed }, isPassed);
}

/** One that passed at its second try passed; the run names it, so that somebody looks into it. */
export function countPlaywright(report: PlaywrightReport | undefined, isPassed: boolean): Counts {
  if (!report) return countOne(false);
  const { expected, unexpected, flaky, skipped } = report.stats;
  return withFailedRun({ passed: expected + flaky, failed: unexpected + skipped }, isPassed);
}

export function sumCounts(all: Counts[]): Counts {
  const sum = (field: keyof Counts): number =>
    all.reduce((total, counts) => total + counts[field], 0);
  return { passed: sum('passed'), failed: sum('failed') };
}

export const closingLine = ({ passed, failed }: Counts): string =>
  `${passed} passed, ${failed} failed`;

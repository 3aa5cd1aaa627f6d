import { stripVTControlCharacters } from 'node:util';

/** The tests of a step. A step without tests counts as one. */
export type Counts = { passed: number; failed: number; skipped: number };

export type PlaywrightReport = {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
};

export const countOne = (isPassed: boolean): Counts =>
  isPassed ? { passed: 1, failed: 0, skipped: 0 } : { passed: 0, failed: 1, skipped: 0 };

/** A run can fail outside its tests, for example when a file does not load: that counts too. */
const withFailedRun = (counts: Counts, isPassed: boolean): Counts =>
  isPassed || counts.failed > 0 ? counts : { ...counts, failed: 1 };

/** A test that was skipped without a reason counts as failed, or no one would notice it. */
export function countVitest(report: VitestFiles | undefined, isPassed: boolean): Counts {
  if (!report) return countOne(false);
  const tests = report.testResults.flatMap(({ assertionResults }) => assertionResults);
  const passed = tests.filter(({ status }) => status === 'passed').length;
  const skipped = tests.filter(isSkipped).length;
  const failed = tests.length - passed - skipped;
  return withFailedRun({ passed, failed, skipped }, isPassed);
}

/** A flaky test counts as passed; the summary lists it so that someone looks into it. */
export function countPlaywright(report: PlaywrightReport | undefined, isPassed: boolean): Counts {
  if (!report) return countOne(false);
  const { expected, unexpected, flaky, skipped } = report.stats;
  const failed = unexpected + skipped;
  return withFailedRun({ passed: expected + flaky, failed, skipped: 0 }, isPassed);
}

export function sumCounts(all: Counts[]): Counts {
  const sum = (field: keyof Counts): number =>
    all.reduce((total, counts) => total + counts[field], 0);
  return { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') };
}

export const closingLine = ({ passed, failed, skipped }: Counts): string =>
  `${passed} passed, ${failed} failed` + (skipped > 0 ? `, ${skipped} skipped` : '');

/** A failed or flaky test. The error is empty when the test never ran. */
export type FailedTest = { name: string; error: string };

type VitestTest = {
  ancestorTitles: string[];
  title: string;
  status: string;
  failureMessages: string[] | null;
  meta?: { database?: string; skipReason?: string };
};
export type VitestFiles = {
  testResults: { name: string; status: string; message: string; assertionResults: VitestTest[] }[];
};

type PlaywrightResult = { status?: string; errors: { message?: string }[] };
type PlaywrightSpec = {
  title: string;
  file: string;
  line: number;
  tests: { status: string; results: PlaywrightResult[] }[];
};
type PlaywrightSuite = { title: string; specs: PlaywrightSpec[]; suites?: PlaywrightSuite[] };
export type PlaywrightSuites = { suites: PlaywrightSuite[]; errors: { message?: string }[] };

/** It says why it can't run on this machine; `skip-reasons.ts` passes that on. */
const isSkipped = ({ meta }: VitestTest): boolean => meta?.skipReason !== undefined;

const joinName = (...parts: string[]): string => parts.filter((part) => part !== '').join(' › ');

const nameTest = (file: string, { ancestorTitles, title, meta }: VitestTest): string =>
  joinName(file, ...ancestorTitles, title) + (meta?.database ? ` (${meta.database})` : '');

const buildNotRun = (name: string, status: string): FailedTest => ({
  name: `${name}: did not run (${status})`,
  error: '',
});

const nameFile = (path: string, root: string): string =>
  path.replaceAll('\\', '/').replace(`${root.replaceAll('\\', '/')}/`, '');

/** What this machine left out: a line for each file and reason. */
export function skippedInVitest(report: VitestFiles, root: string): string[] {
  const counts = new Map<string, number>();
  for (const { name, assertionResults } of report.testResults)
    for (const { meta } of assertionResults.filter(isSkipped)) {
      const line = `${nameFile(name, root)}: ${meta?.skipReason}`;
      counts.set(line, (counts.get(line) ?? 0) + 1);
    }
  return [...counts].map(([line, count]) => `${line} (${count} ${count === 1 ? 'test' : 'tests'})`);
}

/** Tests that failed or never ran, with file names relative to `root`. */
export function failedInVitest(report: VitestFiles, root: string): FailedTest[] {
  return report.testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = nameFile(name, root);
    const failed = assertionResults
      .filter((test) => test.status !== 'passed' && !isSkipped(test))
      .map((test) => {
        const error = test.failureMessages?.join('\n') ?? '';
        return error
          ? { name: nameTest(file, test), error }
          : buildNotRun(nameTest(file, test), test.status);
      });
    // A file can fail outside its tests, for example when it does not load.
    if (status === 'failed' && message) failed.unshift({ name: file, error: message });
    return failed;
  });
}

/** Tests that passed only on retry, with the error of the first attempt. */
export const flakyInVitest = (report: VitestFiles, root: string): FailedTest[] =>
  report.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status, failureMessages }) => status === 'passed' && failureMessages?.length)
      .map((test) => ({
        name: nameTest(nameFile(name, root), test),
        error: test.failureMessages?.join('\n') ?? '',
      })),
  );

const joinErrors = (results: PlaywrightResult[]): string =>
  results
    .flatMap(({ errors }) => errors)
    .map(({ message }) => message ?? '')
    .join('\n');

function listTests(
  isListed: (status: string) => boolean,
  { specs, suites = [] }: PlaywrightSuite,
  parents: string[] = [],
): FailedTest[] {
  const here = specs.flatMap(({ title, file, line, tests }) =>
    tests
      .filter((test) => isListed(test.status))
      .map(({ status, results }) => {
        const name = joinName(`e2e/${file}:${line}`, ...parents, title);
        const error = joinErrors(results);
        return error ? { name, error } : buildNotRun(name, status);
      }),
  );
  // The outermost suite is the file itself, which the name starts with.
  const inner = suites.flatMap((suite) => listTests(isListed, suite, [...parents, suite.title]));
  return [...here, ...inner];
}

export function failedInPlaywright({ suites, errors }: PlaywrightSuites): FailedTest[] {
  const isFailed = (status: string): boolean => status !== 'expected' && status !== 'flaky';
  const outside = errors.map(({ message }) => ({
    name: 'Outside of the tests',
    error: message ?? '',
  }));
  return [...outside, ...suites.flatMap((suite) => listTests(isFailed, suite))];
}

/** Tests that passed only on retry, with the error of the first attempt. */
export const flakyInPlaywright = ({ suites }: PlaywrightSuites): FailedTest[] =>
  suites.flatMap((suite) => listTests((status) => status === 'flaky', suite));

export type StepResult = {
  name: string;
  seconds: number;
  counts: Counts;
  /** Why it did not run. */
  note?: string;
  failed: FailedTest[];
  /** Passed only on retry. */
  flaky: FailedTest[];
  /** What this machine can't run, and why. */
  skipped: string[];
  /** The end of its output. */
  lastLines: string[];
};

const ERROR_LINES = 15;
/** When hundreds fail, the first few usually say why. */
const LISTED_TESTS = 20;

const formatStep = ({ counts, name, seconds, note }: StepResult): string => {
  const mark = counts.failed > 0 ? '✗' : '✓';
  const detail = note ?? closingLine(counts);
  return `${mark} ${name.padEnd(52)} ${seconds.toFixed(1).padStart(6)} s  ${detail}`;
};

function shortenError(error: string): string[] {
  const lines = stripVTControlCharacters(error)
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^\s+at .*node_modules/.test(line));
  const shown = lines.slice(0, ERROR_LINES);
  return (shown.length < lines.length ? [...shown, '…'] : shown).map((line) => `    ${line}`);
}

function formatTests(mark: string, tests: FailedTest[]): string[] {
  const listed = tests
    .slice(0, LISTED_TESTS)
    .flatMap(({ name, error }) => [`${mark} ${name}`, ...shortenError(error)]);
  const rest = tests.length - LISTED_TESTS;
  return rest > 0 ? [...listed, `… and ${rest} more.`] : listed;
}

/** Lists the failed tests, and the end of the output when they do not say what went wrong. */
function formatFailure({ name, counts, note, failed, lastLines }: StepResult): string[] {
  if (counts.failed === 0 || note !== undefined) return [];
  const needsOutput = failed.length === 0 || failed.some(({ error }) => error === '');
  return ['', `━━ Failed: ${name}`, ...formatTests('✗', failed), ...(needsOutput ? lastLines : [])];
}

/** Failures come last: CI often keeps only the end of a log. */
export function summarise(results: StepResult[]): string[] {
  const flaky = formatTests(
    '~',
    results.flatMap((result) => result.flaky),
  );
  const skipped = results.flatMap((result) => result.skipped.map((line) => `– ${line}`));
  return [
    '━━ Summary',
    ...results.map(formatStep),
    ...(skipped.length > 0 ? ['', '━━ Did not run on this machine', ...skipped] : []),
    ...results.flatMap(formatFailure),
    ...(flaky.length > 0 ? ['', '━━ Passed only on retry', ...flaky] : []),
  ];
}

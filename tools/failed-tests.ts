/** A test somebody has to look into, with what went wrong; without where it never ran. */
export type FailedTest = { name: string; error: string };

type VitestTest = {
  ancestorTitles: string[];
  title: string;
  status: string;
  failureMessages: string[] | null;
  meta?: { database?: string };
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

const joinName = (...parts: string[]): string => parts.filter((part) => part !== '').join(' › ');

const nameTest = (file: string, { ancestorTitles, title, meta }: VitestTest): string =>
  joinName(file, ...ancestorTitles, title) + (meta?.database ? ` (${meta.database})` : '');

const tellNotRun = (name: string, status: string): FailedTest => ({
  name: `${name}: did not run (${status})`,
  error: '',
});

/** What failed, and what never ran: the files are named from `root` on. */
export function failedInVitest(report: VitestFiles, root: string): FailedTest[] {
  return report.testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = name.replaceAll('\\', '/').replace(`${root.replaceAll('\\', '/')}/`, '');
    const failed = assertionResults
      .filter((test) => test.status !== 'passed')
      .map((test) => {
        const error = test.failureMessages?.join('\n') ?? '';
        return error
          ? { name: nameTest(file, test), error }
          : tellNotRun(nameTest(file, test), test.status);
      });
    // A file can fail beside its tests, for instance when it does not load.
    if (status === 'failed' && message) failed.unshift({ name: file, error: message });
    return failed;
  });
}

const describeTries = (results: PlaywrightResult[]): string =>
  results
    .flatMap(({ errors }) => errors)
    .map(({ message }) => message ?? '')
    .join('\n');

function listTests(
  isListed: (status: string) => boolean,
  { specs, suites = [] }: PlaywrightSuite,
  above: string[] = [],
): FailedTest[] {
  const here = specs.flatMap(({ title, file, line, tests }) =>
    tests
      .filter((test) => isListed(test.status))
      .map(({ status, results }) => {
        const name = joinName(`e2e/${file}:${line}`, ...above, title);
        const error = describeTries(results);
        return error ? { name, error } : tellNotRun(name, status);
      }),
  );
  // The outermost suite is the file itself, which the name begins with.
  const inner = suites.flatMap((suite) => listTests(isListed, suite, [...above, suite.title]));
  return [...here, ...inner];
}

export function failedInPlaywright({ suites, errors }: PlaywrightSuites): FailedTest[] {
  const isFailed = (status: string): boolean => status !== 'expected' && status !== 'flaky';
  const beside = errors.map(({ message }) => ({
    name: 'Outside of the tests',
    error: message ?? '',
  }));
  return [...beside, ...suites.flatMap((suite) => listTests(isFailed, suite))];
}

/** Those that passed only at a second try, with what the first one said. */
export const unsteadyInPlaywright = ({ suites }: PlaywrightSuites): FailedTest[] =>
  suites.flatMap((suite) => listTests((status) => status === 'flaky', suite));

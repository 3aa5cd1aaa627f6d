import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  failedInPlaywright,
  failedInVitest,
  flakyInPlaywright,
  flakyInVitest,
  type PlaywrightSuites,
  type VitestFiles,
  closingLine,
  countOne,
  countPlaywright,
  countVitest,
  sumCounts,
  type PlaywrightReport,
  skippedInVitest,
  summarise,
  type StepResult,
} from './testing/test-report.ts';
import { runNodeAndCapture } from './run-node.ts';
import { checkMachine, listNeeds } from './testing/preflight.ts';

const PARTS = ['types', 'lint', 'unit', 'build', 'e2e'] as const;
type Part = (typeof PARTS)[number];
/** They run beside the tests, in the time that those leave idle while they wait for something. */
const CHECKS: Part[] = ['types', 'lint'];

/** The part of a step's result that comes from its report. */
type ReportResult = Pick<StepResult, 'counts' | 'failed' | 'flaky' | 'skipped'>;

type Step = {
  part: Part;
  name: string;
  /** A script and its arguments; the pinned Node runs it. */
  args: string[];
  env?: Record<string, string>;
  needs?: string;
  parseReport?: (isPassed: boolean) => Promise<ReportResult>;
};

const root = join(import.meta.dirname, '..');
const reports = join(root, '.cache', 'reports');
const vitestReport = join(reports, 'vitest.json');
const playwrightReport = join(reports, 'playwright.json');

const bin = (path: string): string => join(root, 'node_modules', path);

/** Collecting garbage less often takes a fifth less CPU time of the compiler and the linter. */
const LESS_COLLECTING = { GOGC: '400' };

const checkTypes = (name: string, project: string): Step => ({
  part: 'types',
  name: `Types: ${name}`,
  // Each checker loads all the types again: one needs half the CPU time of the default four.
  args: [bin('typescript/bin/tsc'), '-p', project, '--checkers', '1'],
  env: LESS_COLLECTING,
});

async function readReport<T>(path: string): Promise<T | undefined> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as T);
}

const buildResult = (isPassed: boolean): ReportResult => ({
  counts: countOne(isPassed),
  failed: [],
  flaky: [],
  skipped: [],
});

async function parseVitestReport(isPassed: boolean): Promise<ReportResult> {
  const report = await readReport<VitestFiles>(vitestReport);
  return {
    counts: countVitest(report, isPassed),
    failed: report ? failedInVitest(report, root) : [],
    flaky: report ? flakyInVitest(report, root) : [],
    skipped: report ? skippedInVitest(report, root) : [],
  };
}

async function parsePlaywrightReport(isPassed: boolean): Promise<ReportResult> {
  const report = await readReport<PlaywrightReport & PlaywrightSuites>(playwrightReport);
  return {
    counts: countPlaywright(report, isPassed),
    failed: report ? failedInPlaywright(report) : [],
    flaky: report ? flakyInPlaywright(report) : [],
    skipped: [],
  };
}

const BUILD = 'Build and bundle size';
const TESTS = 'Unit and server tests';
const STATEMENTS = 'Every statement on both databases';

const steps: Step[] = [
  {
    part: 'lint',
    name: 'Format',
    args: [bin('oxfmt/bin/oxfmt'), '--check'],
  },
  checkTypes('server, tools', 'server'),
  checkTypes('web', 'web'),
  checkTypes('service worker', 'web/offline/worker'),
  checkTypes('end-to-end', 'e2e'),
  {
    part: 'lint',
    name: 'Lint',
    args: [bin('oxlint/bin/oxlint'), '--type-aware', '--deny-warnings'],
    // It starts a checker per core, and each loads all the types.
    env: { GOMAXPROCS: '1', ...LESS_COLLECTING },
  },
  {
    part: 'lint',
    name: 'Unused files, exports and packages',
    args: [bin('knip/bin/knip.js'), '--treat-config-hints-as-errors'],
  },
  {
    part: 'lint',
    name: 'Packages of the app itself',
    args: [bin('knip/bin/knip.js'), '--production', '--strict', '--include', 'unlisted'],
  },
  { part: 'lint', name: 'Colour contrast', args: ['tools/testing/contrast-check.ts'] },
  {
    part: 'unit',
    name: TESTS,
    args: [
      bin('vitest/vitest.mjs'),
      'run',
      '--reporter=default',
      '--reporter=json',
      '--reporter=./tools/testing/skip-reasons.ts',
      `--outputFile.json=${vitestReport}`,
    ],
    parseReport: parseVitestReport,
  },
  {
    part: 'unit',
    name: STATEMENTS,
    args: ['tools/testing/check-statements.ts'],
    needs: TESTS,
  },
  { part: 'build', name: BUILD, args: ['tools/build-web.ts', '--fail-on-warnings'] },
  {
    part: 'e2e',
    name: 'End to end, in a browser',
    args: [bin('@playwright/test/cli.js'), 'test'],
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: playwrightReport },
    needs: BUILD,
    parseReport: parsePlaywrightReport,
  },
];

async function runStep(step: Step, extra: string[], failed: Set<string>): Promise<StepResult> {
  const { name, needs } = step;
  console.log(`\n━━ ${name}`);
  if (needs && failed.has(needs)) {
    const note = `not run, because "${needs}" failed`;
    console.error(`${name}: ${note}.`);
    return { name, ...buildResult(false), seconds: 0, note, lastLines: [] };
  }
  const start = performance.now();
  const env = { ...process.env, ...step.env };
  const { code, lastLines } = await runNodeAndCapture([...step.args, ...extra], env, {
    onlyWhenIdle: CHECKS.includes(step.part),
  });
  const seconds = (performance.now() - start) / 1000;
  const result = (await step.parseReport?.(code === 0)) ?? buildResult(code === 0);
  return { name, ...result, seconds, lastLines };
}

/** Needs no server, database or browser: what to run after every change. */
const CHECK = 'check';
const UNIT_PROJECTS = ['--project', 'unit*', '--project', 'preview-of-30-seconds'];

/** `npm test -- e2e shell.spec.ts` runs one part with the remaining arguments. The browser tests need a build. */
function chooseSteps(part: string | undefined): Step[] {
  if (part === undefined) return steps;
  if (part === CHECK)
    return steps
      .filter(({ part: of, name }) => ['types', 'lint', 'unit'].includes(of) && name !== STATEMENTS)
      .map((step) =>
        step.part === 'unit'
          ? { ...step, name: 'Unit tests', args: [...step.args, ...UNIT_PROJECTS] }
          : step,
      );
  if (!PARTS.some((name) => name === part)) {
    throw new Error(`There is no part "${part}". The parts are ${PARTS.join(', ')}.`);
  }
  return steps.filter((step) => step.part === part || (part === 'e2e' && step.name === BUILD));
}

// The tests start whole servers many times: they share compiled code.
process.env.NODE_COMPILE_CACHE ??= join(root, '.cache', 'compiled');
// Of this run only: another may run at the same time.
process.env.STATEMENTS_FOLDER = join(root, '.cache', 'statements', String(process.pid));

const args = process.argv.slice(2);
if (args[0] === 'nightly') {
  args.shift();
  process.env.TEST_RUN = 'nightly';
  process.env.RANDOM_SEED ??= String(Date.now() % 1_000_000_000);
  console.log(`Everything on both databases; random tests start from ${process.env.RANDOM_SEED}.`);
}
const [part, ...extra] = args;
const chosen = chooseSteps(part);
const chosenParts = new Set(part === CHECK ? [] : chosen.map((step) => step.part));
// Before anything else: nobody should wait for minutes to learn that a program is missing.
if (!(await checkMachine(listNeeds(chosenParts)))) process.exit(1);
await rm(reports, { recursive: true, force: true });
await mkdir(reports, { recursive: true });

const results: StepResult[] = [];

async function runInOrder(queue: Step[]): Promise<void> {
  for (let step = queue.shift(); step; step = queue.shift()) {
    const failed = new Set(results.filter((r) => r.counts.failed > 0).map((r) => r.name));
    results.push(await runStep(step, step.part === part ? extra : [], failed));
  }
}

const choose = (...parts: Part[]): Step[] => chosen.filter((step) => parts.includes(step.part));

async function runTests(): Promise<void> {
  await Promise.all([runInOrder(choose('unit')), runInOrder(choose('build'))]);
  await runInOrder(choose('e2e'));
}

await Promise.all([runTests(), runInOrder(choose(...CHECKS))]);

console.log(['', ...summarise(results), ''].join('\n'));
const total = sumCounts(results.map(({ counts }) => counts));
process.exitCode = total.failed > 0 ? 1 : 0;
console.log(closingLine(total));

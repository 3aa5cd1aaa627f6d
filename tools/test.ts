import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  failedInPlaywright,
  failedInVitest,
  unsteadyInPlaywright,
  type PlaywrightSuites,
  type VitestFiles,
} from './failed-tests.ts';
import { runNodeKeeping } from './run-node.ts';
import {
  closingLine,
  countOne,
  countPlaywright,
  countVitest,
  sumCounts,
  type PlaywrightReport,
  type VitestReport,
} from './test-counts.ts';
import { summarise, type StepResult } from './test-summary.ts';

const PARTS = ['types', 'lint', 'unit', 'build', 'e2e'] as const;
type Part = (typeof PARTS)[number];

/** What a report says of its step. */
type Told = Pick<StepResult, 'counts' | 'failed' | 'unsteady'>;

type Step = {
  part: Part;
  name: string;
  /** A script and its arguments, run with the pinned Node. */
  args: string[];
  env?: Record<string, string>;
  needs?: string;
  tell?: (isPassed: boolean) => Promise<Told>;
};

const root = join(import.meta.dirname, '..');
const reports = join(root, '.cache', 'reports');
const vitestReport = join(reports, 'vitest.json');
const playwrightReport = join(reports, 'playwright.json');

const bin = (path: string): string => join(root, 'node_modules', path);

/** Each checker learns the types anew: one takes half the work of the four that are usual. */
const checkTypes = (project: string): string[] =>
  [bin('typescript/bin/tsc'), '-p', project].concat('--checkers', '1');

async function readReport<T>(path: string): Promise<T | undefined> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as T);
}

const tellOne = (isPassed: boolean): Told => ({
  counts: countOne(isPassed),
  failed: [],
  unsteady: [],
});

async function tellVitest(isPassed: boolean): Promise<Told> {
  const report = await readReport<VitestReport & VitestFiles>(vitestReport);
  const failed = report ? failedInVitest(report, root) : [];
  return { counts: countVitest(report, isPassed), failed, unsteady: [] };
}

async function tellPlaywright(isPassed: boolean): Promise<Told> {
  const report = await readReport<PlaywrightReport & PlaywrightSuites>(playwrightReport);
  return {
    counts: countPlaywright(report, isPassed),
    failed: report ? failedInPlaywright(report) : [],
    unsteady: report ? unsteadyInPlaywright(report) : [],
  };
}

const BUILD = 'Build and its size';

const steps: Step[] = [
  {
    part: 'lint',
    name: 'Format',
    args: [bin('oxfmt/bin/oxfmt'), '--check'],
  },
  { part: 'types', name: 'Types: server, tools', args: checkTypes('server') },
  { part: 'types', name: 'Types: web', args: checkTypes('web') },
  { part: 'types', name: 'Types: service worker', args: checkTypes('web/service-worker') },
  { part: 'types', name: 'Types: end-to-end', args: checkTypes('e2e') },
  {
    part: 'lint',
    name: 'Lint',
    args: [bin('oxlint/bin/oxlint'), '--type-aware', '--deny-warnings'],
    // Its checkers, of which there is one for each core, learn the same types too.
    env: { GOMAXPROCS: '1' },
  },
  { part: 'lint', name: 'Contrast of the colours', args: ['tools/contrast-check.ts'] },
  {
    part: 'unit',
    name: 'Unit tests, and server tests on SQLite and PostgreSQL',
    args: [
      bin('vitest/vitest.mjs'),
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${vitestReport}`,
    ],
    tell: tellVitest,
  },
  { part: 'build', name: BUILD, args: ['tools/build-web.ts'] },
  {
    part: 'e2e',
    name: 'End to end, in a browser',
    args: [bin('@playwright/test/cli.js'), 'test'],
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: playwrightReport },
    needs: BUILD,
    tell: tellPlaywright,
  },
];

async function runStep(step: Step, extra: string[], failed: Set<string>): Promise<StepResult> {
  const { name, needs } = step;
  console.log(`\n━━ ${name}`);
  if (needs && failed.has(needs)) {
    const note = `not run, because "${needs}" failed`;
    console.error(`${name}: ${note}.`);
    return { name, ...tellOne(false), seconds: 0, note, lastLines: [] };
  }
  const start = performance.now();
  const env = { ...process.env, ...step.env };
  const { code, lastLines } = await runNodeKeeping([...step.args, ...extra], env);
  const seconds = (performance.now() - start) / 1000;
  const told = (await step.tell?.(code === 0)) ?? tellOne(code === 0);
  return { name, ...told, seconds, lastLines };
}

/** `npm test -- e2e shell.spec.ts` runs one part and hands it the rest. The browser tests need a build. */
function chooseSteps(part: string | undefined): Step[] {
  if (part === undefined) return steps;
  if (!PARTS.some((name) => name === part)) {
    throw new Error(`There is no part "${part}". The parts are ${PARTS.join(', ')}.`);
  }
  return steps.filter((step) => step.part === part || (part === 'e2e' && step.name === BUILD));
}

// Whole servers are started many times: what one has compiled the next need not.
process.env.NODE_COMPILE_CACHE ??= join(root, '.cache', 'compiled');

const [part, ...extra] = process.argv.slice(2);
const chosen = chooseSteps(part);
await rm(reports, { recursive: true, force: true });
await mkdir(reports, { recursive: true });

const results: StepResult[] = [];

async function runNext(waiting: Step[]): Promise<void> {
  for (let step = waiting.shift(); step; step = waiting.shift()) {
    const failed = new Set(results.filter((r) => r.counts.failed > 0).map((r) => r.name));
    results.push(await runStep(step, step.part === part ? extra : [], failed));
  }
}

// Tests wait for processes and databases: what else there is to do fills that time. Not so in a
// browser, where somebody waits for the page.
const take = (...parts: Part[]): Step[] => chosen.filter((step) => parts.includes(step.part));
await Promise.all([runNext(take('unit')), runNext(take('types', 'lint', 'build'))]);
await runNext(take('e2e'));

console.log(['', ...summarise(results), ''].join('\n'));
const total = sumCounts(results.map(({ counts }) => counts));
process.exitCode = total.failed > 0 ? 1 : 0;
console.log(closingLine(total));

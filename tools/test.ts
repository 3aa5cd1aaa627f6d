import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { runNode } from './run-node.ts';
import {
  closingLine,
  countOne,
  countPlaywright,
  countVitest,
  sumCounts,
  type Counts,
  type PlaywrightReport,
  type VitestReport,
} from './test-counts.ts';

const PARTS = ['types', 'lint', 'unit', 'build', 'e2e'] as const;
type Part = (typeof PARTS)[number];

type Step = {
  part: Part;
  name: string;
  /** A script and its arguments, run with the pinned Node. */
  args: string[];
  env?: Record<string, string>;
  needs?: string;
  count?: (isPassed: boolean) => Promise<Counts>;
};

const root = join(import.meta.dirname, '..');
const reports = join(root, '.cache', 'reports');
const vitestReport = join(reports, 'vitest.json');
const playwrightReport = join(reports, 'playwright.json');

const bin = (path: string): string => join(root, 'node_modules', path);
const tsc = bin('typescript/bin/tsc');

async function readReport<T>(path: string): Promise<T | undefined> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as T);
}

const BUILD = 'Build and its size';

const steps: Step[] = [
  {
    part: 'lint',
    name: 'Format',
    args: [bin('prettier/bin/prettier.cjs'), '--check', '--log-level', 'warn', '.'],
  },
  { part: 'types', name: 'Types: server, tools', args: [tsc, '-p', 'server'] },
  { part: 'types', name: 'Types: web', args: [tsc, '-p', 'web'] },
  { part: 'types', name: 'Types: service worker', args: [tsc, '-p', 'web/service-worker'] },
  { part: 'types', name: 'Types: end-to-end', args: [tsc, '-p', 'e2e'] },
  {
    part: 'lint',
    name: 'Lint',
    args: [bin('oxlint/bin/oxlint'), '--type-aware', '--deny-warnings'],
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
    count: async (isPassed) => countVitest(await readReport<VitestReport>(vitestReport), isPassed),
  },
  { part: 'build', name: BUILD, args: ['tools/build-web.ts'] },
  {
    part: 'e2e',
    name: 'End to end, in a browser',
    args: [bin('@playwright/test/cli.js'), 'test'],
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: playwrightReport },
    needs: BUILD,
    count: async (isPassed) =>
      countPlaywright(await readReport<PlaywrightReport>(playwrightReport), isPassed),
  },
];

type Result = { step: Step; counts: Counts; seconds: number; note?: string };

async function runStep(step: Step, extra: string[], failed: Set<string>): Promise<Result> {
  console.log(`\n━━ ${step.name}`);
  if (step.needs && failed.has(step.needs)) {
    const note = `not run, because "${step.needs}" failed`;
    console.error(`${step.name}: ${note}.`);
    return { step, counts: countOne(false), seconds: 0, note };
  }
  const start = performance.now();
  const code = await runNode([...step.args, ...extra], { ...process.env, ...step.env });
  const counts = (await step.count?.(code === 0)) ?? countOne(code === 0);
  return { step, counts, seconds: (performance.now() - start) / 1000 };
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

const results: Result[] = [];

async function runNext(waiting: Step[]): Promise<void> {
  for (let step = waiting.shift(); step; step = waiting.shift()) {
    const failed = new Set(results.filter((r) => r.counts.failed > 0).map((r) => r.step.name));
    results.push(await runStep(step, step.part === part ? extra : [], failed));
  }
}

// Tests wait for processes and databases: what else there is to do fills that time. Not so in a
// browser, where somebody waits for the page.
const take = (...parts: Part[]): Step[] => chosen.filter((step) => parts.includes(step.part));
await Promise.all([runNext(take('unit')), runNext(take('types', 'lint'))]);
await runNext(take('build', 'e2e'));

console.log('\n━━ Summary');
for (const { step, counts, seconds, note } of results) {
  const mark = counts.failed > 0 ? '✗' : '✓';
  const detail = note ?? closingLine(counts);
  console.log(`${mark} ${step.name.padEnd(52)} ${seconds.toFixed(1).padStart(6)} s  ${detail}`);
}
const total = sumCounts(results.map(({ counts }) => counts));
process.exitCode = total.failed > 0 ? 1 : 0;
console.log(closingLine(total));

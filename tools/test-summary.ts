import { stripVTControlCharacters } from 'node:util';
import type { FailedTest } from './failed-tests.ts';
import { closingLine, type Counts } from './test-counts.ts';

export type StepResult = {
  name: string;
  seconds: number;
  counts: Counts;
  /** Why it did not run. */
  note?: string;
  failed: FailedTest[];
  /** Passed at a second try only. */
  unsteady: FailedTest[];
  /** The end of what it printed. */
  lastLines: string[];
};

const ERROR_LINES = 15;
/** Where hundreds fail, the first few say why. */
const TESTS_TOLD = 20;

const listOne = ({ counts, name, seconds, note }: StepResult): string => {
  const mark = counts.failed > 0 ? '✗' : '✓';
  const detail = note ?? closingLine(counts);
  return `${mark} ${name.padEnd(52)} ${seconds.toFixed(1).padStart(6)} s  ${detail}`;
};

function shortenError(error: string): string[] {
  const lines = stripVTControlCharacters(error)
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^\s+at .*node_modules/.test(line));
  const told = lines.slice(0, ERROR_LINES);
  return (told.length < lines.length ? [...told, '…'] : told).map((line) => `    ${line}`);
}

function tellTests(mark: string, tests: FailedTest[]): string[] {
  const told = tests
    .slice(0, TESTS_TOLD)
    .flatMap(({ name, error }) => [`${mark} ${name}`, ...shortenError(error)]);
  const untold = tests.length - TESTS_TOLD;
  return untold > 0 ? [...told, `… and ${untold} more.`] : told;
}

/** The tests by name; where they do not say what is wrong, the end of what was printed. */
function tellFailure({ name, counts, note, failed, lastLines }: StepResult): string[] {
  if (counts.failed === 0 || note !== undefined) return [];
  const isUntold = failed.length === 0 || failed.some(({ error }) => error === '');
  return ['', `━━ Failed: ${name}`, ...tellTests('✗', failed), ...(isUntold ? lastLines : [])];
}

/** Ends with what a long log is opened for: build machines keep the end alone. */
export function summarise(results: StepResult[]): string[] {
  const unsteady = tellTests(
    '~',
    results.flatMap((result) => result.unsteady),
  );
  return [
    '━━ Summary',
    ...results.map(listOne),
    ...results.flatMap(tellFailure),
    ...(unsteady.length > 0 ? ['', '━━ Passed only at a second try', ...unsteady] : []),
  ];
}

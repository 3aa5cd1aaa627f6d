import { appendFileSync, mkdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { DefaultQueryExecutor, SqliteAdapter, type CompiledQuery, type QueryResult } from 'kysely';
import { expect } from 'vitest';
import { STATEMENTS, type Statement } from '#tools/testing/statements.ts';

/**
 * Writes down each statement that the product runs in a test, once per process, so that the run can
 * check that none ran on SQLite only. What tests run themselves doesn't count.
 */

const root = join(import.meta.dirname, '..', '..');
/** Of the stack: as many as can be between a query and whoever runs it, or prepares it. */
const FRAMES = { run: 12, prepare: 8 };
const IS_OUR_OWN = /\/node_modules\/|record-statements\.ts/;
/** In the path below the root: the folder that the project is in may have any name. */
const IS_TEST = /\.test\.ts|\bserver\/testing\/|\btools\//;

const isOfProduct = {
  run: ([caller = '']: string[]): boolean =>
    !IS_TEST.test(caller.replace('file://', '').replace(root, '')),
  /** Prepared queries are only compiled by Kysely: a reader of their own runs them. */
  prepare: (callers: string[]): boolean =>
    callers.slice(0, 3).some((caller) => caller.includes('/db/prepare-query.ts')),
};

const listFiles = (_error: Error, frames: NodeJS.CallSite[]): string[] =>
  frames.map((frame) => frame.getFileName() ?? '');

/**
 * The files of ours that led here, innermost first. Their names are enough: finding the lines, too,
 * would take a twentieth of the time of all tests, as tests repeat statements of their own.
 */
function listCallers(frames: number): string[] {
  const { stackTraceLimit, prepareStackTrace } = Error;
  Error.stackTraceLimit = frames;
  Error.prepareStackTrace = listFiles;
  const here: { stack?: unknown } = {};
  Error.captureStackTrace(here);
  const files = here.stack as string[];
  Object.assign(Error, { stackTraceLimit, prepareStackTrace });
  return files.filter((file) => !IS_OUR_OWN.test(file));
}

function startRecording(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${process.pid}.jsonl`);
  const known = { sqlite: new Set<string>(), postgres: new Set<string>() };

  function record(
    { adapter }: DefaultQueryExecutor,
    { sql }: CompiledQuery,
    by: 'run' | 'prepare',
  ): void {
    const database = adapter instanceof SqliteAdapter ? 'sqlite' : 'postgres';
    if (known[database].has(sql) || !isOfProduct[by](listCallers(FRAMES[by]))) return;
    known[database].add(sql);
    const { testPath = '', currentTestName = '' } = expect.getState();
    const test = `${relative(root, testPath)} › ${currentTestName}`;
    const statement: Statement = { database, sql, test };
    appendFileSync(file, `${JSON.stringify(statement)}\n`);
  }

  const executor = DefaultQueryExecutor.prototype;
  const { compileQuery, executeQuery, stream } = executor;
  executor.executeQuery = function execute<R>(
    this: DefaultQueryExecutor,
    ...args: Parameters<typeof executeQuery>
  ) {
    record(this, args[0], 'run');
    return executeQuery.call(this, ...args) as Promise<QueryResult<R>>;
  };
  executor.stream = function execute<R>(
    this: DefaultQueryExecutor,
    ...args: Parameters<typeof stream>
  ) {
    record(this, args[0], 'run');
    return stream.call(this, ...args) as AsyncIterableIterator<QueryResult<R>>;
  };
  executor.compileQuery = function compile(...args) {
    const query = compileQuery.apply(this, args);
    record(this, query, 'prepare');
    return query;
  };
}

const started = Symbol.for('weekender.isRecordingStatements');
const globals = globalThis as { [started]?: boolean };
// Each file of a process runs this again.
if (STATEMENTS !== undefined && !globals[started]) {
  startRecording(STATEMENTS);
  globals[started] = true;
}

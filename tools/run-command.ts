import { parseArgs } from 'node:util';
import { readConfig } from '#server/config.ts';
import { migrate } from '#server/db/migrate.ts';
import { closeDeps, createDeps, type Deps } from '#server/deps.ts';
import { ConsoleProblem } from '#server/features/console/service.ts';
import { AppError } from '#server/http/app-error.ts';
import { createLog } from '#server/http/log.ts';
import { describeStartError, ensureDataDir } from '#server/start-problem.ts';

/** What a person can do something about is told in a sentence; anything else with its stack. */
function describe(error: unknown): string {
  if (error instanceof ConsoleProblem || error instanceof AppError) return error.message;
  return describeStartError(error) ?? (error as Error).stack ?? String(error);
}

type Flags = ReadonlySet<string>;

/** A command that ends: what it answers is printed, and what it throws ends it with 1. */
export async function runPlainCommand(
  work: (args: readonly string[], flags: Flags) => Promise<string>,
): Promise<void> {
  try {
    const { positionals, values } = parseArgs({ strict: false, allowPositionals: true });
    console.log(await work(positionals, new Set(Object.keys(values))));
  } catch (error) {
    console.error(describe(error));
    process.exitCode = 1;
  }
}

/** Beside the server: the same settings, the same database. */
export const runCommand = (
  work: (deps: Deps, args: readonly string[], flags: Flags) => Promise<string>,
): Promise<void> =>
  runPlainCommand(async (args, flags) => {
    const config = readConfig();
    await ensureDataDir(config);
    const deps = createDeps(config, { log: createLog('warn') });
    try {
      await migrate(deps.database, deps.clock.now());
      return await work(deps, args, flags);
    } finally {
      await closeDeps(deps);
    }
  });

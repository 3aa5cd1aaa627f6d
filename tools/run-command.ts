import { parseArgs } from 'node:util';
import { readConfig } from '#server/config.ts';
import { migrate } from '#server/db/schema/migrate.ts';
import { closeDeps, createDeps, type Deps } from '#server/deps.ts';
import { ConsoleProblem } from '#server/features/console/service.ts';
import { AppError } from '#server/http/route/app-error.ts';
import { createLog } from '#server/log/log.ts';
import { createFilesPrivately } from '#server/private-files.ts';
import { describeStartError, ensureDataDir } from '#server/start-problem.ts';

/** A sentence for problems that the operator can fix; the stack for anything else. */
export function describe(error: unknown): string {
  if (error instanceof ConsoleProblem || error instanceof AppError) return error.message;
  return describeStartError(error) ?? (error as Error).stack ?? String(error);
}

type Flags = ReadonlySet<string>;

/** Prints the result of a command. If it throws, prints the error and exits with 1. */
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

/** Runs a command with the server's settings and database. */
export const runCommand = (
  work: (deps: Deps, args: readonly string[], flags: Flags) => Promise<string>,
): Promise<void> =>
  runPlainCommand(async (args, flags) => {
    const config = readConfig();
    createFilesPrivately(config);
    await ensureDataDir(config);
    const deps = await createDeps(config, { log: createLog('warn') });
    try {
      await migrate(deps.database, deps.clock.now());
      return await work(deps, args, flags);
    } finally {
      await closeDeps(deps);
    }
  });

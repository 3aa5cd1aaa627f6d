import { access, constants, mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ConfigError, type Config } from './config.ts';

/** A problem the person who starts the server can solve; its message is all they need. */
export class StartProblem extends Error {
  override name = 'StartProblem';
}

/** Step by step, because Node's own recursive version never returns below /proc. */
async function makeFolder(path: string) {
  const found = await stat(path).catch(() => null);
  if (found?.isDirectory()) return;
  if (dirname(path) !== path) await makeFolder(dirname(path));
  await mkdir(path).catch((error: unknown) => {
    // Another process that starts at the same time may have been quicker.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  });
}

export async function ensureDataDir({ dataDir }: Config) {
  try {
    await makeFolder(dataDir);
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartProblem(
      `The data folder ${dataDir} cannot be written to (${code}). Set DATA_DIR to a folder of yours, or change its permissions.`,
    );
  }
}

/** The sentence for a known problem, or null for one that needs its stack. */
export function describeStartError(error: unknown, config?: Config): string | null {
  if (error instanceof ConfigError || error instanceof StartProblem) return error.message;
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE')
    return `Port ${config?.port} is in use already. Stop the other program, or set PORT to another number.`;
  if (code === 'EACCES' || code === 'EADDRNOTAVAIL')
    return `Listening on ${config?.host}:${config?.port} is not possible (${code}). Set HOST and PORT to an address of this machine and a free port.`;
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND')
    return `The database does not answer (${code}). Check DATABASE_URL and that PostgreSQL runs.`;
  if (code === '28P01' || code === '28000' || code === '3D000')
    return `The database refused the connection: ${(error as Error).message}. Check DATABASE_URL.`;
  return null;
}

import { access, constants, mkdir } from 'node:fs/promises';
import { ConfigError, type Config } from './config.ts';

/** A problem the person who starts the server can solve; its message is all they need. */
export class StartProblem extends Error {
  override name = 'StartProblem';
}

export async function ensureDataDir({ dataDir }: Config) {
  try {
    await mkdir(dataDir, { recursive: true });
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
  return null;
}

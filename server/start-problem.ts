import { access, constants, mkdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ConfigError, type Config } from './config.ts';
import { isTestKey } from './payments-settings.ts';

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

const unreachable = new Set(['ECONNREFUSED', 'ENOTFOUND', 'ETIMEDOUT', 'EAI_AGAIN', 'ECONNRESET']);
/** The words of the PostgreSQL client, which gives its own time-outs no code. */
const timeouts = /connection timeout|timeout expired|timeout exceeded when trying to connect/;

/** By the low byte of SQLite's code; the others say which kind of that error it is. */
function describeSqliteError(error: unknown, { dataDir }: Pick<Config, 'dataDir'>): string | null {
  const file = join(dataDir, 'database.sqlite');
  const { errcode } = error as { errcode?: number };
  const what = {
    5: `is locked by another program. Stop it,`,
    6: `is locked by another program. Stop it,`,
    14: `cannot be opened. Change its permissions,`,
    26: `is something else. Move it away,`,
  }[(errcode ?? 0) & 0xff];
  return what ? `The database file ${file} ${what} or set DATA_DIR to another folder.` : null;
}

/** The sentence for a known problem, or null for one that needs its stack. */
export function describeStartError(error: unknown, config?: Config): string | null {
  if (error instanceof ConfigError || error instanceof StartProblem) return error.message;
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE')
    return `Port ${config?.port} is in use already. Stop the other program, or set PORT to another number.`;
  if (code === 'EACCES' || code === 'EADDRNOTAVAIL')
    return `Listening on ${config?.host}:${config?.port} is not possible (${code}). Set HOST and PORT to an address of this machine and a free port.`;
  if (code && unreachable.has(code))
    return `The database does not answer (${code}). Check DATABASE_URL and that PostgreSQL runs.`;
  if (timeouts.test(message))
    return 'The database does not answer in time. Check DATABASE_URL and that PostgreSQL runs.';
  if (code === '28P01' || code === '28000' || code === '3D000')
    return `The database refused the connection: ${message}. Check DATABASE_URL.`;
  return config ? describeSqliteError(error, config) : null;
}

/** What works, but hardly the way it was meant. */
export function listWarnings({ demo, smtp, payments }: Config): string[] {
  if (demo) return [];
  return [
    ...(smtp
      ? []
      : [
          'SMTP_URL is not set: no message reaches anybody. They lie in the outbox table, reset links included, for seven days.',
        ]),
    ...(isTestKey(payments)
      ? [
          `The key of ${payments.provider} is one of its test mode: anybody gets Premium with a test card, and no money arrives.`,
        ]
      : []),
  ];
}

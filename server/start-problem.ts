import { access, constants, mkdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ConfigError, type Config } from './config.ts';
import { isLoopbackName } from './loopback.ts';
import { findOutage } from './outage.ts';
import { isTestKey } from './payments-settings.ts';

/** A problem that the operator can fix; its message says how. */
export class StartProblem extends Error {
  override name = 'StartProblem';
}

/** Folder by folder, because Node's recursive mkdir never returns below /proc. */
async function createFolder(path: string) {
  const found = await stat(path).catch(() => null);
  if (found?.isDirectory()) return;
  if (dirname(path) !== path) await createFolder(dirname(path));
  await mkdir(path).catch((error: unknown) => {
    // Another process that starts at the same time may have created it.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  });
}

export async function ensureDataDir({ dataDir }: Config) {
  try {
    await createFolder(dataDir);
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartProblem(
      `Can't write to the data folder ${dataDir} (${code}). Set DATA_DIR to another folder, or change its permissions.`,
    );
  }
}

/** What a restore that was killed leaves behind. */
const HALF_RESTORED = [join('files', '.restoring'), 'database.sqlite.restoring'];

/** Before the database is opened, which would create an empty one. */
export async function refuseHalfRestored({ dataDir }: Pick<Config, 'dataDir'>) {
  for (const name of HALF_RESTORED)
    if (await stat(join(dataDir, name)).catch(() => null))
      throw new StartProblem(
        `A restore into ${dataDir} was interrupted (${name} is left). Run “npm run restore” with the same backup again and add --replace.`,
      );
}

const unreachable = new Set(['ECONNREFUSED', 'ENOTFOUND', 'ETIMEDOUT', 'EAI_AGAIN', 'ECONNRESET']);
/** Messages of the PostgreSQL client, whose time-outs have no code. */
const timeouts = /connection timeout|timeout expired|timeout exceeded when trying to connect/;

/** By the low byte of SQLite's error code; the others give details. */
function describeSqliteError(error: unknown, { dataDir }: Pick<Config, 'dataDir'>): string | null {
  const file = join(dataDir, 'database.sqlite');
  const { errcode } = error as { errcode?: number };
  const what = {
    5: `is locked by another program. Stop it,`,
    6: `is locked by another program. Stop it,`,
    8: `can't be written. Change its permissions,`,
    10: `can't be read or written. Check its disk,`,
    11: `is damaged. Restore a backup,`,
    13: `has no space left on its disk. Free some,`,
    14: `can't be opened. Change its permissions,`,
    26: `is not this app's database. Move it,`,
  }[(errcode ?? 0) & 0xff];
  return what ? `The database file ${file} ${what} or set DATA_DIR to another folder.` : null;
}

/** A message for a known problem, or null for one that needs its stack. */
export function describeStartError(error: unknown, config?: Config): string | null {
  if (error instanceof ConfigError || error instanceof StartProblem) return error.message;
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE')
    return `Port ${config?.port} is already in use. Stop the other program, or set PORT to another number.`;
  if (code === 'EACCES' || code === 'EADDRNOTAVAIL')
    return `Can't listen on ${config?.host}:${config?.port} (${code}). Set HOST and PORT to an address of this machine and a free port.`;
  if ((code && unreachable.has(code)) || findOutage(error)?.kind === 'lost')
    return `Can't reach the database (${code ?? message}). Check DATABASE_URL and that PostgreSQL is running.`;
  if (timeouts.test(message))
    return 'The database took too long to respond. Check DATABASE_URL and that PostgreSQL is running.';
  if (code === '53100' || code === 'ENOSPC' || code === 'EDQUOT')
    return `No space is left on the disk (${code}). Free some, then start again.`;
  if (code === '28P01' || code === '28000' || code === '3D000')
    return `The database rejected the connection: ${message}. Check DATABASE_URL.`;
  return config ? describeSqliteError(error, config) : null;
}

/** Over the internet. A name without a dot is one of this machine's or its containers' network. */
function isUnencryptedDatabase(databaseUrl: string | null): boolean {
  const url = URL.parse(databaseUrl ?? '');
  if (!url || isLoopbackName(url.hostname) || !/[.:]/.test(url.hostname)) return false;
  const mode = url.searchParams.get('sslmode');
  return !url.searchParams.has('host') && (mode === null || mode === 'disable');
}

/** Settings that work, but probably not as intended. */
export function listWarnings({ demo, smtp, payments, databaseUrl }: Config): string[] {
  if (demo) return [];
  return [
    ...(isUnencryptedDatabase(databaseUrl)
      ? [
          'DATABASE_URL doesn’t ask for TLS: passwords and members’ data may cross the network unencrypted. Add ?sslmode=verify-full, unless that network is yours alone.',
        ]
      : []),
    ...(smtp
      ? []
      : [
          'SMTP_URL is not set: no e-mail will be sent. Messages, including reset links, stay in the outbox table for seven days.',
        ]),
    ...(isTestKey(payments)
      ? [
          `This is a ${payments.provider} test key: anyone can get Premium with a test card, and no money arrives.`,
        ]
      : []),
  ];
}

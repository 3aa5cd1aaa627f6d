import type { z } from 'zod';
import type { RegisterBody } from '#contract/accounts.ts';
import type { Db, Tx } from '../../db/connect.ts';
import type { SetupLinksTable } from '../../db/types/operations-tables.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/route/app-error.ts';
import { hashToken, newToken } from '../../http/route/tokens.ts';
import { hashPassword } from '../../background/passwords.ts';
import {
  createAdministrator,
  listUsableAdministrators,
  refuseEasyPassword,
  type LoggedIn,
  type LoginContext,
} from '../accounts/service.ts';
import { recordAction } from '../audit/service.ts';
import { startSession } from '../sessions/service.ts';
import { HOUR } from '#contract/rules/time.ts';

export const LINK_HOURS = 24;
/** A server that starts more often within a day has other problems. */
const MAX_LINKS = 10;

/** Links of earlier starts keep working, in case someone copied one before a restart. */
async function addLink(tx: Db, link: SetupLinksTable) {
  await tx.deleteFrom('setup_links').where('expires_at', '<=', link.created_at).execute();
  await tx.insertInto('setup_links').values(link).execute();
  const tooOld = await tx
    .selectFrom('setup_links')
    .select('token_hash')
    .orderBy('created_at', 'desc')
    .orderBy('token_hash')
    .offset(MAX_LINKS)
    .limit(MAX_LINKS)
    .execute();
  const hashes = tooOld.map(({ token_hash }) => token_hash);
  if (hashes.length > 0)
    await tx.deleteFrom('setup_links').where('token_hash', 'in', hashes).execute();
}

async function hasLink(db: Db, tokenHash: string, now: number): Promise<boolean> {
  const row = await db
    .selectFrom('setup_links')
    .select('token_hash')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return row !== undefined;
}

/** Deletes all links, so that only one setup can succeed. */
async function deleteLinks(tx: Db, tokenHash: string, now: number): Promise<boolean> {
  const deleted = await tx
    .deleteFrom('setup_links')
    .returning(['token_hash', 'expires_at'])
    .execute();
  return deleted.some((link) => link.token_hash === tokenHash && link.expires_at > now);
}

async function isNeeded(tx: Tx, deps: Deps): Promise<boolean> {
  if (deps.config.demo) return false;
  return (await listUsableAdministrators(tx, deps)).length === 0;
}

/** A link that creates the first administrator; null if there is one already. */
export async function offerSetup(deps: Deps): Promise<string | null> {
  const { database, clock, site } = deps;
  const token = newToken();
  const now = clock.now();
  const isOffered = await database.db.transaction().execute(async (tx) => {
    if (!(await isNeeded(tx, deps))) return false;
    const expires_at = now + LINK_HOURS * HOUR;
    await addLink(tx, { token_hash: hashToken(token), created_at: now, expires_at });
    return true;
  });
  return isOffered ? `${site.origin}/setup/${token}` : null;
}

export async function isSetupOpen(deps: Deps, token: string): Promise<boolean> {
  const { database, clock } = deps;
  if (!(await hasLink(database.db, hashToken(token), clock.now()))) return false;
  return database.db.transaction().execute((tx) => isNeeded(tx, deps));
}

export async function completeSetup(
  deps: Deps,
  token: string,
  input: z.output<typeof RegisterBody>,
  visit: LoginContext,
): Promise<LoggedIn> {
  const { config, database, clock, passwordCost } = deps;
  const { username, email } = input;
  await refuseEasyPassword(input.password, { siteName: config.siteName, username, email });
  const passwordHash = await hashPassword(input.password, passwordCost);
  const now = clock.now();
  return database.db.transaction().execute(async (tx) => {
    const isValid = await deleteLinks(tx, hashToken(token), now);
    if (!isValid || !(await isNeeded(tx, deps))) throw new AppError('not_found');
    const user = await createAdministrator(tx, deps, { ...input, passwordHash });
    const subject = { kind: 'user' as const, id: user.id };
    await recordAction(tx, { actor: 'setup', action: 'admin.created', subject }, now);
    return { user, token: await startSession(tx, user, visit, now) };
  });
}

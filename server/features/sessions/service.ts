import { hash } from 'node:crypto';
import type { ShortList } from '#contract/paging.ts';
import { MAX_SESSIONS } from '#contract/rules/sessions.ts';
import { HOUR } from '#contract/rules/time.ts';
import type { DeviceSession } from '#contract/security.ts';
import type { Db, Tx } from '../../db/connect.ts';
import type { SessionsTable, Tables, UsersTable } from '../../db/types/tables.ts';
import { isDemoAccount } from '../../demo-accounts.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/route/app-error.ts';
import type { Viewer } from '../../http/route/guards.ts';
import { defineRateLimit, enforceRateLimits } from '../../http/route/rate-limit.ts';
import { hashToken } from '../../http/route/tokens.ts';
import {
  createSession,
  deleteOldestSessions,
  deleteSession,
  deleteSessions,
  deleteUserSession,
  listSessions,
} from './queries.ts';

export { confirmSession, createSession, noteUsedPasskey, shortenSessions } from './queries.ts';

/** Successful ones: each writes a session. Only the owner can use them up. */
const loginsByUser = defineRateLimit({
  name: 'logins-user',
  what: 'Logins to one account',
  limit: 60,
  periodMs: HOUR,
});

export async function startSession(
  db: Db,
  user: Pick<UsersTable, 'id' | 'is_admin' | 'is_helper'>,
  /** The browser's former session, if any, is replaced. */
  { oldToken, userAgent, ip }: { oldToken: string | null; userAgent: string; ip: string },
  now: number,
  provedWith: SessionsTable['proved_with'] = null,
): Promise<string> {
  // Everyone who tries the demo shares its accounts.
  const isLimited = !isDemoAccount(user.id);
  if (isLimited) await enforceRateLimits(db, [{ rule: loginsByUser, subject: user.id }], now);
  if (oldToken) await deleteSession(db, oldToken);
  const device = { userAgent: userAgent.slice(0, 300), ip };
  const token = await createSession(db, { user, ...device, provedWith, now });
  if (isLimited) await deleteOldestSessions(db, user.id, { token, kept: MAX_SESSIONS });
  return token;
}

/** An id for a session that reveals neither its token nor the stored hash. */
const toPublicId = (tokenHash: string): string =>
  hash('sha256', `session ${tokenHash}`, 'hex').slice(0, 32);

/** The guard has already checked this token. */
type CurrentSession = { token: string | null };
const toTokenHash = ({ token }: CurrentSession): string => hashToken(token ?? '');

export async function listUserSessions(
  { database, clock }: Deps,
  userId: string,
  currentHash: string | null = null,
): Promise<DeviceSession[]> {
  const rows = await listSessions(database.db, userId, clock.now());
  return rows.map((row) => ({
    id: toPublicId(row.token_hash),
    device: describeDevice(row.user_agent),
    isCurrent: row.token_hash === currentHash,
    createdAt: row.created_at,
    lastSeenAt: row.last_seen_at,
  }));
}

export const listOwnSessions = async (
  deps: Deps,
  viewer: Viewer,
  current: CurrentSession,
): Promise<ShortList<DeviceSession>> => ({
  items: await listUserSessions(deps, viewer.user.id, toTokenHash(current)),
  nextCursor: null,
});

export async function endSession({ database, clock }: Deps, viewer: Viewer, id: string) {
  const { db } = database;
  const rows = await listSessions(db, viewer.user.id, clock.now());
  const row = rows.find(({ token_hash }) => toPublicId(token_hash) === id);
  const isEnded = row && (await deleteUserSession(db, viewer.user.id, row.token_hash));
  if (!isEnded) throw new AppError('not_found');
}

/** Why access ends. The owner goes on using the session that logs out the others, or changes the password. */
type Ending = 'account disabled' | 'other devices logged out' | 'account was in other hands';

/** What an account gives without one of its sessions. Every such feature has a line in `outside-access.ts`. */
export type OutsideAccess = {
  name: string;
  /** Where its secrets are, if they are in a table of their own. */
  table?: keyof Tables;
  /** A new kind ends with everything that ends sessions. */
  survives?: readonly Ending[];
  endAccess: (tx: Tx, userId: string) => Promise<unknown>;
};

/** Ends the user's sessions, but for the one to keep, and everything that gives access without one. */
export async function endSessions(
  tx: Tx,
  { outsideAccess }: Pick<Deps, 'outsideAccess'>,
  userId: string,
  why: Ending,
  keptTokenHash: string | null = null,
) {
  for (const { survives, endAccess } of outsideAccess)
    if (!survives?.includes(why)) await endAccess(tx, userId);
  await deleteSessions(tx, userId, keptTokenHash);
}

export const endOtherSessions = (deps: Deps, viewer: Viewer, current: CurrentSession) =>
  deps.database.db
    .transaction()
    .execute((tx) =>
      endSessions(tx, deps, viewer.user.id, 'other devices logged out', toTokenHash(current)),
    );

export async function logout({ database }: Deps, { token }: CurrentSession) {
  if (token) await deleteSession(database.db, token);
}

export async function* exportSessions(db: Db, userId: string) {
  const rows = await db
    .selectFrom('sessions')
    .select(['user_agent', 'ip', 'created_at', 'last_seen_at', 'expires_at'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute();
  for (const row of rows)
    yield {
      device: describeDevice(row.user_agent),
      userAgent: row.user_agent,
      address: row.ip,
      createdAt: row.created_at,
      lastSeenAt: row.last_seen_at,
      expiresAt: row.expires_at,
    };
}

/** The first match wins: nearly every browser also claims to be one of those below it. */
const BROWSERS: readonly [pattern: RegExp, name: string][] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|OPT|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|Chromium|HeadlessChrome)\//, 'Chrome'],
  [/\bVersion\/\S+ (?:Mobile\/\S+ )?Safari\//, 'Safari'],
];

const SYSTEMS: readonly [pattern: RegExp, name: string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

const findName = (names: readonly [RegExp, string][], text: string): string | undefined =>
  names.find(([pattern]) => pattern.test(text))?.[1];

/** A name that the owner recognises, such as `Firefox on Windows`. Never shows the user agent itself. */
export function describeDevice(userAgent: string): string {
  const browser = findName(BROWSERS, userAgent);
  const system = findName(SYSTEMS, userAgent);
  if (browser && system) return `${browser} on ${system}`;
  return browser ?? (system ? `Browser on ${system}` : 'Unknown device');
}

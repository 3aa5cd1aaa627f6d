import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { ShortList } from '#contract/paging.ts';
import { MAX_SESSIONS } from '#contract/rules/sessions.ts';
import { HOUR } from '#contract/rules/time.ts';
import type { DeviceSession } from '#contract/security.ts';
import type { Config } from '../../../config.ts';
import type { Db } from '../../../db/connect.ts';
import type { SessionsTable, UsersTable } from '../../../db/types/tables.ts';
import type { Deps } from '../../../deps.ts';
import { isLocalRequest } from '../../../http/route/address.ts';
import { AppError } from '../../../http/route/app-error.ts';
import type { Viewer } from '../../../http/route/guards.ts';
import { defineRateLimit, enforceRateLimits } from '../../../http/route/rate-limit.ts';
import {
  createSession,
  deleteOldestSessions,
  deleteOtherSessions,
  deleteSession,
  deleteUserSession,
  listSessions,
  readSessionToken,
} from '../../../http/route/sessions.ts';
import { hashToken } from '../../../http/route/tokens.ts';
import { readDeviceCookie } from './known-devices.ts';

/** Where a login comes from. */
export type LoginContext = {
  userAgent: string;
  ip: string;
  /** The session the browser already had; the new one replaces it. */
  oldToken: string | null;
  /** Says which accounts this device is known to. */
  deviceCookie: string | null;
  /** True for requests from this machine that did not come through a proxy. */
  isLocal: boolean;
};

export const toLoginContext = (config: Config, request: FastifyRequest): LoginContext => ({
  userAgent: request.headers['user-agent'] ?? '',
  ip: request.ip,
  oldToken: readSessionToken(config, request),
  deviceCookie: readDeviceCookie(config, request),
  isLocal: isLocalRequest(request),
});

/** How someone proved who they are. */
type LoginMethod = 'password' | 'password and code' | 'passkey' | 'registration';

/** For an operator who looks for the login of a thief. */
export const logLogin = (request: FastifyRequest, account: string, method: LoginMethod) =>
  request.log.info({ reqId: request.id, account, ip: request.ip, method }, 'Logged in.');

/** Successful ones: each writes a session. Only the owner can use them up. */
const loginsByUser = defineRateLimit({
  name: 'logins-user',
  what: 'Logins to one account',
  limit: 60,
  periodMs: HOUR,
});

export async function startSession(
  db: Db,
  user: Pick<UsersTable, 'id' | 'is_admin' | 'is_demo'>,
  { oldToken, userAgent, ip }: LoginContext,
  now: number,
  provedWith: SessionsTable['proved_with'] = null,
): Promise<string> {
  // Everyone who tries the demo shares its accounts.
  const isLimited = user.is_demo === 0;
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

export const endOtherSessions = ({ database }: Deps, viewer: Viewer, current: CurrentSession) =>
  deleteOtherSessions(database.db, viewer.user.id, toTokenHash(current));

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

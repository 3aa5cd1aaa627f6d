import { sql, type RawBuilder } from 'kysely';
import type { VersionRow } from '../../db/catalogue-facts.ts';
import type { Db } from '../../db/connect.ts';
import { fromQuestions, lookUp, prepareBatch } from '../../db/prepare-query.ts';
import type { SessionsTable, UsersTable } from '../../db/types/tables.ts';
import { hashToken, newToken } from './tokens.ts';
import { DAY, HOUR, MINUTE } from '#contract/rules/time.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import { clearCookie, readCookie, setCookie } from './cookies.ts';
import { noteVerified } from '../load/verified.ts';

/** An administrator's session is worth more to a thief. */
const SESSION_LIMITS = {
  admin: { idleMs: DAY, totalMs: 7 * DAY },
  other: { idleMs: 30 * DAY, totalMs: 365 * DAY },
};
const findLimits = (user: Pick<UsersTable, 'is_admin'>) =>
  SESSION_LIMITS[user.is_admin === 1 ? 'admin' : 'other'];

/** How long a device may do what needs the password again after it was entered. */
const CONFIRMED_MS = 10 * MINUTE;
/** Updating the last visit on every request would cost more than it's worth. */
export const TOUCH_INTERVAL_MS = HOUR;

/** With everything that decides about access. */
export type SessionUser = Omit<
  UsersTable,
  'password_hash' | 'link_generation' | 'username_look'
> & {
  grace_ms: number;
  early_ms?: number;
};
export type Session = {
  tokenHash: string;
  lastSeenAt: number;
  user: Omit<SessionUser, 'grace_ms' | 'early_ms'>;
  catalogue: VersionRow | undefined;
};

/** Named, because a user's password hash stays in the database. */
export const USER_COLUMNS = [
  'users.id',
  'users.username',
  'users.username_key',
  'users.email',
  'users.email_key',
  'users.email_verified_at',
  'users.pending_email',
  'users.is_admin',
  'users.admin_grace_until',
  'users.is_demo',
  'users.paid_through',
  'users.avatar_key',
  'users.is_scrobbling',
  'users.created_at',
  'users.updated_at',
] as const;

type SessionRow = Session['user'] & {
  asked: number;
  last_seen_at: number;
  /** Null if there is no such session. */
  expires_at: number | null;
} & { [K in keyof VersionRow]: VersionRow[K] | null };

/** Runs on nearly every request, so it also reads the version that most requests need next. */
const selectSession = prepareBatch((db, questions) => ({
  compile: () =>
    sql<SessionRow>`
      select asked, version, plays, last_seen_at, expires_at,
        ${sql.join(USER_COLUMNS.map((column) => sql.ref(column)))}
      from ${fromQuestions(db, questions, ['hash'])} as questions
      ${lookUp(db, 'sessions', sql`sessions.token_hash = questions.hash`)}
      ${lookUp(db, 'users', sql`users.id = sessions.user_id`)}
      left join catalogue_version on catalogue_version.id = 1`.compile(db),
}));

export async function findSession(db: Db, token: string, now: number): Promise<Session | null> {
  const tokenHash = hashToken(token);
  const [row] = await selectSession(db, { hash: tokenHash });
  if (!row?.expires_at || row.expires_at <= now) return null;
  const { last_seen_at: lastSeenAt, version, plays } = row;
  const catalogue = version === null || plays === null ? undefined : { version, plays };
  noteVerified(row.is_admin === 1 ? 'admin' : 'session', tokenHash);
  if (row.is_admin === 1) noteVerified('session', tokenHash);
  return { tokenHash, lastSeenAt, user: row, catalogue };
}

type NewSession = {
  user: Pick<UsersTable, 'id' | 'is_admin'>;
  userAgent: string;
  ip: string;
  provedWith?: SessionsTable['proved_with'];
  now: number;
};

/** Returns the token, which is stored nowhere else. */
export async function createSession(db: Db, session: NewSession): Promise<string> {
  const token = newToken();
  await db
    .insertInto('sessions')
    .values({
      token_hash: hashToken(token),
      user_id: session.user.id,
      user_agent: session.userAgent,
      ip: session.ip,
      created_at: session.now,
      last_seen_at: session.now,
      expires_at: session.now + findLimits(session.user).idleMs,
      confirmed_at: null,
      proved_with: session.provedWith ?? null,
    })
    .execute();
  return token;
}

/** The earlier of the two times. */
const earlier = (a: RawBuilder<number>, b: RawBuilder<number>) =>
  sql<number>`case when ${a} < ${b} then ${a} else ${b} end`;

export async function touchSession(db: Db, { tokenHash, user }: Session, now: number) {
  const { idleMs, totalMs } = findLimits(user);
  const idleEnd = sql<number>`cast(${now + idleMs} as bigint)`;
  const lastEnd = sql<number>`created_at + cast(${totalMs} as bigint)`;
  await db
    .updateTable('sessions')
    .set({ last_seen_at: now, expires_at: earlier(idleEnd, lastEnd) })
    .where('token_hash', '=', tokenHash)
    .execute();
}

/** Call it in the transaction that makes someone an administrator. */
export async function shortenSessions(tx: Db, user: Pick<UsersTable, 'id' | 'is_admin'>) {
  const { idleMs, totalMs } = findLimits(user);
  const idleEnd = sql<number>`last_seen_at + cast(${idleMs} as bigint)`;
  const lastEnd = sql<number>`created_at + cast(${totalMs} as bigint)`;
  const end = earlier(idleEnd, lastEnd);
  await tx
    .updateTable('sessions')
    .set({ expires_at: end })
    .where('user_id', '=', user.id)
    .where('expires_at', '>', end)
    .execute();
}

/** Notes that the user entered the password again on this device. */
export async function confirmSession(tx: Db, tokenHash: string, now: number) {
  await tx
    .updateTable('sessions')
    .set({ confirmed_at: now })
    .where('token_hash', '=', tokenHash)
    .execute();
}

/** Notes that the user has just used a passkey on this device. */
export async function noteUsedPasskey(tx: Db, tokenHash: string) {
  await tx
    .updateTable('sessions')
    .set({ proved_with: 'passkey' })
    .where('token_hash', '=', tokenHash)
    .execute();
}

/** Only routes that need it ask; other requests don't pay for it. */
export async function isRecentlyConfirmed(
  db: Db,
  tokenHash: string,
  now: number,
): Promise<boolean> {
  const row = await db
    .selectFrom('sessions')
    .select('confirmed_at')
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();
  const at = row?.confirmed_at ?? null;
  // A time in the future was noted by a clock that was wrong.
  return at !== null && at <= now && now < at + CONFIRMED_MS;
}

export async function deleteSession(db: Db, token: string) {
  await db.deleteFrom('sessions').where('token_hash', '=', hashToken(token)).execute();
}

/** How `credential_networks` calls the address of a podcast feed; the others are app passwords. */
export const FEED = 'feed';

/** Every download link and every app password of the user stops working. */
async function endLinks(db: Db, userId: string) {
  await db
    .updateTable('users')
    .set({ link_generation: sql<number>`link_generation + 1` })
    .where('id', '=', userId)
    .execute();
  await db.deleteFrom('app_passwords').where('user_id', '=', userId).execute();
  await db
    .deleteFrom('credential_networks')
    .where('user_id', '=', userId)
    .where('credential', '<>', FEED)
    .execute();
}

/** Whoever was in the account may have kept its address. */
async function endPodcastFeed(db: Db, userId: string) {
  await db.deleteFrom('podcast_feeds').where('user_id', '=', userId).execute();
  await db
    .deleteFrom('credential_networks')
    .where('user_id', '=', userId)
    .where('credential', '=', FEED)
    .execute();
}

/** Somebody else may have connected their own server. */
async function endScrobbling(db: Db, userId: string) {
  for (const table of ['scrobble_accounts', 'current_listens'] as const)
    await db.deleteFrom(table).where('user_id', '=', userId).execute();
  await db.updateTable('users').set({ is_scrobbling: 0 }).where('id', '=', userId).execute();
}

/** Keeps the newest of the user's sessions, and this one in any case. */
export async function deleteOldestSessions(
  db: Db,
  userId: string,
  { token, kept }: { token: string; kept: number },
) {
  await db
    .deleteFrom('sessions')
    .where('token_hash', 'in', (select) =>
      select
        .selectFrom('sessions')
        .select('token_hash')
        .where('user_id', '=', userId)
        .where('token_hash', '<>', hashToken(token))
        .orderBy('last_seen_at', 'desc')
        .orderBy('created_at', 'desc')
        .orderBy('token_hash')
        .limit(1000)
        .offset(kept - 1),
    )
    .execute();
}

/** Also ends the user's download links and app passwords. */
export async function deleteUserSessions(db: Db, userId: string) {
  await endLinks(db, userId);
  await db.deleteFrom('sessions').where('user_id', '=', userId).execute();
}

/** The account may have been in other hands, so everything that outlives a session ends too. */
export async function endAllAccess(db: Db, userId: string) {
  await deleteUserSessions(db, userId);
  await endPodcastFeed(db, userId);
  await endScrobbling(db, userId);
}

const MAX_LISTED = 200;

/** The most recently used first. */
export const listSessions = (db: Db, userId: string, now: number): Promise<SessionsTable[]> =>
  db
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .orderBy('last_seen_at', 'desc')
    .orderBy('token_hash')
    .limit(MAX_LISTED)
    .execute();

/** True if it existed. */
export async function deleteUserSession(
  db: Db,
  userId: string,
  tokenHash: string,
): Promise<boolean> {
  const row = await db
    .deleteFrom('sessions')
    .where('token_hash', '=', tokenHash)
    .where('user_id', '=', userId)
    .returning('token_hash')
    .executeTakeFirst();
  return row !== undefined;
}

/** Also ends whatever plays without a session: download links, music apps and the podcast feed. */
export async function deleteOtherSessions(db: Db, userId: string, keptTokenHash: string) {
  await endLinks(db, userId);
  await endPodcastFeed(db, userId);
  await db
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('token_hash', '<>', keptTokenHash)
    .execute();
}

export const SESSION_COOKIE = 'session';
/** Has the signatures of the accounts that have logged in on this device. */
export const DEVICE_COOKIE = 'device';

export const readSessionToken = (config: Config, request: FastifyRequest): string | null =>
  readCookie(config, request, SESSION_COOKIE);

export function setSessionCookie(config: Config, reply: FastifyReply, token: string) {
  const maxAge = SESSION_LIMITS.other.idleMs / 1000;
  setCookie(config, reply, { name: SESSION_COOKIE, value: token, maxAge });
}

export const clearSessionCookie = (config: Config, reply: FastifyReply): void =>
  clearCookie(config, reply, SESSION_COOKIE);

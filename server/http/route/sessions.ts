import { isStaff } from '#contract/rules/access.ts';
import { sql, type RawBuilder } from 'kysely';
import type { VersionRow } from '../../db/catalogue-facts.ts';
import type { Db } from '../../db/connect.ts';
import { fromQuestions, lookUp, prepareBatch } from '../../db/prepare-query.ts';
import type { UsersTable } from '../../db/types/tables.ts';
import { hashToken } from './tokens.ts';
import { DAY, HOUR, MINUTE } from '#contract/rules/time.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import { clearCookie, readCookie, setCookie } from './cookies.ts';
import { noteVerified } from '../load/verified.ts';

/** A session of staff is worth more to a thief. */
const SESSION_LIMITS = {
  staff: { idleMs: DAY, totalMs: 7 * DAY },
  other: { idleMs: 30 * DAY, totalMs: 365 * DAY },
};
type Owner = Pick<UsersTable, 'is_admin' | 'is_helper'>;
export const findSessionLimits = (user: Owner) => SESSION_LIMITS[isStaff(user) ? 'staff' : 'other'];

/** How long a device may do what needs the password again after it was entered. */
const CONFIRMED_MS = 10 * MINUTE;
/** Updating the last visit on every request would cost more than it's worth. */
export const TOUCH_INTERVAL_MS = HOUR;

/** With everything that decides about access. */
export type SessionUser = Omit<
  UsersTable,
  'password_hash' | 'link_generation' | 'username_look' | 'moment_ban'
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
  'users.is_helper',
  'users.admin_grace_until',
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
  noteVerified('session', tokenHash);
  if (isStaff(row)) noteVerified('admin', tokenHash);
  return { tokenHash, lastSeenAt, user: row, catalogue };
}

/** For a row of `sessions`. */
export function findSessionEnd(user: Owner, lastSeenAt: RawBuilder<number>): RawBuilder<number> {
  const { idleMs, totalMs } = findSessionLimits(user);
  const idleEnd = sql<number>`${lastSeenAt} + cast(${idleMs} as bigint)`;
  const lastEnd = sql<number>`created_at + cast(${totalMs} as bigint)`;
  return sql<number>`case when ${idleEnd} < ${lastEnd} then ${idleEnd} else ${lastEnd} end`;
}

export async function touchSession(db: Db, { tokenHash, user }: Session, now: number) {
  const expires_at = findSessionEnd(user, sql<number>`cast(${now} as bigint)`);
  await db
    .updateTable('sessions')
    .set({ last_seen_at: now, expires_at })
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

import { isStaff } from '#contract/rules/access.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { writeInBackground } from '../../background/background-writes.ts';
import { openFactsOf, type CatalogueFacts } from '../../db/catalogue-facts.ts';
import type { Db } from '../../db/connect.ts';
import type { UsersTable } from '../../db/types/tables.ts';
import type { Deps } from '../../deps.ts';
import { readAccessPolicy } from './access-policy.ts';
import { AppError } from './app-error.ts';
import {
  readSessionToken,
  setSessionCookie,
  findSession,
  isRecentlyConfirmed,
  touchSession,
  TOUCH_INTERVAL_MS,
  type SessionUser,
} from './sessions.ts';

/**
 * Who may call a route:
 * - `public`: everyone; the session is not read.
 * - `viewer`: everyone; the answer depends on who is logged in.
 * - `user`: anyone logged in; visitors get 401.
 * - `helper`: a helper or an administrator, otherwise as `admin`.
 * - `admin`: an administrator; visitors get 401, other users get 404, so that nothing is revealed. An
 *   administrator with only a password gets 403 once the time to change that is over.
 */
export type Guard = 'public' | 'viewer' | 'user' | 'helper' | 'admin';
export type Viewer = {
  user: SessionUser;
  /**
   * Which of the user's devices it is: the hash of the session's token, or the key of an app password,
   * which no session has.
   */
  sessionHash?: string;
  /** Appears in the log and the audit log. */
  requestId?: string;
  /** As of the start of the request. After a change, open them again. */
  facts?: CatalogueFacts;
};
export type ViewerFor<G extends Guard> = G extends 'public'
  ? null
  : G extends 'viewer'
    ? Viewer | null
    : Viewer;

async function readViewer(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
): Promise<Viewer | null> {
  const { config, clock, database, log } = deps;
  const now = clock.now();
  const session = await findSession(database.db, token, now);
  if (!session) return null;
  // Also after a clock that was fast has been put right.
  if (Math.abs(now - session.lastSeenAt) >= TOUCH_INTERVAL_MS) {
    writeInBackground(log, 'note a visit', () => touchSession(database.db, session, now));
    setSessionCookie(config, reply, token);
  }
  const user = { ...session.user, ...(await readAccessPolicy(deps)) };
  const facts = openFactsOf(database.db, session.catalogue);
  return { user, sessionHash: session.tokenHash, requestId: request.id, facts };
}

function admit(guard: Guard, viewer: Viewer | null): Viewer | null {
  if (guard === 'viewer') return viewer;
  if (!viewer) throw new AppError('unauthenticated');
  const isRefused =
    (guard === 'admin' && !viewer.user.is_admin) || (guard === 'helper' && !isStaff(viewer.user));
  if (isRefused) throw new AppError('not_found', { logged: { account: viewer.user.id } });
  return viewer;
}

type Administrator = Pick<UsersTable, 'id' | 'is_admin' | 'admin_grace_until'>;

async function hasTwoStepLogin(db: Db, userId: string): Promise<boolean> {
  const totp = await db
    .selectFrom('totp')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst();
  return totp !== undefined;
}

async function hasPasskey(db: Db, userId: string): Promise<boolean> {
  const passkey = await db
    .selectFrom('passkeys')
    .select('id')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return passkey !== undefined;
}

async function hasUsedPasskey(db: Db, sessionHash: string): Promise<boolean> {
  const session = await db
    .selectFrom('sessions')
    .select('proved_with')
    .where('token_hash', '=', sessionHash)
    .executeTakeFirst();
  return session?.proved_with === 'passkey';
}

export const needsProtection = (
  { config }: Pick<Deps, 'config'>,
  user: Omit<Administrator, 'admin_grace_until'>,
): boolean => config.requiresAdminProtection && user.is_admin === 1;

type Grace = { until: number; hasPasskey: boolean };

/**
 * When the admin pages close, or have closed, in this session. A passkey that was not used protects
 * nothing: whoever knows the password gets in without it.
 */
export async function findGrace(
  deps: Deps,
  user: Administrator,
  sessionHash: string,
): Promise<Grace | null> {
  const { admin_grace_until: until } = user;
  const { db } = deps.database;
  if (until === null || !needsProtection(deps, user)) return null;
  if (await hasTwoStepLogin(db, user.id)) return null;
  const owned = await hasPasskey(db, user.id);
  return owned && (await hasUsedPasskey(db, sessionHash)) ? null : { until, hasPasskey: owned };
}

/** Asks the database only once the time is over. */
async function enforceAdminProtection(deps: Deps, { user, sessionHash = '' }: Viewer) {
  const { admin_grace_until: end } = user;
  if (end === null || deps.clock.now() < end) return;
  const grace = await findGrace(deps, user, sessionHash);
  if (!grace) return;
  throw new AppError('two_step_required', {
    logged: { account: user.id },
    ...(grace.hasPasskey && {
      message: 'Administrators need more than a password. Log out, and log in with your passkey.',
    }),
  });
}

/** Without a session there is nothing to read, and no promise to wait for. */
export function enforceGuard(
  guard: Guard,
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
): null | Promise<Viewer | null> {
  if (guard === 'public') return null;
  const token = readSessionToken(deps.config, request);
  if (token !== null)
    return readViewer(deps, request, reply, token).then(async (found) => {
      const viewer = admit(guard, found);
      if (viewer && (guard === 'admin' || guard === 'helper'))
        await enforceAdminProtection(deps, viewer);
      return viewer;
    });
  admit(guard, null);
  return null;
}

/** For what a thief of a session must not do: the user has just entered the password on this device. */
export async function enforceConfirmation({ clock, database }: Deps, viewer: Viewer | null) {
  const hash = viewer?.sessionHash ?? '';
  const isConfirmed = await isRecentlyConfirmed(database.db, hash, clock.now());
  if (!isConfirmed) throw new AppError('confirmation_required');
}

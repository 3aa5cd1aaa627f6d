import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import type { Deps } from '../deps.ts';
import { readTerms } from './read-grace.ts';
import { AppError } from './app-error.ts';
import { readSessionToken, setSessionCookie } from './session-cookie.ts';
import { findSession, touchSession, TOUCH_INTERVAL_MS, type SessionUser } from './session-store.ts';

/**
 * Who may call a route:
 * - `public`: everybody; no session is read.
 * - `viewer`: everybody; who is signed in decides what they get.
 * - `member`: somebody signed in; visitors get 401.
 * - `admin`: an administrator; visitors get 401, members get 404, so that nothing is revealed.
 */
export type Guard = 'public' | 'viewer' | 'member' | 'admin';
export type Actor = {
  user: SessionUser;
  /** Under which the log and the audit log know what they ask for. */
  requestId?: string;
};
export type ActorFor<G extends Guard> = G extends 'public'
  ? null
  : G extends 'viewer'
    ? Actor | null
    : Actor;

/** Demo accounts have a password that everybody knows. */
export const isAccountUsable = (config: Config, user: { is_demo: 0 | 1 }): boolean =>
  config.demo || user.is_demo === 0;

async function readActor(deps: Deps, request: FastifyRequest, reply: FastifyReply) {
  const { config, clock, database } = deps;
  const token = readSessionToken(config, request);
  if (!token) return null;
  const now = clock.now();
  const session = await findSession(database.db, token, now);
  if (!session || !isAccountUsable(config, session.user)) return null;
  if (now - session.lastSeenAt >= TOUCH_INTERVAL_MS) {
    await touchSession(database.db, session.tokenHash, now);
    setSessionCookie(config, reply, token);
  }
  return { user: { ...session.user, ...(await readTerms(deps)) }, requestId: request.id };
}

export async function enforceGuard(
  guard: Guard,
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Actor | null> {
  if (guard === 'public') return null;
  const actor = await readActor(deps, request, reply);
  if (guard === 'viewer') return actor;
  if (!actor) throw new AppError('unauthenticated');
  if (guard === 'admin' && !actor.user.is_admin) throw new AppError('not_found');
  return actor;
}

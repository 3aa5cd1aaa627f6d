import { hash } from 'node:crypto';
import type { DeviceSession } from '#contract/security.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/app-error.ts';
import type { Viewer } from '../../http/guards.ts';
import { deleteOtherSessions, deleteSessionOf, listSessions } from '../../http/session-store.ts';
import { hashToken } from '../../http/tokens.ts';
import { describeDevice } from './describe-device.ts';

/** A name for a session that leads neither to its token nor to the hash that is kept of it. */
const publicIdOf = (tokenHash: string): string =>
  hash('sha256', `session ${tokenHash}`, 'hex').slice(0, 32);

/** The token of the session that asks; the guard has just found it. */
type Asking = { token: string | null };
const hashOf = ({ token }: Asking): string => hashToken(token ?? '');

export const readSessions = async (
  deps: Deps,
  viewer: Viewer,
  asking: Asking,
): Promise<{ items: DeviceSession[] }> => ({
  items: await readSessionsOf(deps, viewer.user.id, hashOf(asking)),
});

/** `current` is the hash of the session that asks, where it is one of them. */
export async function readSessionsOf(
  { database, clock }: Deps,
  userId: string,
  current: string | null = null,
): Promise<DeviceSession[]> {
  const rows = await listSessions(database.db, userId, clock.now());
  return rows.map((row) => ({
    id: publicIdOf(row.token_hash),
    device: describeDevice(row.user_agent),
    isCurrent: row.token_hash === current,
    createdAt: row.created_at,
    lastSeenAt: row.last_seen_at,
  }));
}

export async function endSession({ database, clock }: Deps, viewer: Viewer, id: string) {
  const { db } = database;
  const rows = await listSessions(db, viewer.user.id, clock.now());
  const row = rows.find(({ token_hash }) => publicIdOf(token_hash) === id);
  const isEnded = row && (await deleteSessionOf(db, viewer.user.id, row.token_hash));
  if (!isEnded) throw new AppError('not_found');
}

export const endOtherSessions = ({ database }: Deps, viewer: Viewer, asking: Asking) =>
  deleteOtherSessions(database.db, viewer.user.id, hashOf(asking));

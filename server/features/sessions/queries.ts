import { sql } from 'kysely';
import type { Db, Tx } from '../../db/connect.ts';
import type { SessionsTable, UsersTable } from '../../db/types/tables.ts';
import { findSessionEnd, findSessionLimits } from '../../http/route/sessions.ts';
import { hashToken, newToken } from '../../http/route/tokens.ts';

type NewSession = {
  user: Pick<UsersTable, 'id' | 'is_admin' | 'is_helper'>;
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
      expires_at: session.now + findSessionLimits(session.user).idleMs,
      confirmed_at: null,
      proved_with: session.provedWith ?? null,
    })
    .execute();
  return token;
}

/** Call it in the transaction that makes someone an administrator. */
export async function shortenSessions(
  tx: Db,
  user: Pick<UsersTable, 'id' | 'is_admin' | 'is_helper'>,
) {
  const end = findSessionEnd(user, sql<number>`last_seen_at`);
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

export async function deleteSession(db: Db, token: string) {
  await db.deleteFrom('sessions').where('token_hash', '=', hashToken(token)).execute();
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

export async function deleteSessions(tx: Tx, userId: string, keptTokenHash: string | null) {
  let sessions = tx.deleteFrom('sessions').where('user_id', '=', userId);
  if (keptTokenHash !== null) sessions = sessions.where('token_hash', '<>', keptTokenHash);
  await sessions.execute();
}

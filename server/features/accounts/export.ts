import type { Db } from '../../db/connect.ts';
import { describeDevice } from './describe-device.ts';
import { findUserById } from './queries.ts';
import { findTotp } from './totp-queries.ts';

/** What the account itself holds, without anything that opens it. */
export async function* exportAccount(db: Db, userId: string) {
  const user = await findUserById(db, userId);
  if (!user) return;
  const totp = await findTotp(db, userId);
  yield {
    id: user.id,
    username: user.username,
    email: user.email,
    isAdmin: user.is_admin === 1,
    paidThrough: user.paid_through,
    hasPicture: user.avatar_key !== null,
    twoStepLoginOnAt: totp?.confirmed_at ?? null,
    createdAt: user.created_at,
    updatedAt: user.updated_at,
  };
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

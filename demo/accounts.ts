import type { Db } from '#server/db/connect.ts';
import type { UsersTable } from '#server/db/tables.ts';
import { hashPassword } from '#server/passwords.ts';

export const DEMO_PASSWORD = 'weekender-demo';
const YEAR = 365 * 24 * 60 * 60 * 1000;

const accounts = [
  { username: 'free', isAdmin: false, isPremium: false },
  { username: 'premium', isAdmin: false, isPremium: true },
  { username: 'admin', isAdmin: true, isPremium: true },
] as const;

type DemoAccount = (typeof accounts)[number];

const toRow = (account: DemoAccount, passwordHash: string, now: number): UsersTable => ({
  id: `demo-${account.username}`,
  username: account.username,
  username_key: account.username,
  email: `${account.username}@example.com`,
  email_key: `${account.username}@example.com`,
  password_hash: passwordHash,
  is_admin: account.isAdmin ? 1 : 0,
  is_demo: 1,
  paid_through: account.isPremium ? now + YEAR : null,
  avatar_key: null,
  created_at: now,
  updated_at: now,
});

/** True when the name or the address belongs to somebody who is not this demo account. */
async function isTaken(db: Db, row: UsersTable): Promise<boolean> {
  const other = await db
    .selectFrom('users')
    .select('id')
    .where('id', '<>', row.id)
    .where((where) =>
      where.or([
        where('username_key', '=', row.username_key),
        where('email_key', '=', row.email_key),
      ]),
    )
    .executeTakeFirst();
  return other !== undefined;
}

/**
 * Puts the three accounts back to what the console promises, whatever visitors made of them. An
 * account that a person registered under one of these names is left alone. Answers who can sign in.
 */
export async function seedDemoAccounts(db: Db, now: number): Promise<string[]> {
  const passwordHash = await hashPassword(DEMO_PASSWORD);
  const seeded: string[] = [];
  for (const account of accounts) {
    const row = toRow(account, passwordHash, now);
    const { id: _id, created_at: _created, avatar_key: _avatar, ...restored } = row;
    await db.transaction().execute(async (tx) => {
      if (await isTaken(tx, row)) return;
      await tx
        .insertInto('users')
        .values(row)
        .onConflict((conflict) => conflict.column('id').doUpdateSet(restored))
        .execute();
      seeded.push(account.username);
    });
  }
  return seeded;
}

import { buildUser, buildUsernameLook } from '#server/db/build-rows.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import type { UsersTable } from '#server/db/types/tables.ts';
import { endAccess, grantAccess } from '#server/features/billing/ledger/service.ts';
import { createCalendar } from '#server/ports/payments/calendar.ts';
import type { Calendar } from '#server/ports/payments/payments.ts';
import { DEMO_ACCOUNTS } from '#server/demo-accounts.ts';
import { DAY } from '#contract/rules/time.ts';

export const DEMO_PASSWORD = 'weekender-demo';
/** Calculating it at every start would take time and 19 MB; the password is public anyway. */
const DEMO_PASSWORD_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$SwN5OFQcp3eeTT/mQjYdQQ$QzIIinONMZuDOqcbEWVshvMEukQTJZiZUpUnrjV7L2g';
const YEAR = 365 * DAY;

const accounts = [
  { username: 'free', isAdmin: false, isPremium: false },
  { username: 'premium', isAdmin: false, isPremium: true },
  { username: 'admin', isAdmin: true, isPremium: true },
] as const;

type DemoAccount = (typeof accounts)[number];

const toRow = async (account: DemoAccount, now: number): Promise<UsersTable> =>
  buildUser({
    id: DEMO_ACCOUNTS[account.username],
    username: account.username,
    username_look: await buildUsernameLook(account.username),
    email: `${account.username}@example.com`,
    password_hash: DEMO_PASSWORD_HASH,
    is_admin: account.isAdmin ? 1 : 0,
    created_at: now,
  });

/** Whether another account has this username, one that looks like it, or the e-mail address. */
async function isTaken(db: Db, row: UsersTable): Promise<boolean> {
  const other = await db
    .selectFrom('users')
    .select('id')
    .where('id', '<>', row.id)
    .where((where) =>
      where.or([
        where('username_key', '=', row.username_key),
        where('username_look', '=', row.username_look),
        where('email_key', '=', row.email_key),
      ]),
    )
    .executeTakeFirst();
  return other !== undefined;
}

/** What would keep the published password from logging in. */
const OWN_PROTECTION = ['totp', 'recovery_codes', 'passkeys', 'disabled_accounts'] as const;

/** Gives an account a year of Premium, or ends it, through the ledger as for every user. */
async function restoreAccess(
  tx: Tx,
  account: DemoAccount,
  id: string,
  context: { now: number; calendar: Calendar; timeZone: string },
) {
  const user = await tx
    .selectFrom('users')
    .select('paid_through')
    .where('id', '=', id)
    .executeTakeFirst();
  const paidThrough = user?.paid_through ?? null;
  const reason = { reason: 'The demo resets its accounts at every start.', actor: 'system' };
  if (!account.isPremium && paidThrough !== null) await endAccess(tx, id, reason, context);
  // Not at every start, or the ledger would grow with each one.
  if (account.isPremium && (paidThrough ?? 0) < context.now + YEAR / 2)
    await grantAccess(tx, id, { until: context.now + YEAR, ...reason }, context);
}

/**
 * Resets the three demo accounts, whatever visitors changed. An account that someone registered
 * under one of these names is left alone. Returns the usernames that can log in.
 */
export async function seedDemoAccounts(
  db: Db,
  now: number,
  calendar: Calendar = createCalendar(),
  timeZone = 'UTC',
): Promise<string[]> {
  const seeded: string[] = [];
  for (const account of accounts) {
    const row = await toRow(account, now);
    const {
      id: _id,
      created_at: _created,
      avatar_key: _avatar,
      paid_through: _paid,
      ...restored
    } = row;
    await db.transaction().execute(async (tx) => {
      if (await isTaken(tx, row)) return;
      await tx
        .insertInto('users')
        .values(row)
        .onConflict((conflict) => conflict.column('id').doUpdateSet(restored))
        .execute();
      for (const table of OWN_PROTECTION)
        await tx.deleteFrom(table).where('user_id', '=', row.id).execute();
      await restoreAccess(tx, account, row.id, { now, calendar, timeZone });
      seeded.push(account.username);
    });
  }
  return seeded;
}

import { DAY } from '#contract/rules/time.ts';
import { runStatements, type MigrationSteps } from './migration.ts';

/** An earlier end for sessions that last longer than this. */
const endAt = (end: string, users: string): string =>
  `update sessions set expires_at = ${end} where expires_at > ${end} and ${users}`;
const ADMINS = 'user_id in (select id from users where is_admin = 1)';

/** The device that entered the password again, and passkeys. */
export const signingIn: MigrationSteps = {
  up: (tx, dialect) =>
    runStatements(tx, dialect, [
      // When the password was last entered again on this device.
      `alter table sessions add column confirmed_at time`,
      endAt(`created_at + ${365 * DAY}`, '1 = 1'),
      endAt(`created_at + ${7 * DAY}`, ADMINS),
      endAt(`last_seen_at + ${DAY}`, ADMINS),

      `create table passkeys (
         id text primary key not null,
         user_id text not null references users (id) on delete cascade,
         credential_id text not null unique,
         public_key text not null,
         counter time not null,
         transports text not null,
         is_synced flag not null check (is_synced in (0, 1)),
         name text not null,
         created_at time not null,
         last_used_at time)`,
      `create index passkeys_by_user on passkeys (user_id)`,

      // Each may be answered once. Those for a login have no user.
      `create table passkey_challenges (
         challenge_hash text primary key not null,
         user_id text references users (id) on delete cascade,
         expires_at time not null)`,
      `create index passkey_challenges_by_user on passkey_challenges (user_id)`,
      `create index passkey_challenges_by_expiry on passkey_challenges (expires_at)`,
    ]),
};

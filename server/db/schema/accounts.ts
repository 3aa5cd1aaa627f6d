import type { Statement } from './migrations/migration.ts';

/** Users and how they log in. */
export const accounts: Statement[] = [
  // Everyone with an account. The `_key` columns hold the lowercase form that must be unique.
  `create table users (
     id text primary key not null,
     username text not null,
     username_key text not null unique,
     email text not null,
     email_key text not null unique,
     password_hash text not null,
     is_admin flag not null check (is_admin in (0, 1)),
     is_demo flag not null check (is_demo in (0, 1)),
     paid_through time,
     avatar_key text,
     created_at time not null,
     updated_at time not null)`,
  `create index users_administrators on users (id) where is_admin = 1`,
  // The subscriber list filters by access, which is a range of this index.
  `create index users_by_paid on users (coalesce(paid_through, 0), id)`,
  // A search for part of a name scans this index instead of the rows.
  `create index users_by_name on users (id, username_key, email_key)`,

  // Accounts that an administrator has blocked.
  `create table disabled_accounts (
     user_id text primary key not null references users (id) on delete cascade,
     at time not null,
     because text not null)`,

  // Logged-in browsers. Only a hash of the cookie's token is stored.
  `create table sessions (
     token_hash text primary key not null,
     user_id text not null references users (id) on delete cascade,
     user_agent text not null,
     ip text not null,
     created_at time not null,
     last_seen_at time not null,
     expires_at time not null)`,
  `create index sessions_by_user on sessions (user_id)`,
  `create index sessions_by_expiry on sessions (expires_at)`,

  // Links to choose a new password.
  `create table password_resets (
     token_hash text primary key not null,
     user_id text not null references users (id) on delete cascade,
     created_at time not null,
     expires_at time not null)`,
  `create index password_resets_by_user on password_resets (user_id)`,
  `create index password_resets_by_expiry on password_resets (expires_at)`,

  // Two-factor login: the secret, and the last step that was used, so that no code works twice.
  `create table totp (
     user_id text primary key not null references users (id) on delete cascade,
     secret text not null,
     confirmed_at time,
     last_step time not null,
     created_at time not null)`,

  // One-time codes for users who lose their authenticator.
  `create table recovery_codes (
     user_id text not null references users (id) on delete cascade,
     code_hash text not null,
     primary key (user_id, code_hash))`,

  // Which e-mails a user wants, and whether we may collect analytics.
  `create table preferences (
     user_id text primary key not null references users (id) on delete cascade,
     release_mails flag not null check (release_mails in (0, 1)),
     news_mails flag not null check (news_mails in (0, 1)),
     analytics flag not null check (analytics in (0, 1)),
     updated_at time not null)`,
];

import type { Statement } from './migrations/migration.ts';

/** Users and how they log in. */
export const accounts: Statement[] = [
  // Everyone with an account. The `_key` columns hold the lowercase form that must be unique;
  // `username_look` is equal for usernames that look alike.
  `create table users (
     id text primary key not null,
     username text not null,
     username_key text not null unique,
     username_look text,
     email text not null,
     email_key text not null unique,
     email_verified_at time,
     pending_email text,
     password_hash text not null,
     is_admin flag not null check (is_admin in (0, 1)),
     admin_grace_until time,
     paid_through time,
     link_generation integer not null default 0,
     is_scrobbling flag not null default 0,
     avatar_key text,
     created_at time not null,
     updated_at time not null)`,
  `create unique index users_by_look on users (username_look)`,
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

  // Logged-in browsers. Only a hash of the cookie's token is stored; `confirmed_at` is when the
  // password was last entered again.
  `create table sessions (
     token_hash text primary key not null,
     user_id text not null references users (id) on delete cascade,
     user_agent text not null,
     ip text not null,
     created_at time not null,
     last_seen_at time not null,
     confirmed_at time,
     proved_with text,
     expires_at time not null)`,
  `create index sessions_by_user on sessions (user_id)`,
  `create index sessions_by_expiry on sessions (expires_at)`,

  // Links to choose a new password; the first one, in an invitation, works for longer. Without an
  // e-mail address, an operator got the link on the console.
  `create table password_resets (
     token_hash text primary key not null,
     user_id text not null references users (id) on delete cascade,
     email text,
     is_invitation flag not null default 0,
     created_at time not null,
     expires_at time not null)`,
  `create index password_resets_by_user on password_resets (user_id)`,
  `create index password_resets_by_expiry on password_resets (expires_at)`,

  // Links in mails about an address: `confirm` gives it to the account, `undo` brings it back.
  `create table email_links (
     token_hash text primary key not null,
     user_id text not null references users (id) on delete cascade,
     kind text not null,
     email text not null,
     created_at time not null,
     expires_at time not null)`,
  `create index email_links_by_user on email_links (user_id)`,
  `create index email_links_by_expiry on email_links (expires_at)`,

  // Mails that wait until their user has verified the address.
  `create table held_jobs (
     id text primary key not null,
     user_id text not null references users (id) on delete cascade,
     name text not null,
     payload text not null,
     max_attempts integer not null,
     created_at time not null)`,
  `create index held_jobs_by_user on held_jobs (user_id, id)`,
  `create index held_jobs_by_age on held_jobs (created_at)`,

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

  // Which e-mails a user wants, and whether we may collect analytics.
  `create table preferences (
     user_id text primary key not null references users (id) on delete cascade,
     release_mails flag not null check (release_mails in (0, 1)),
     news_mails flag not null check (news_mails in (0, 1)),
     analytics flag not null check (analytics in (0, 1)),
     updated_at time not null)`,

  // Every text that a legal page has had, without the facts that are filled in.
  `create table legal_versions (
     page text not null,
     version integer not null,
     text text not null,
     created_by text,
     created_at time not null,
     primary key (page, version))`,

  // Which version a user accepted, when and where.
  `create table legal_acceptances (
     user_id text not null references users (id) on delete cascade,
     page text not null,
     version integer not null,
     place text not null,
     at time not null,
     primary key (user_id, page, version, place))`,
];

/** Files of members that an administrator imports. */
export const memberImports: Statement[] = [
  // `outcomes` is JSON: lines per outcome, once it is done.
  `create table member_imports (
     id text primary key not null,
     created_by text references users (id) on delete set null,
     file_name text not null,
     source text not null,
     state text not null check (state in ('checking', 'draft', 'running', 'done')),
     outcomes text,
     lines integer not null,
     with_access integer not null,
     created_at time not null,
     finished_at time)`,
  `create index member_imports_by_state on member_imports (state, created_at)`,

  // Only what we use of a file, and only for some weeks.
  `create table member_import_lines (
     import_id text not null references member_imports (id) on delete cascade,
     line integer not null,
     email text not null,
     email_key text not null,
     name text not null,
     paid_until time,
     is_unsubscribed flag not null check (is_unsubscribed in (0, 1)),
     outcome text not null,
     note text,
     user_id text references users (id) on delete cascade,
     done_at time,
     primary key (import_id, line)) without rowid`,
  `create index member_import_lines_by_outcome on member_import_lines (import_id, outcome, line)`,
  `create index member_import_lines_open on member_import_lines (import_id, line)
     where done_at is null`,
  `create index member_import_lines_by_email on member_import_lines (email_key)`,
  `create index member_import_lines_by_user on member_import_lines (user_id)
     where user_id is not null`,
];

import { runStatements, type MigrationSteps } from './migration.ts';

export const emailAddresses: MigrationSteps = {
  up: (tx, dialect) =>
    runStatements(tx, dialect, [
      // Null until the user has opened a link in a mail to the address.
      'alter table users add column email_verified_at time',
      // The address the user wants to change to, until they open the link in the mail to it.
      'alter table users add column pending_email text',
      // Existing accounts have got our mails so far, and go on getting them.
      'update users set email_verified_at = created_at',
      // Where a reset link was mailed; null if an operator got it on the console.
      'alter table password_resets add column email text',
      // Links in mails about an address: `confirm` makes it the account's, `undo` makes it that again.
      `create table email_links (
         token_hash text primary key not null,
         user_id text not null references users (id) on delete cascade,
         kind text not null,
         email text not null,
         created_at time not null,
         expires_at time not null)`,
      'create index email_links_by_user on email_links (user_id)',
      'create index email_links_by_expiry on email_links (expires_at)',
      // Mails that wait until their user has verified the address.
      `create table held_jobs (
         id text primary key not null,
         user_id text not null references users (id) on delete cascade,
         name text not null,
         payload text not null,
         max_attempts integer not null,
         created_at time not null)`,
      'create index held_jobs_by_user on held_jobs (user_id, id)',
      'create index held_jobs_by_age on held_jobs (created_at)',
    ]),
};

import { runStatements, type MigrationSteps } from './migration.ts';

export const mailReports: MigrationSteps = {
  up: (tx, dialect) =>
    runStatements(tx, dialect, [
      `create table mail_reports (
         email_key text not null,
         kind text not null check (kind in ('temporary', 'complaint')),
         reason text not null,
         reported_at time not null,
         primary key (email_key, kind)) without rowid`,
      `create table read_mailboxes (
         mailbox text primary key not null,
         uid_validity time not null,
         last_uid time not null,
         arrived_at time not null)`,
    ]),
};

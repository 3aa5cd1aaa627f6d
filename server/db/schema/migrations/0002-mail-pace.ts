import { runStatements, type MigrationSteps } from './migration.ts';

/** At most one row, however many mails there were. */
export const mailPace: MigrationSteps = {
  up: (tx, dialect) =>
    runStatements(tx, dialect, [
      `create table mail_pace (
         id integer primary key not null check (id = 1),
         next_at time not null,
         paused_until time not null,
         pauses integer not null,
         pause_reason text,
         updated_at time not null)`,
    ]),
};

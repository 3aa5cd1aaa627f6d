import { runStatements, type MigrationSteps } from './migration.ts';

/** Reports of what was played, as they were made: their files and what they were made from are stored. */
export const usageReports: MigrationSteps = {
  up: (tx, dialect) =>
    runStatements(tx, dialect, [
      `create table usage_reports (
         id text primary key not null,
         number integer not null unique check (number > 0),
         request text not null unique,
         from_day text not null,
         to_day text not null check (to_day >= from_day),
         layout text not null,
         territory text not null,
         currency text not null,
         revenue_calculated time not null,
         revenue_confirmed time not null check (revenue_confirmed >= 0),
         state text not null check (state in ('making', 'ready', 'failed')),
         made_at time not null,
         made_by text references users (id) on delete set null,
         previous_id text references usage_reports (id),
         totals text,
         file_key text,
         snapshot_key text,
         sha256 text,
         size time,
         check (state <> 'ready' or (totals is not null and file_key is not null
           and snapshot_key is not null and sha256 is not null and size is not null)))`,
    ]),
};

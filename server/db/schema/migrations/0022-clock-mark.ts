import { runStatements, type MigrationSteps } from './migration.ts';

export const clockMark: MigrationSteps = {
  up: (tx, dialect) =>
    runStatements(tx, dialect, [
      // One row: when a worker last looked at its clock, and how long it has gone without a jump.
      `create table clock_mark (
         id integer primary key not null check (id = 1),
         seen_at time not null,
         steady_ms integer not null)`,
    ]),
};

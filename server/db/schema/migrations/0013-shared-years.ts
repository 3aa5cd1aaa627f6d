import { runStatements, type MigrationSteps } from './migration.ts';

/** Years whose picture a member has given a public address. */
export const sharedYears: MigrationSteps = {
  up: (tx, dialect) =>
    runStatements(tx, dialect, [
      `create table shared_years (
         user_id text not null references users (id) on delete cascade,
         year integer not null,
         token text not null,
         has_name flag not null check (has_name in (0, 1)),
         created_at time not null,
         primary key (user_id, year))`,
      `create unique index shared_years_by_token on shared_years (token)`,
    ]),
};

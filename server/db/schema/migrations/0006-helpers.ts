import { runStatements, type MigrationSteps } from './migration.ts';

export const helpers: MigrationSteps = {
  up: (tx, dialect) =>
    runStatements(tx, dialect, [
      `alter table users add column is_helper flag not null default 0 check (is_helper in (0, 1))`,
      `create index users_helpers on users (id) where is_helper = 1`,
    ]),
};

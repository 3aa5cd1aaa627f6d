import { runStatements, type MigrationSteps } from './migration.ts';

/** Which change of what members may keep is the newest, also after a clock was set back. */
export const fileChangeOrder: MigrationSteps = {
  up: (tx, dialect) =>
    runStatements(tx, dialect, [
      `alter table file_changes add column version integer not null default 0`,
    ]),
};

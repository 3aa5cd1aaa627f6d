import { runStatements, type MigrationSteps } from './migration.ts';

/** Why a planned letter couldn't go out. */
export const letterRefusals: MigrationSteps = {
  up: (tx, dialect) =>
    runStatements(tx, dialect, [
      `alter table letters add column refusal text`,
      `create index letters_refused on letters (id) where refusal is not null`,
    ]),
};

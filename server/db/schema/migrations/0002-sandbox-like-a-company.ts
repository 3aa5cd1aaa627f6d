import { runStatements, type MigrationSteps } from './migration.ts';

/** What the simulated provider needs to have disputes with a deadline, and cards that it recognises. */
export const sandboxLikeACompany: MigrationSteps = {
  up: (tx, dialect) =>
    runStatements(tx, dialect, [
      // The card that paid, or that pays after a trial.
      `alter table sandbox_checkouts add column card text`,
      // Of a missed payment that was charged later.
      `alter table sandbox_charges add column owed_reference text`,
      // The end of the time to answer a dispute, and whether it was lost.
      `alter table sandbox_charges add column respond_by time`,
      `alter table sandbox_charges add column is_lost flag not null default 0`,
    ]),
};

import { runStatements, type MigrationSteps } from './migration.ts';

export const keptSubscriptions: MigrationSteps = {
  up: (tx, dialect) =>
    runStatements(tx, dialect, [
      // An administrator wants the subscription to go on even if the bank decides for the member.
      `alter table payment_issues add column keeps_subscription flag not null default 0`,
    ]),
};

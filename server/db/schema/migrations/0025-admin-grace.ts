import { runStatements, type MigrationSteps } from './migration.ts';

export const adminGrace: MigrationSteps = {
  up: (tx, dialect) =>
    runStatements(tx, dialect, [
      // Until when an administrator may do without two-step login or a passkey; null before that is set.
      'alter table users add column admin_grace_until time',
    ]),
};

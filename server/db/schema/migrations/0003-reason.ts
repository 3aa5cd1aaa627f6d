import { runStatements, type MigrationSteps } from './migration.ts';

const TABLES = [
  'disabled_accounts',
  'audit_log',
  'ledger_entries',
  'payment_issues',
  'refused_payments',
];

/** The column has the name that everything else calls it by. */
export const reason: MigrationSteps = {
  up: (tx, dialect) =>
    runStatements(
      tx,
      dialect,
      TABLES.map((table) => `alter table ${table} rename column because to reason`),
    ),
};

import { runStatements, type MigrationSteps } from './migration.ts';

export const refusedAddresses: MigrationSteps = {
  up: (tx, dialect) =>
    runStatements(tx, dialect, [
      `create table refused_addresses (
         email_key text primary key not null,
         refused_at time not null,
         reason text not null,
         source text not null check (source in ('server', 'bounce', 'webhook')))`,
      `alter table sent_messages add column bounced_at time`,
    ]),
};

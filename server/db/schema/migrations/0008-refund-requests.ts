import { runStatements, type MigrationSteps } from './migration.ts';

export const refundRequests: MigrationSteps = {
  up: (tx, dialect) =>
    runStatements(tx, dialect, [
      // Every refund that the site asked a provider for. Other refunds were made at the provider.
      `create table refund_requests (
         provider text not null,
         charge_id text not null,
         key text not null,
         amount integer not null,
         lease_until time,
         requested_at time not null,
         primary key (provider, charge_id, key))`,
    ]),
};

import { runStatements, type MigrationSteps } from './migration.ts';

/** One row for each refund, whoever wants it and why. */
export const oneWayBack: MigrationSteps = {
  up: (tx, dialect) =>
    runStatements(tx, dialect, [
      `alter table payments add column refunded integer not null default 0`,
      `alter table payments add column failed_refunds integer not null default 0`,
      `update payments set refunded = coalesce((
         select invoices.refunded from invoices
         where invoices.provider = payments.provider and invoices.charge_id = payments.charge_id), 0)`,
      `alter table refund_requests add column why text not null default 'refused'`,
      `alter table refund_requests add column user_id text references users (id) on delete set null`,
      `alter table refund_requests add column action_id text`,
      `alter table refund_requests add column ends_subscription flag not null default 0`,
      `alter table refund_requests add column accepted_at time`,
      `alter table refund_requests add column done_at time`,
      `update refund_requests
         set lease_until = requested_at, accepted_at = requested_at, done_at = requested_at
         where lease_until is null`,
      `delete from refund_requests where key like 'withdrawal:%'`,
      `insert into refund_requests
         (provider, charge_id, key, amount, requested_at, lease_until, why, user_id, accepted_at, done_at)
         select provider, charge_id, 'withdrawal:' || charge_id, amount, requested_at, requested_at,
           'withdrawal', user_id, done_at, done_at from withdrawals`,
      `drop table withdrawals`,
      // Once per member.
      `create unique index refund_requests_withdrawal on refund_requests (user_id)
         where why = 'withdrawal'`,
    ]),
};

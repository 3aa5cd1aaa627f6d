import { runStatements, type MigrationSteps } from './migration.ts';

export const paymentIssues: MigrationSteps = {
  up: (tx, dialect) =>
    runStatements(tx, dialect, [
      // What an administrator has to look at, once per cause.
      `create table payment_issues (
         id text primary key not null,
         key text not null unique,
         kind text not null,
         user_id text references users (id) on delete set null,
         provider text,
         charge_id text,
         reference text,
         amount integer,
         currency text,
         because text not null,
         due_at time,
         opened_at time not null,
         closed_at time,
         closed_by text,
         note text)`,
      `create index payment_issues_open on payment_issues (opened_at, id) where closed_at is null`,
      `create index payment_issues_closed on payment_issues (closed_at, id) where closed_at is not null`,
      `create index payment_issues_by_user on payment_issues (user_id) where user_id is not null`,
      // When to look for the subscription of a paid checkout; null once it is settled.
      `alter table checkouts add column check_at time`,
      `create index checkouts_to_check on checkouts (check_at, reference) where check_at is not null`,
    ]),
};

import { runStatements, type MigrationSteps } from './migration.ts';

/** Subscriptions that a provider still charges itself, on their way to ours. */
export const comingOver: MigrationSteps = {
  up: (tx, dialect) =>
    runStatements(tx, dialect, [
      `create table coming_subscriptions (
         provider text not null,
         provider_subscription_id text not null,
         user_id text references users (id) on delete set null,
         state text not null,
         plan text not null,
         amount integer not null,
         first_at time not null,
         periods integer not null,
         watched_since time not null,
         clean_since time not null,
         equal_renewals integer not null,
         differences text not null,
         method_id text,
         updated_at time not null,
         primary key (provider, provider_subscription_id))`,
      // Nobody comes over twice at a time.
      `create unique index coming_subscriptions_of_user on coming_subscriptions (user_id)
         where state in ('shadow', 'ending')`,
    ]),
};

import type { Statement } from '../migrations/migration.ts';

/** What visitors did, for analytics. */
export const analytics: Statement[] = [
  // Every analytics event of the last months.
  `create table analytics_events (
     id text primary key not null,
     at time not null,
     name text not null,
     user_id text references users (id) on delete set null,
     device text,
     properties text not null)`,
  `create index analytics_events_by_time on analytics_events (at)`,
  `create index analytics_events_by_user on analytics_events (user_id) where user_id is not null`,

  // Events per day, which stay when the events themselves are deleted.
  `create table analytics_days (
     day text not null,
     name text not null,
     detail text not null,
     events integer not null,
     primary key (day, name, detail))`,

  // Events waiting to be sent to the analytics provider.
  `create table analytics_outbox (
     id text primary key not null,
     queued_at time not null,
     user_id text,
     body text not null) without rowid`,
  `create index analytics_outbox_by_time on analytics_outbox (queued_at, id)`,
  `create index analytics_outbox_by_user on analytics_outbox (user_id) where user_id is not null`,
];

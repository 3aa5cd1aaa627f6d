import type { Statement } from '../migrations/migration.ts';

/**
 * The numbers of reports, updated together with what they count. On SQLite these tables have no
 * rowid: their rows lie in the order of the key, which is how reports read them.
 */
export const reports: Statement[] = [
  // Plays and listeners of the whole site per day.
  `create table site_days (
     day text primary key not null,
     plays integer not null,
     subscriber_plays integer not null,
     listeners integer not null) without rowid`,

  // Plays per hour of the day.
  `create table play_hours (
     day text not null,
     hour integer not null,
     plays integer not null,
     primary key (day, hour)) without rowid`,

  // Plays per track and month.
  `create table play_months (
     month text not null,
     track_id text not null references tracks (id) on delete cascade,
     plays integer not null,
     primary key (month, track_id)) without rowid`,
  `create index play_months_by_track on play_months (track_id)`,

  // The last day each listener was here.
  `create table listener_last_days (
     listener_key text primary key not null,
     day text not null) without rowid`,

  // How many listeners of a day were last here on which earlier day.
  `create table listener_gaps (
     day text not null,
     previous_day text not null,
     listeners integer not null,
     primary key (day, previous_day)) without rowid`,

  // The listeners behind those numbers.
  `create table listener_visits (
     day text not null,
     previous_day text not null,
     listener_key text not null,
     primary key (day, previous_day, listener_key)) without rowid`,
  `create index listener_visits_by_listener on listener_visits (listener_key)`,

  // How many listeners got to which percentage of a track, by the day they started it.
  `create table track_reach (
     track_id text not null references tracks (id) on delete cascade,
     day text not null,
     reach integer not null,
     listeners integer not null,
     primary key (track_id, day, reach)) without rowid`,

  // Subscriptions that started and ended, and monthly recurring revenue per day.
  `create table subscription_days (
     day text primary key not null,
     started integer not null,
     ended integer not null,
     mrr time not null) without rowid`,

  // Money received and returned per day.
  `create table money_days (
     day text primary key not null,
     payments integer not null,
     charged time not null,
     returned time not null) without rowid`,

  // How many subscribers of a starting month still paid in each month after it.
  `create table cohort_months (
     cohort text not null,
     month integer not null,
     subscribers integer not null,
     primary key (cohort, month)) without rowid`,

  // The spans of days each subscriber has paid for.
  `create table paid_spans (
     id text primary key not null,
     user_id text references users (id) on delete set null,
     from_day text not null,
     to_day text not null,
     monthly time not null,
     is_start flag not null,
     is_end flag not null,
     cohort text) without rowid`,
  // Finds the subscribers of a day, from the first span that ends after it.
  `create index paid_spans_by_end on paid_spans (to_day, id, from_day)`,
  `create index paid_spans_started on paid_spans (from_day, id) where is_start = 1`,
  `create index paid_spans_ended on paid_spans (to_day, id) where is_end = 1`,
  `create index paid_spans_by_cohort on paid_spans (cohort, id) where cohort is not null`,
  `create index paid_spans_by_user on paid_spans (user_id) where user_id is not null`,

  // Refunds and chargebacks.
  `create table money_returns (
     id text primary key not null,
     user_id text references users (id) on delete set null,
     day text not null,
     at time not null,
     kind text not null,
     amount time not null) without rowid`,
  `create index money_returns_by_day on money_returns (day, id)`,
  `create index money_returns_by_user on money_returns (user_id) where user_id is not null`,
];

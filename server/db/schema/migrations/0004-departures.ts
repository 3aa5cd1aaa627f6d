import { runStatements, type MigrationSteps } from './migration.ts';

/** Who left and why, and the figures of the report about it. */
export const departures: MigrationSteps = {
  up: (tx, dialect) =>
    runStatements(tx, dialect, [
      `create table departures (
         id text primary key not null,
         user_id text references users (id) on delete set null,
         subscription_id text not null,
         at time not null,
         day text not null,
         ends_at time not null,
         way text not null,
         reason text,
         comment text,
         plan text not null,
         months integer not null,
         track_id text references tracks (id) on delete set null,
         taken_back_at time)`,
      // Nobody leaves the same subscription twice without having come back.
      `create unique index departures_by_subscription on departures (subscription_id)
         where taken_back_at is null`,
      `create index departures_by_time on departures (at, id) where taken_back_at is null`,
      `create index departures_by_user on departures (user_id, at) where user_id is not null`,
      `create index departures_by_track on departures (track_id) where track_id is not null`,
      `create table departure_days (
         day text not null,
         way text not null,
         reason text not null,
         departures integer not null,
         months integer not null,
         primary key (day, way, reason)) without rowid`,
    ]),
};

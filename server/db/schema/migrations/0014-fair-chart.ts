import { runStatements, type MigrationSteps } from './migration.ts';

export const fairChart: MigrationSteps = {
  up: (tx, dialect) =>
    runStatements(tx, dialect, [
      // Why a play, or a listener on a day, stays out of the chart; null if it doesn't.
      `alter table plays add column suspicion text`,
      `create index plays_suspicious on plays (counted_at, id) where suspicion is not null`,
      `alter table listener_days add column suspicion text`,

      // How many listeners of a network the chart has counted for a track today. Without addresses:
      // the network is a hash with a key that is deleted with the day.
      `create table network_listeners (
         day text not null,
         track_id text not null references tracks (id) on delete cascade,
         network text not null,
         listeners integer not null,
         primary key (day, track_id, network)) without rowid`,
      `create index network_listeners_by_track on network_listeners (track_id)`,

      // Plays that stay out of the chart, for reports.
      `create table suspicious_days (
         day text not null,
         track_id text not null references tracks (id) on delete cascade,
         suspicion text not null,
         plays integer not null,
         primary key (day, track_id, suspicion)) without rowid`,
      `create index suspicious_days_by_track on suspicious_days (track_id)`,

      // How many analytics events arrived today, and how large they were: from each network, hashed in the same way,
      // and in all (the empty network).
      `create table analytics_arrivals (
         day text not null,
         network text not null,
         events integer not null,
         bytes time not null,
         primary key (day, network)) without rowid`,
    ]),
};

import { runStatements, type MigrationSteps } from './migration.ts';

/** Mixes that were taken down on a complaint. One of them has no release time, whatever else happens. */
export const takeDowns: MigrationSteps = {
  up: (tx, dialect) =>
    runStatements(tx, dialect, [
      `alter table tracks add column taken_down_at time
         check (taken_down_at is null or (publish_at is null and deleted_at is null))`,
      `create table take_downs (
         id text primary key not null,
         track_id text not null references tracks (id) on delete cascade,
         complainant text not null,
         email text,
         reference text,
         reason text not null,
         publish_at time,
         created_at time not null,
         created_by text references users (id) on delete set null,
         ended_at time,
         ended_by text references users (id) on delete set null,
         end_reason text,
         ended_as text check (ended_as in ('before', 'draft')),
         check ((ended_at is null) = (end_reason is null) and (ended_at is null) = (ended_as is null)))`,
      `create index take_downs_of_track on take_downs (track_id)`,
      `create unique index take_downs_open on take_downs (track_id) where ended_at is null`,
    ]),
};

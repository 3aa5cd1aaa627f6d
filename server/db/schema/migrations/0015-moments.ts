import { runStatements, type MigrationSteps } from './migration.ts';

/** Lines that members leave at seconds of a track, and who and what is left out. */
export const moments: MigrationSteps = {
  up: (tx, dialect) =>
    runStatements(tx, dialect, [
      `create table moments (
         id text primary key not null,
         user_id text not null references users (id) on delete cascade,
         track_id text not null references tracks (id) on delete cascade,
         "second" integer not null check ("second" >= 0),
         "minute" integer not null check ("minute" = "second" / 60),
         text text not null,
         created_at time not null,
         hidden_at time,
         unique (user_id, track_id, "minute"))`,
      `create index moments_by_second on moments (track_id, "second", id)`,
      `create index moments_by_track on moments (track_id, id)`,
      `create index moments_by_user on moments (user_id, id)`,
      `alter table tracks add column has_moments flag not null default 1 check (has_moments in (0, 1))`,
      `alter table users add column moment_ban text check (moment_ban in ('writing', 'lines'))`,
    ]),
};

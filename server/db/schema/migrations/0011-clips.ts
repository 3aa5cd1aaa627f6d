import { runStatements, type MigrationSteps } from './migration.ts';

/** Seconds of a track that everyone may hear. */
export const clips: MigrationSteps = {
  up: (tx, dialect) =>
    runStatements(tx, dialect, [
      `create table clips (
         id text primary key not null,
         track_id text not null references tracks (id) on delete cascade,
         user_id text references users (id) on delete set null,
         audio_key text not null,
         start_s integer not null check (start_s >= 0),
         seconds integer not null check (seconds > 0),
         state text not null check (state in ('waiting', 'ready', 'failed', 'removed')),
         is_teaser flag not null default 0,
         sizes text,
         created_at time not null,
         published_at time,
         removed_at time)`,
      `create index clips_by_track on clips (track_id, id)`,
      `create index clips_by_user on clips (user_id, id) where user_id is not null`,
      `create index clips_waiting on clips (id) where state = 'waiting'`,
    ]),
};

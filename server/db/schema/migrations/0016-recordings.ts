import { runStatements, type MigrationSteps } from './migration.ts';

/** What is played in mixes, with what reports say about it, and which mixes play it. */
export const recordings: MigrationSteps = {
  up: (tx, dialect) =>
    runStatements(tx, dialect, [
      `create table recordings (
         id text primary key not null,
         artist text,
         title text not null,
         name_key bytewise_text not null,
         version text,
         composer text,
         publisher text,
         label text,
         isrc text,
         iswc text,
         is_own flag not null check (is_own in (0, 1)),
         cleared_with text,
         created_at time not null,
         updated_at time not null)`,
      `create index recordings_by_name on recordings (name_key, id)`,
      `create index recordings_by_isrc on recordings (isrc)`,
      `create table track_recordings (
         track_id text not null references tracks (id) on delete cascade,
         recording_id text not null references recordings (id) on delete cascade,
         name_key bytewise_text not null,
         primary key (track_id, recording_id, name_key)) without rowid`,
      `create index track_recordings_by_recording on track_recordings (recording_id, track_id)`,
      `create index track_recordings_by_name on track_recordings (name_key, recording_id)`,
    ]),
};

import { runStatements, type MigrationSteps, type Statement } from './migration.ts';

const NEW_VERSION = 'update catalogue_version set version = lower(hex(randomblob(16)))';

/** A change is a new version of the catalogue, like those of the tables of migration 9. */
const listTriggers = (table: string): Statement[] =>
  ['insert', 'update', 'delete'].flatMap((event): Statement[] => {
    const trigger = `trigger ${table}_${event}_published after ${event} on ${table}`;
    return [
      { sqlite: `create ${trigger} begin ${NEW_VERSION}; end` },
      {
        postgres: `create constraint ${trigger} deferrable initially deferred for each row
          execute function set_catalogue_version()`,
      },
    ];
  });

export const artists: MigrationSteps = {
  up: (tx, dialect) =>
    runStatements(tx, dialect, [
      `create table artists (
         id text primary key not null,
         name text not null,
         name_key bytewise_text not null unique,
         about text not null default '',
         links text not null default '[]',
         picture_key text,
         version integer not null default 0,
         created_at time not null,
         updated_at time not null)`,
      `create index artists_by_picture on artists (picture_key) where picture_key is not null`,
      // What an artist was before it was merged into another one: the old name and address still work.
      `create table artist_aliases (
         id text primary key not null,
         name text not null,
         name_key bytewise_text not null,
         artist_id text not null references artists (id) on delete cascade)`,
      `create index artist_aliases_by_name on artist_aliases (name_key)`,
      `create index artist_aliases_by_artist on artist_aliases (artist_id)`,
      `create table track_artists (
         track_id text not null references tracks (id) on delete cascade,
         position integer not null,
         artist_id text not null references artists (id),
         primary key (track_id, position)) without rowid`,
      `create unique index track_artists_by_artist on track_artists (artist_id, track_id)`,
      // The name of a series that a track belongs to, in the order of the library.
      `alter table tracks add column series text`,
      `create index tracks_by_series on tracks (series, year desc, week desc, publish_at desc, id desc)
         where publish_at is not null and status = 'ready' and series is not null`,
      ...['artists', 'artist_aliases', 'track_artists'].flatMap(listTriggers),
    ]),
};

import { sql, type Transaction } from 'kysely';
import type { DialectName } from '../connect.ts';
import type { Migration } from './migration.ts';
import { finishTable, timeType } from './table-types.ts';

const createTracks = async (tx: Transaction<unknown>, dialect: DialectName): Promise<void> => {
  const time = timeType(dialect);
  await finishTable(
    tx.schema
      .createTable('tracks')
      .addColumn('id', 'text', (c) => c.primaryKey().notNull())
      .addColumn('title', 'text', (c) => c.notNull())
      .addColumn('year', 'integer', (c) => c.notNull())
      .addColumn('week', 'integer', (c) => c.notNull().check(sql`week between 1 and 53`))
      .addColumn('description', 'text', (c) => c.notNull())
      .addColumn('genre', 'text')
      .addColumn('bpm', 'integer')
      .addColumn('duration_ms', 'integer', (c) => c.notNull())
      .addColumn('chapters', 'text', (c) => c.notNull())
      .addColumn('cover_key', 'text')
      .addColumn('master_key', 'text')
      .addColumn('preview_start_ms', 'integer')
      .addColumn('status', 'text', (c) =>
        c.notNull().check(sql`status in ('processing', 'ready', 'failed')`),
      )
      .addColumn('progress', 'integer', (c) => c.notNull())
      .addColumn('failure', 'text')
      .addColumn('is_subscriber_only', 'integer', (c) =>
        c.notNull().check(sql`is_subscriber_only in (0, 1)`),
      )
      .addColumn('publish_at', time)
      .addColumn('play_count', 'integer', (c) => c.notNull())
      .addColumn('created_at', time, (c) => c.notNull())
      .addColumn('updated_at', time, (c) => c.notNull()),
    dialect,
  );
  await finishTable(
    tx.schema
      .createTable('track_files')
      .addColumn('track_id', 'text', (c) => c.notNull().references('tracks.id').onDelete('cascade'))
      .addColumn('kind', 'text', (c) =>
        c.notNull().check(sql`kind in ('stream', 'saver', 'preview', 'mp3', 'flac')`),
      )
      .addColumn('key', 'text', (c) => c.notNull())
      .addColumn('size', time, (c) => c.notNull())
      .addColumn('media_type', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('track_files_pk', ['track_id', 'kind']),
    dialect,
  );
  await finishTable(
    tx.schema
      .createTable('track_peaks')
      .addColumn('track_id', 'text', (c) =>
        c.primaryKey().notNull().references('tracks.id').onDelete('cascade'),
      )
      .addColumn('peaks', 'text', (c) => c.notNull()),
    dialect,
  );
  await finishTable(
    tx.schema
      .createTable('ingest_stages')
      .addColumn('track_id', 'text', (c) => c.notNull().references('tracks.id').onDelete('cascade'))
      .addColumn('stage', 'text', (c) => c.notNull())
      .addColumn('result', 'text', (c) => c.notNull())
      .addColumn('finished_at', time, (c) => c.notNull())
      .addPrimaryKeyConstraint('ingest_stages_pk', ['track_id', 'stage']),
    dialect,
  );
};

const createPlays = async (tx: Transaction<unknown>, dialect: DialectName): Promise<void> => {
  const time = timeType(dialect);
  await finishTable(
    tx.schema
      .createTable('plays')
      .addColumn('id', 'text', (c) => c.primaryKey().notNull())
      .addColumn('track_id', 'text', (c) => c.notNull().references('tracks.id').onDelete('cascade'))
      .addColumn('user_id', 'text', (c) => c.references('users.id').onDelete('set null'))
      .addColumn('listener', 'text', (c) => c.notNull())
      .addColumn('is_subscriber', 'integer', (c) => c.notNull().check(sql`is_subscriber in (0, 1)`))
      .addColumn('started_at', time, (c) => c.notNull())
      .addColumn('heard_at', time, (c) => c.notNull())
      .addColumn('heard_ms', 'integer', (c) => c.notNull())
      .addColumn('position_ms', 'integer', (c) => c.notNull())
      .addColumn('is_counted', 'integer', (c) => c.notNull().check(sql`is_counted in (0, 1)`)),
    dialect,
  );
  await finishTable(
    tx.schema
      .createTable('counted_plays')
      .addColumn('listener', 'text', (c) => c.notNull())
      .addColumn('track_id', 'text', (c) => c.notNull().references('tracks.id').onDelete('cascade'))
      .addColumn('counted_at', time, (c) => c.notNull())
      .addPrimaryKeyConstraint('counted_plays_pk', ['listener', 'track_id']),
    dialect,
  );
  await finishTable(
    tx.schema
      .createTable('play_days')
      .addColumn('day', 'text', (c) => c.notNull())
      .addColumn('track_id', 'text', (c) => c.notNull().references('tracks.id').onDelete('cascade'))
      .addColumn('plays', 'integer', (c) => c.notNull())
      .addColumn('subscriber_listeners', 'integer', (c) => c.notNull())
      .addColumn('free_listeners', 'integer', (c) => c.notNull())
      .addPrimaryKeyConstraint('play_days_pk', ['day', 'track_id']),
    dialect,
  );
  await finishTable(
    tx.schema
      .createTable('listener_days')
      .addColumn('day', 'text', (c) => c.notNull())
      .addColumn('track_id', 'text', (c) => c.notNull().references('tracks.id').onDelete('cascade'))
      .addColumn('listener', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('listener_days_pk', ['day', 'track_id', 'listener']),
    dialect,
  );
};

const INDEXES = [
  `create index tracks_published on tracks (year desc, week desc, publish_at desc, id desc)
     where publish_at is not null and status = 'ready'`,
  'create index plays_by_user on plays (user_id, heard_at)',
  'create index plays_by_track on plays (track_id, started_at)',
];

export const tracksAndPlays: Migration = {
  name: '0002-tracks-and-plays',
  up: async (tx, dialect) => {
    await createTracks(tx, dialect);
    await createPlays(tx, dialect);
    for (const index of INDEXES) await sql.raw(index).execute(tx);
  },
};

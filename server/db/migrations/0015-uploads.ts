import { sql, type Transaction } from 'kysely';
import type { DialectName } from '../connect.ts';
import type { Migration } from './migration.ts';
import { finishTable, timeType } from './table-types.ts';

async function createUploads(tx: Transaction<unknown>, dialect: DialectName) {
  const time = timeType(dialect);
  await finishTable(
    tx.schema
      .createTable('uploads')
      .addColumn('id', 'text', (c) => c.primaryKey().notNull())
      .addColumn('user_id', 'text', (c) => c.references('users.id').onDelete('set null'))
      .addColumn('file_name', 'text', (c) => c.notNull())
      .addColumn('size', time, (c) => c.notNull())
      .addColumn('received', time, (c) => c.notNull())
      .addColumn('state', 'text', (c) =>
        c
          .notNull()
          .check(sql`state in ('uploading', 'received', 'duplicate', 'refused', 'finished')`),
      )
      .addColumn('failure', 'text')
      .addColumn('sha256', 'text')
      .addColumn('container', 'text')
      .addColumn('tags', 'text')
      .addColumn('draft', 'text', (c) => c.notNull())
      .addColumn('cover_key', 'text')
      .addColumn('track_id', 'text', (c) => c.references('tracks.id').onDelete('set null'))
      .addColumn('replaces_id', 'text', (c) => c.references('tracks.id').onDelete('cascade'))
      .addColumn('duplicate_of', 'text', (c) => c.references('tracks.id').onDelete('set null'))
      .addColumn('is_duplicate_wanted', 'integer', (c) =>
        c.notNull().check(sql`is_duplicate_wanted in (0, 1)`),
      )
      .addColumn('version', 'integer', (c) => c.notNull())
      .addColumn('created_at', time, (c) => c.notNull())
      .addColumn('updated_at', time, (c) => c.notNull()),
    dialect,
  );
}

async function extendTracks(tx: Transaction<unknown>, dialect: DialectName) {
  const time = timeType(dialect);
  const add = (name: string, type: 'text' | 'integer' | 'bigint') =>
    tx.schema.alterTable('tracks').addColumn(name, type).execute();
  await tx.schema
    .alterTable('tracks')
    .addColumn('version', 'integer', (c) => c.notNull().defaultTo(0))
    .execute();
  await add('master_sha256', 'text');
  await add('deleted_at', time);
  await add('restore_publish_at', time);
  await add('purged_at', time);
  await add('announced_at', time);
  // What is out already is no news.
  await sql`update tracks set announced_at = created_at where publish_at is not null`.execute(tx);
}

/** Whom a release mail was asked for: a member gets one for each mix, however often work is begun. */
async function createReleaseMails(tx: Transaction<unknown>, dialect: DialectName) {
  await finishTable(
    tx.schema
      .createTable('release_mails')
      .addColumn('track_id', 'text', (c) => c.notNull().references('tracks.id').onDelete('cascade'))
      .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addPrimaryKeyConstraint('release_mails_pk', ['track_id', 'user_id']),
    dialect,
  );
}

const COUNTED = [
  { table: 'counted_plays', column: 'listeners' },
  { table: 'favorites', column: 'favorites' },
  { table: 'downloads', column: 'downloads' },
] as const;

const addOne = (column: string) => `insert into track_figures (track_id, ${column})
  values (new.track_id, 1)
  on conflict (track_id) do update set ${column} = track_figures.${column} + 1;`;
const takeOne = (column: string) =>
  `update track_figures set ${column} = ${column} - 1 where track_id = old.track_id;`;

function writeTriggers(dialect: DialectName, table: string, column: string): string[] {
  const events = [
    ['insert', addOne(column)],
    ['delete', takeOne(column)],
  ] as const;
  return events.flatMap(([event, body]) => {
    const name = `${table}_${event}_counted`;
    if (dialect === 'sqlite')
      return [`create trigger ${name} after ${event} on ${table} begin ${body} end`];
    return [
      `create function ${name}() returns trigger language plpgsql as $$ begin ${body} return null; end $$`,
      `create trigger ${name} after ${event} on ${table} for each row execute function ${name}()`,
    ];
  });
}

/**
 * What the catalogue says of each mix, kept by the database itself: a row can also go with the
 * account it belongs to, and counting a hundred thousand of them for a list is not an option.
 */
async function createFigures(tx: Transaction<unknown>, dialect: DialectName) {
  await finishTable(
    tx.schema
      .createTable('track_figures')
      .addColumn('track_id', 'text', (c) =>
        c.primaryKey().notNull().references('tracks.id').onDelete('cascade'),
      )
      .addColumn('listeners', 'integer', (c) => c.notNull().defaultTo(0))
      .addColumn('favorites', 'integer', (c) => c.notNull().defaultTo(0))
      .addColumn('downloads', 'integer', (c) => c.notNull().defaultTo(0)),
    dialect,
  );
  for (const { table, column } of COUNTED) {
    await sql
      .raw(
        `insert into track_figures (track_id, ${column})
           select track_id, count(*) from ${table} where true group by track_id
           on conflict (track_id) do update set ${column} = excluded.${column}`,
      )
      .execute(tx);
    for (const statement of writeTriggers(dialect, table, column))
      await sql.raw(statement).execute(tx);
  }
}

const INDEXES = [
  'create index uploads_by_time on uploads (created_at desc, id desc)',
  'create index uploads_by_track on uploads (track_id)',
  'create index uploads_by_cover on uploads (cover_key) where cover_key is not null',
  'create index tracks_by_slot on tracks (year desc, week desc, created_at desc, id desc)',
  'create index tracks_by_master on tracks (master_sha256) where master_sha256 is not null',
  'create index tracks_to_announce on tracks (publish_at) where announced_at is null',
  'create index tracks_deleted on tracks (deleted_at) where deleted_at is not null and purged_at is null',
  'create index tracks_by_cover on tracks (cover_key) where cover_key is not null',
  'create index tracks_by_master_key on tracks (master_key) where master_key is not null',
  'create index track_files_by_key on track_files (key)',
  'create index release_mails_by_user on release_mails (user_id)',
];

export const uploads: Migration = {
  name: '0015-uploads',
  up: async (tx, dialect) => {
    await extendTracks(tx, dialect);
    await createUploads(tx, dialect);
    await createReleaseMails(tx, dialect);
    await createFigures(tx, dialect);
    for (const index of INDEXES) await sql.raw(index).execute(tx);
  },
};

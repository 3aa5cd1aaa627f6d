import { runStatements, type MigrationSteps, type Statement } from './migration.ts';

/** What everybody sees. A change of any of them is a new version of the catalogue. */
const PUBLIC = [
  'tracks',
  'renditions',
  'track_peaks',
  'charts',
  'chart_entries',
  'search_docs',
  'settings',
] as const;

const NEW_VERSION = {
  sqlite: 'update catalogue_version set version = lower(hex(randomblob(16)))',
  postgres: 'update catalogue_version set version = gen_random_uuid()',
};

/** A counted play changes nothing else, and play counts are always read anew. */
const conditionOf = (table: string, event: string) =>
  table === 'tracks' && event === 'update' ? 'when (old.play_count = new.play_count)' : '';

const listTriggers = (table: string): Statement[] =>
  ['insert', 'update', 'delete'].flatMap((event): Statement[] => {
    const name = `${table}_${event}_published`;
    const when = conditionOf(table, event);
    return [
      {
        sqlite: `create trigger ${name} after ${event} on ${table} ${when}
          begin ${NEW_VERSION.sqlite}; end`,
      },
      {
        // At the end of the transaction: its lock is held only briefly, and after all others, so it
        // can't cause a deadlock.
        postgres: `create constraint trigger ${name} after ${event} on ${table}
          deferrable initially deferred for each row ${when}
          execute function set_catalogue_version()`,
      },
    ];
  });

export const catalogueVersion: MigrationSteps = {
  up: (tx, dialect) =>
    runStatements(tx, dialect, [
      // One row. The version is random, so that not even a restored database repeats one.
      `create table catalogue_version (
         id integer primary key not null check (id = 1),
         version text not null)`,
      { sqlite: `insert into catalogue_version values (1, lower(hex(randomblob(16))))` },
      { postgres: `insert into catalogue_version values (1, gen_random_uuid())` },
      {
        // Once per transaction, however many rows it changes.
        postgres: `create function set_catalogue_version() returns trigger language plpgsql as $$
          begin
            if current_setting('catalogue.changed_by', true)
              is distinct from pg_current_xact_id()::text then
              ${NEW_VERSION.postgres};
              perform set_config('catalogue.changed_by', pg_current_xact_id()::text, true);
            end if;
            return null;
          end $$`,
      },
      ...PUBLIC.flatMap(listTriggers),
      // Finds the release before and after a moment.
      `create index tracks_by_release on tracks (publish_at)
         where publish_at is not null and status = 'ready'`,
    ]),
};

import type { Statement } from './migrations/migration.ts';

/** What everybody sees. A change of any of them is a new version of the catalogue. */
const PUBLIC = [
  'tracks',
  'renditions',
  'track_peaks',
  'artists',
  'artist_aliases',
  'track_artists',
  'charts',
  'chart_entries',
  'search_docs',
  'settings',
] as const;

/** A counted play changes nothing else, and play counts are always read anew. */
const WITHOUT_PLAYS = 'when (old.play_count = new.play_count)';
const PLAYS_ONLY = 'when (old.play_count <> new.play_count)';

/** A new random value of a column of the one row, once the event has happened. */
const renewAfter = (
  event: string,
  { trigger, column, when = '' }: { trigger: string; column: string; when?: string },
): Statement[] => [
  {
    sqlite: `create trigger ${trigger} after ${event} ${when}
      begin update catalogue_version set ${column} = lower(hex(randomblob(16))); end`,
  },
  {
    // At the end of the transaction: its lock is held only briefly, and after all others, so it
    // can't cause a deadlock.
    postgres: `create constraint trigger ${trigger} after ${event}
      deferrable initially deferred for each row ${when} execute function renew_${column}()`,
  },
];

/** Once per transaction, however many rows it changes. */
const createRenewal = (column: string): Statement => ({
  postgres: `create function renew_${column}() returns trigger language plpgsql as $$
    begin
      if current_setting('catalogue.${column}_renewed_by', true)
        is distinct from pg_current_xact_id()::text then
        update catalogue_version set ${column} = gen_random_uuid();
        perform set_config(
          'catalogue.${column}_renewed_by', pg_current_xact_id()::text, true);
      end if;
      return null;
    end $$`,
});

/** Versions by which remembered answers are known to be true. After all tables that it watches. */
export const catalogueVersion: Statement[] = [
  // One row: `version` changes with what everybody sees, `plays` with every counted play. They are
  // random, so that not even a restored database repeats one.
  `create table catalogue_version (
     id integer primary key not null check (id = 1),
     version text not null,
     plays text not null)`,
  { sqlite: `insert into catalogue_version values (1, lower(hex(randomblob(16))), '')` },
  { postgres: `insert into catalogue_version values (1, gen_random_uuid(), '')` },
  createRenewal('version'),
  createRenewal('plays'),
  ...PUBLIC.flatMap((table) =>
    ['insert', 'update', 'delete'].flatMap((event) =>
      renewAfter(`${event} on ${table}`, {
        trigger: `${table}_${event}_published`,
        column: 'version',
        when: table === 'tracks' && event === 'update' ? WITHOUT_PLAYS : '',
      }),
    ),
  ),
  ...renewAfter('update on tracks', {
    trigger: 'tracks_play_counted',
    column: 'plays',
    when: PLAYS_ONLY,
  }),
];

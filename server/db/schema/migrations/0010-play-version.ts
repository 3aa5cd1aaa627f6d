import { runStatements, type MigrationSteps } from './migration.ts';

const NEW_VERSION = {
  sqlite: 'update catalogue_version set plays = lower(hex(randomblob(16)))',
  postgres: 'update catalogue_version set plays = gen_random_uuid()',
};

const COUNTS = 'after update on tracks';
const WHEN = 'when (old.play_count <> new.play_count)';

/** Changes with every counted play. In the row of the version, so that there is one row to lock. */
export const playVersion: MigrationSteps = {
  up: (tx, dialect) =>
    runStatements(tx, dialect, [
      `alter table catalogue_version add column plays text not null default ''`,
      {
        sqlite: `create trigger tracks_play_counted ${COUNTS} ${WHEN}
          begin ${NEW_VERSION.sqlite}; end`,
      },
      {
        postgres: `create function set_play_version() returns trigger language plpgsql as $$
          begin
            if current_setting('catalogue.counted_by', true)
              is distinct from pg_current_xact_id()::text then
              ${NEW_VERSION.postgres};
              perform set_config('catalogue.counted_by', pg_current_xact_id()::text, true);
            end if;
            return null;
          end $$`,
      },
      {
        // Like the other triggers of this row at the end of the transaction, after all other locks.
        postgres: `create constraint trigger tracks_play_counted ${COUNTS}
          deferrable initially deferred for each row ${WHEN}
          execute function set_play_version()`,
      },
    ]),
};

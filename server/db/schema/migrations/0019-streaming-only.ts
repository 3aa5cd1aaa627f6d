import { runStatements, type MigrationSteps } from './migration.ts';

/** What members may keep of each mix, and who is told when the site stops giving files. */
export const streamingOnly: MigrationSteps = {
  up: (tx, dialect) =>
    runStatements(tx, dialect, [
      ...['has_downloads', 'has_lossless', 'has_saving'].map(
        (name) =>
          `alter table tracks add column ${name} flag not null default 1 check (${name} in (0, 1))`,
      ),
      `create table file_changes (
         id text primary key not null,
         ends_before text not null,
         ends_after text not null,
         created_at time not null)`,
      `create table file_change_members (
         change_id text not null references file_changes (id) on delete cascade,
         user_id text not null references users (id) on delete cascade,
         told_at time,
         primary key (change_id, user_id))`,
      `create index file_change_members_by_user on file_change_members (user_id)`,
    ]),
};

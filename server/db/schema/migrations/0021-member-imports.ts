import { runStatements, type MigrationSteps } from './migration.ts';

export const memberImports: MigrationSteps = {
  up: (tx, dialect) =>
    runStatements(tx, dialect, [
      `create table member_imports (
         id text primary key not null,
         created_by text references users (id) on delete set null,
         file_name text not null,
         source text not null,
         state text not null check (state in ('checking', 'draft', 'running', 'done')),
         -- JSON: lines per outcome, once it is done.
         outcomes text,
         lines integer not null,
         with_access integer not null,
         created_at time not null,
         finished_at time)`,
      `create index member_imports_by_state on member_imports (state, created_at)`,

      // Only what we use of a file, and only for some weeks.
      `create table member_import_lines (
         import_id text not null references member_imports (id) on delete cascade,
         line integer not null,
         email text not null,
         email_key text not null,
         name text not null,
         paid_until time,
         is_unsubscribed flag not null check (is_unsubscribed in (0, 1)),
         outcome text not null,
         note text,
         user_id text references users (id) on delete cascade,
         done_at time,
         primary key (import_id, line)) without rowid`,
      `create index member_import_lines_by_outcome on member_import_lines (import_id, outcome, line)`,
      `create index member_import_lines_open on member_import_lines (import_id, line)
         where done_at is null`,
      `create index member_import_lines_by_email on member_import_lines (email_key)`,
      `create index member_import_lines_by_user on member_import_lines (user_id)
         where user_id is not null`,

      // A link to set the first password works for longer than one to reset it.
      `alter table password_resets add column is_invitation integer not null default 0`,
    ]),
};

import { sql } from 'kysely';
import type { DialectName } from '../connect.ts';
import type { Migration } from './migration.ts';

const tables = [
  `create table audit_log (
     id text primary key not null,
     at time not null,
     actor_id text,
     via text not null,
     act text not null,
     subject_kind text not null,
     subject_id text,
     before text,
     after text,
     because text,
     request_id text)`,
  `create table setup_links (
     token_hash text primary key not null,
     created_at time not null,
     expires_at time not null)`,
  `create table disabled_accounts (
     user_id text primary key not null references users (id) on delete cascade,
     at time not null,
     because text not null)`,
  `create table schedule_runs (
     name text primary key not null,
     ended_at time not null,
     error text)`,
];

const indexes = [
  'create index audit_log_by_subject on audit_log (subject_id, id)',
  'create index audit_log_by_actor on audit_log (actor_id, id)',
  'create index audit_log_by_kind on audit_log (subject_kind, id)',
  // Every list of members by what they have paid for is a range of this one.
  'create index users_by_paid on users (coalesce(paid_through, 0), id)',
  // Looked through for a part of a name, without touching the rows themselves.
  'create index users_by_name on users (id, username_key, email_key)',
  'create index agreements_by_status on agreements (status, user_id)',
  `create index jobs_dead_by_time on jobs (updated_at, id) where state = 'dead'`,
];

const MESSAGE = 'The audit log cannot be changed.';

const sqliteGuards = ['update', 'delete'].map(
  (act) => `create trigger audit_log_no_${act} before ${act} on audit_log
    begin select raise(abort, '${MESSAGE}'); end`,
);

const postgresGuards = [
  `create function refuse_audit_change() returns trigger language plpgsql as
     $$ begin raise exception '${MESSAGE}'; end $$`,
  `create trigger audit_log_no_change before update or delete or truncate on audit_log
     for each statement execute function refuse_audit_change()`,
];

const writeTable = (statement: string, dialect: DialectName): string =>
  dialect === 'sqlite'
    ? `${statement.replaceAll(/ time\b/g, ' integer')} strict`
    : statement.replaceAll(/ time\b/g, ' bigint');

/** What running the site needs: the audit log, the first administrator's link, accounts that are shut. */
export const operations: Migration = {
  name: '0018-operations',
  up: async (tx, dialect) => {
    const guards = dialect === 'sqlite' ? sqliteGuards : postgresGuards;
    const statements = [
      ...tables.map((table) => writeTable(table, dialect)),
      ...indexes,
      ...guards,
    ];
    for (const statement of statements) await sql.raw(statement).execute(tx);
  },
};

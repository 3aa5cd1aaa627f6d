import type { Statement } from './migrations/migration.ts';

const AUDIT_MESSAGE = 'The audit log cannot be changed.';

/** What running the site needs: jobs, e-mail, settings, the audit log. */
export const operations: Statement[] = [
  // The job queue. A worker that runs a job holds a lease on it. `interruptions` is how often the
  // server stopped while the job was running, which is no failure of the job.
  `create table jobs (
     id text primary key not null,
     name text not null,
     lane text not null,
     payload text not null,
     unique_key text,
     state text not null check (state in ('ready', 'running', 'dead')),
     run_at time not null,
     attempts integer not null check (attempts >= 0),
     max_attempts integer not null check (max_attempts >= 1),
     interruptions integer not null default 0,
     lease_token text,
     lease_until time,
     last_error text,
     created_at time not null,
     updated_at time not null,
     constraint jobs_lease_while_running check (
       (state = 'running') = (lease_token is not null)
       and (lease_token is null) = (lease_until is null)))`,
  `create index jobs_due on jobs (run_at, id) where state = 'ready'`,
  `create index jobs_due_in_lane on jobs (lane, run_at, id) where state = 'ready'`,
  `create index jobs_leased on jobs (lease_until) where state = 'running'`,
  `create index jobs_dead on jobs (name) where state = 'dead'`,
  `create index jobs_dead_by_time on jobs (updated_at, id) where state = 'dead'`,
  // A dead job stays for an administrator to see; it must not block the same job from being added.
  `create unique index jobs_unique_key on jobs (unique_key)
     where unique_key is not null and state <> 'dead'`,

  // The last run of each scheduled job.
  `create table schedule_runs (name text primary key not null, ended_at time not null, error text)`,

  // One row: when a worker last looked at its clock, and how long it has gone without a jump.
  `create table clock_mark (
     id integer primary key not null check (id = 1),
     seen_at time not null,
     steady_ms integer not null)`,

  // E-mails that were sent, or that would have been without a mail server.
  `create table outbox (
     id text primary key not null,
     recipient text not null,
     subject text not null,
     body_text text not null,
     body_html text not null,
     created_at time not null)`,
  `create index outbox_by_time on outbox (created_at, id)`,

  // Rate limits: the theoretical arrival time (GCRA) of each limited key.
  `create table rate_limits (key text primary key not null, tat time not null)`,
  `create index rate_limits_by_tat on rate_limits (tat)`,

  // Settings that administrators change in the browser.
  `create table settings (
     name text primary key not null,
     value text not null,
     updated_at time not null)`,

  // Numbers handed out in order, such as invoice numbers.
  `create table counters (name text primary key not null, value time not null)`,

  // Secrets the site generates for itself.
  `create table secrets (name text primary key not null, value text not null)`,

  // Messages between processes: a topic has changed, so live pages should load it again.
  `create table signals (
     id text primary key not null,
     topic text not null,
     created_at time not null)`,
  `create index signals_by_time on signals (created_at)`,

  // The link with which the first administrator creates an account.
  `create table setup_links (
     token_hash text primary key not null,
     created_at time not null,
     expires_at time not null)`,

  // What administrators changed. Triggers refuse every change to a row.
  `create table audit_log (
     id text primary key not null,
     at time not null,
     actor_id text,
     via text not null,
     action text not null,
     subject_kind text not null,
     subject_id text,
     before text,
     after text,
     because text,
     request_id text)`,
  `create index audit_log_by_subject on audit_log (subject_id, id)`,
  `create index audit_log_by_actor on audit_log (actor_id, id)`,
  `create index audit_log_by_kind on audit_log (subject_kind, id)`,
  {
    sqlite: `create trigger audit_log_no_update before update on audit_log
       begin select raise(abort, '${AUDIT_MESSAGE}'); end`,
  },
  {
    sqlite: `create trigger audit_log_no_delete before delete on audit_log
       begin select raise(abort, '${AUDIT_MESSAGE}'); end`,
  },
  // On SQLite, "insert or replace" deletes a row without firing the delete trigger.
  {
    sqlite: `create trigger audit_log_no_replace before insert on audit_log
       when exists (select 1 from audit_log where id = new.id)
       begin select raise(abort, '${AUDIT_MESSAGE}'); end`,
  },
  {
    postgres: `create function refuse_audit_change() returns trigger language plpgsql as
       $$ begin raise exception '${AUDIT_MESSAGE}'; end $$`,
  },
  {
    postgres: `create trigger audit_log_no_change before update or delete or truncate on audit_log
       for each statement execute function refuse_audit_change()`,
  },
];

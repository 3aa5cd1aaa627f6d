import { sql } from 'kysely';
import type { DialectName } from '../connect.ts';
import type { Migration } from './migration.ts';

const tables = [
  `create table paid_spans (
     id text primary key not null,
     user_id text references users (id) on delete set null,
     from_day text not null,
     to_day text not null,
     monthly time not null,
     is_begin integer not null,
     is_end integer not null,
     cohort text)`,
  // What has an end is found by it: those who pay on a day, from the first who stops after it.
  `create index paid_spans_by_end on paid_spans (to_day, id, from_day)`,
  `create index paid_spans_begun on paid_spans (from_day, id) where is_begin = 1`,
  `create index paid_spans_ended on paid_spans (to_day, id) where is_end = 1`,
  `create index paid_spans_by_cohort on paid_spans (cohort, id) where cohort is not null`,
  `create index paid_spans_by_user on paid_spans (user_id) where user_id is not null`,
  `create index invoices_by_time on invoices (at, id)`,
  `drop index plays_by_heard`,
  `create index plays_by_heard on plays (heard_at, id)`,
  `create index checkouts_by_moment on checkouts (created_at, reference)`,
  `alter table listening add column reach_day text`,
  `alter table mix_reach rename to mix_reach_before`,
  `create table mix_reach (
     track_id text not null references tracks (id) on delete cascade,
     day text not null,
     reach integer not null,
     listeners integer not null,
     primary key (track_id, day, reach))`,
];

/** SQLite takes a row that is replaced away without asking the guard of deletions. */
const sqliteGuard = `create trigger audit_log_no_replace before insert on audit_log
  when exists (select 1 from audit_log where id = new.id)
  begin select raise(abort, 'The audit log cannot be changed.'); end`;

/** Milliseconds as the day they are in at Greenwich: good enough for what was not written down. */
const utcDay = (time: string, dialect: DialectName): string =>
  dialect === 'sqlite'
    ? `date(${time} / 1000, 'unixepoch')`
    : `to_char(to_timestamp(${time} / 1000) at time zone 'UTC', 'YYYY-MM-DD')`;

/** The day of the first play that counted; of those who have left only that they were there is known. */
const backFill = (dialect: DialectName) => [
  `update listening set reach_day = coalesce(
     (select min(day) from listener_days
      where listener_days.listener = 'user:' || listening.user_id
        and listener_days.track_id = listening.track_id),
     ${utcDay('last_heard_at', dialect)})
   where reach is not null`,
  `insert into mix_reach (track_id, day, reach, listeners)
   select track_id, reach_day, reach, count(*) from listening
   where reach is not null group by track_id, reach_day, reach`,
  `insert into mix_reach (track_id, day, reach, listeners)
   select gone.track_id, gone.day, gone.reach, gone.listeners from (
     select old.track_id, old.reach,
       coalesce((select min(day) from play_days where play_days.track_id = old.track_id),
         ${utcDay('tracks.created_at', dialect)}) as day,
       old.listeners - coalesce((select count(*) from listening
         where listening.track_id = old.track_id and listening.reach = old.reach), 0) as listeners
     from mix_reach_before old inner join tracks on tracks.id = old.track_id) as gone
   where gone.listeners > 0
   on conflict (track_id, day, reach) do update set listeners = mix_reach.listeners + excluded.listeners`,
  `drop table mix_reach_before`,
  // What was paid before is read from the ledgers, which takes their calendar: a job does that.
  `insert into jobs (id, name, payload, unique_key, state, run_at, attempts, max_attempts, created_at, updated_at)
   select 'note-paid-spans', 'note-paid-spans', '{}', 'note-paid-spans', 'ready', 0, 0, 10, 0, 0
   where exists (select 1 from ledger where kind = 'charge')`,
];

function write(statement: string, dialect: DialectName): string {
  const time = dialect === 'sqlite' ? 'integer' : 'bigint';
  const isTable = dialect === 'sqlite' && statement.startsWith('create table');
  return statement.replaceAll(/ time\b/g, ` ${time}`) + (isTable ? ' strict, without rowid' : '');
}

/** The people and payments behind the numbers of reports, and how far listeners came, by day. */
export const figureLists: Migration = {
  name: '0021-figure-lists',
  up: async (tx, dialect) => {
    const statements = tables.map((statement) => write(statement, dialect));
    if (dialect === 'sqlite') statements.push(sqliteGuard);
    for (const statement of [...statements, ...backFill(dialect)])
      await sql.raw(statement).execute(tx);
  },
};

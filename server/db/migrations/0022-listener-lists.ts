import { sql } from 'kysely';
import type { DialectName } from '../connect.ts';
import type { Migration } from './migration.ts';

const tables = [
  `create table listener_visits (
     day text not null,
     previous_day text not null,
     listener text not null,
     primary key (day, previous_day, listener))`,
  `create table money_returns (
     id text primary key not null,
     user_id text references users (id) on delete set null,
     day text not null,
     at time not null,
     kind text not null,
     amount time not null)`,
];

const statements = [
  `create index listener_visits_by_listener on listener_visits (listener)`,
  `create index money_returns_by_day on money_returns (day, id)`,
  `create index money_returns_by_user on money_returns (user_id) where user_id is not null`,
  `create index listening_by_reach on listening (track_id, reach_day, reach, user_id)
     where reach is not null`,

  `alter table plays add column counted_at time`,
  // When exactly one counted is known of none before; the last that was heard of it is close.
  `update plays set counted_at = heard_at where is_counted = 1`,
  `create index plays_previews on plays (counted_at, id) where is_counted = 1 and is_subscriber = 0`,

  `insert into listener_visits (day, previous_day, listener)
   select day, coalesce(lag(day) over (partition by listener order by day), ''), listener
   from (select distinct listener, day from listener_days where listener not like 'gone:%') as visits`,

  // What went back before is read from the ledgers, by the job that reads the rest of them.
  `insert into jobs (id, name, payload, unique_key, state, run_at, attempts, max_attempts, created_at, updated_at)
   select 'note-money-returns', 'note-paid-spans', '{}', 'note-paid-spans', 'ready', 0, 0, 10, 0, 0
   where exists (select 1 from ledger where kind in ('refund', 'dispute'))
     and not exists (select 1 from jobs where unique_key = 'note-paid-spans')`,
];

function write(statement: string, dialect: DialectName): string {
  const time = dialect === 'sqlite' ? 'integer' : 'bigint';
  const isTable = dialect === 'sqlite' && statement.startsWith('create table');
  return statement.replaceAll(/ time\b/g, ` ${time}`) + (isTable ? ' strict, without rowid' : '');
}

/** Who listened, what was heard of it and what was paid back: each behind its number. */
export const listenerLists: Migration = {
  name: '0022-listener-lists',
  up: async (tx, dialect) => {
    for (const statement of [...tables, ...statements])
      await sql.raw(write(statement, dialect)).execute(tx);
  },
};

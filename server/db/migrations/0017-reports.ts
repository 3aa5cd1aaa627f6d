import { sql } from 'kysely';
import type { DialectName } from '../connect.ts';
import type { Migration } from './migration.ts';

/** `time` is written out for the dialect; the rest reads the same on both. */
const statements = [
  `create table site_days (
     day text primary key not null,
     plays integer not null,
     subscriber_plays integer not null,
     listeners integer not null)`,

  `create table play_hours (
     day text not null,
     hour integer not null,
     plays integer not null,
     primary key (day, hour))`,

  `create table play_months (
     month text not null,
     track_id text not null references tracks (id) on delete cascade,
     plays integer not null,
     primary key (month, track_id))`,
  `create index play_months_by_track on play_months (track_id)`,

  `create table listener_last_days (listener text primary key not null, day text not null)`,

  `create table listener_gaps (
     day text not null,
     previous_day text not null,
     listeners integer not null,
     primary key (day, previous_day))`,

  `alter table listening add column reach integer`,

  `create table mix_reach (
     track_id text not null references tracks (id) on delete cascade,
     reach integer not null,
     listeners integer not null,
     primary key (track_id, reach))`,

  `create table subscription_days (
     day text primary key not null,
     started integer not null,
     ended integer not null,
     mrr time not null)`,

  `create table money_days (
     day text primary key not null,
     payments integer not null,
     charged time not null,
     returned time not null)`,

  `create table cohort_months (
     cohort text not null,
     month integer not null,
     members integer not null,
     primary key (cohort, month))`,

  `create table event_outbox (
     id text primary key not null,
     queued_at time not null,
     user_id text,
     body text not null)`,
  `create index event_outbox_by_time on event_outbox (queued_at, id)`,
  `create index event_outbox_by_user on event_outbox (user_id) where user_id is not null`,

  `create index plays_by_heard on plays (heard_at)`,
  `create index tracks_failed on tracks (updated_at) where status = 'failed'`,
  `create index tracks_by_week on tracks (year, week)`,
  `create index checkouts_by_time on checkouts (created_at, state)`,
];

/**
 * From what the days already hold. Hours, and whether a listener heard whole mixes, are known of no
 * play that was counted before.
 */
const backFill = [
  `insert into site_days (day, plays, subscriber_plays, listeners)
   select day, sum(plays), 0,
     (select count(distinct listener) from listener_days where listener_days.day = play_days.day)
   from play_days group by day`,

  `insert into play_months (month, track_id, plays)
   select substr(day, 1, 7), track_id, sum(plays) from play_days group by substr(day, 1, 7), track_id`,

  `insert into listener_last_days (listener, day)
   select listener, max(day) from listener_days where listener not like 'gone:%' group by listener`,

  `insert into listener_gaps (day, previous_day, listeners)
   select day, previous_day, count(*) from (
     select day, coalesce(lag(day) over (partition by listener order by day), '') as previous_day
     from (select distinct listener, day from listener_days) as visits
   ) as gaps group by day, previous_day`,

  `update listening set reach = (
     select max(case when listening.is_heard = 1 or plays.position_ms >= tracks.duration_ms then 100
       else cast(plays.position_ms as bigint) * 100 / tracks.duration_ms end)
     from plays inner join tracks on tracks.id = plays.track_id
     where plays.user_id = listening.user_id and plays.track_id = listening.track_id
       and plays.is_subscriber = 1 and tracks.duration_ms > 0)`,

  `insert into mix_reach (track_id, reach, listeners)
   select track_id, reach, count(*) from listening where reach is not null group by track_id, reach`,
];

function write(statement: string, dialect: DialectName): string {
  const time = dialect === 'sqlite' ? 'integer' : 'bigint';
  const isTable = dialect === 'sqlite' && statement.startsWith('create table');
  // Rows of numbers lie in the order of their key, where they are read.
  return statement.replaceAll(/ time\b/g, ` ${time}`) + (isTable ? ' strict, without rowid' : '');
}

/** What reports read: numbers of days, months and mixes, written with what they count. */
export const reports: Migration = {
  name: '0017-reports',
  up: async (tx, dialect) => {
    for (const statement of [...statements, ...backFill])
      await sql.raw(write(statement, dialect)).execute(tx);
  },
};

import { DatabaseSync } from 'node:sqlite';
import { DAY, HOUR } from '#contract/rules/time.ts';

export type SiteSize = { plays: number; users: number; tracks: number; days: number };
type Stage = { name: string; statements: (size: SiteSize, now: number) => string[] };

/** The site's time zone, which has no daylight saving time. */
const ZONE_MS = 2 * HOUR;

const count = (rows: number) =>
  `with recursive n(i) as (select 0 union all select i + 1 from n where i + 1 < ${rows})`;
const dayName = (number: string) => `date((${number}) * 86400, 'unixepoch')`;

/** Play `i` in order of time: user, track and time as numbers. A few tracks get most of the plays. */
const numbers = ({ plays, users, tracks, days }: SiteSize, now: number) => `${count(plays)},
  p as (select i,
    (i * 48271 + (i / 977) * 16807) % ${users} as u,
    ((i * 7919 % ${tracks}) * ((i / 31) * 104729 % ${tracks})) / ${tracks} as t,
    ${now - days * DAY} + cast(i * ${(days * DAY) / plays} as integer) as at
    from n)`;
const today = (now: number) => Math.floor((now + ZONE_MS) / DAY);
const dayOf = `(at + ${ZONE_MS}) / ${DAY}`;

/** Inserts rows directly, because only their number matters. */
const stages: Stage[] = [
  {
    name: 'mixes and members',
    statements: ({ tracks, users, plays, days }, now) => [
      `${count(tracks)} insert into tracks
        (id, title, year, week, description, duration_ms, chapters, status, progress,
         is_subscriber_only, publish_at, play_count, created_at, updated_at)
        select 'track-' || i, 'Mix ' || i, 2026 - i / 52, 1 + i % 52, '', 3600000, '[]', 'ready', 100,
          0, ${now} - ${DAY} - i * 60000, ${Math.round(plays / tracks)}, ${now}, ${now} from n`,
      `${count(users)} insert into users
        (id, username, username_key, email, email_key, password_hash, is_admin, paid_through,
         created_at, updated_at)
        select 'user-' || i, 'u' || i, 'u' || i, 'u' || i || '@example.com', 'u' || i || '@example.com',
          '', i = 0, case i % 3 when 0 then ${now} + (i % 60 - 30) * ${DAY} end,
          ${now} - i * ${Math.floor((days * DAY) / users)}, ${now} from n`,
    ],
  },
  {
    name: 'plays',
    statements: (size, now) => [
      'drop index plays_by_user',
      'drop index plays_by_track',
      'drop index plays_by_listened_at',
      'drop index plays_previews',
      `${numbers(size, now)} insert into plays
        (id, track_id, user_id, listener_key, is_subscriber, started_at, listened_at, listened_ms, position_ms, is_counted, counted_at)
        select printf('p%09d', i), 'track-' || t, 'user-' || u, 'user:user-' || u, u % 3 = 0,
          at - 60000, at, 60000, 60000, 1, at from p`,
    ],
  },
  {
    name: 'indexes of plays',
    statements: () => [
      'create index plays_by_user on plays (user_id, listened_at)',
      'create index plays_by_track on plays (track_id, started_at)',
      'create index plays_by_listened_at on plays (listened_at, id)',
      'create index plays_previews on plays (counted_at, id) where is_counted = 1 and is_subscriber = 0',
    ],
  },
  {
    name: 'days and months of mixes',
    statements: (size, now) => [
      `${numbers(size, now)} insert into play_days (day, track_id, plays, subscriber_listeners, free_listeners)
        select ${dayName('d')}, 'track-' || t, plays, subscribers, plays - subscribers from (
          select ${dayOf} as d, t, count(*) as plays, sum(u % 3 = 0) as subscribers from p group by 1, 2)`,
      `insert into play_months (month, track_id, plays)
        select substr(day, 1, 7), track_id, sum(plays) from play_days group by 1, 2`,
      `${numbers(size, now)} insert into play_hours (day, hour, plays)
        select ${dayName('h / 24')}, h % 24, plays from (
          select (at + ${ZONE_MS}) / 3600000 as h, count(*) as plays from p group by 1)`,
    ],
  },
  {
    name: 'who came back',
    statements: (size, now) => [
      `create table bench_visits as ${numbers(size, now)} select u, ${dayOf} as d, count(*) as plays from p group by 1, 2`,
      `insert into listener_gaps (day, previous_day, listeners)
        select ${dayName('d')}, case when before is null then '' else ${dayName('before')} end, count(*)
        from (select d, lag(d) over (partition by u order by d) as before from bench_visits)
        group by d, before`,
      `insert into listener_visits (day, previous_day, listener_key)
        select ${dayName('d')}, case when before is null then '' else ${dayName('before')} end, 'user:user-' || u
        from (select u, d, lag(d) over (partition by u order by d) as before from bench_visits)
        order by 1, 2, 3`,
      `insert into listener_last_days (listener_key, day)
        select 'user:user-' || u, ${dayName('max(d)')} from bench_visits group by u`,
      `insert into site_days (day, plays, subscriber_plays, listeners)
        select ${dayName('d')}, sum(plays), sum(case when u % 3 = 0 then plays else 0 end), count(*)
        from bench_visits group by d`,
      'drop table bench_visits',
    ],
  },
  {
    name: 'how far listeners came',
    statements: ({ tracks, days }, now) => [
      `delete from track_reach`,
      // Many listeners start a new track in its first days; the newest has listeners at every percent and day.
      `${count(101 * 60)} insert into track_reach (track_id, day, reach, listeners)
        select 'track-' || t.t, ${dayName(`${today(now)} - i / 101`)}, i % 101, 1 + (i * 31) % 7
        from n, (${count(tracks)} select i as t from n) t`,
      `${count(101 * days)} insert or ignore into track_reach (track_id, day, reach, listeners)
        select 'track-0', ${dayName(`${today(now)} - i / 101`)}, i % 101, 3 from n`,
    ],
  },
  {
    name: 'payments',
    statements: ({ users, days }, now) => [
      `create table bench_spans as ${count(24)},
        m as (select i as u, (i * 7919) % ${days} as ago, 1 + (i * 31) % 24 as months
          from (${count(users)} select i from n) where i % 3 = 0)
        select u, i as n, i = 0 as first, i = months - 1 as last,
          ${today(now)} - ago + 30 * i as d,
          case u % 4 when 0 then 6583 else 7900 end as monthly
        from m join n on i < months where ${today(now)} - ago + 30 * i <= ${today(now)}`,
      'delete from paid_spans',
      `insert into paid_spans (id, user_id, from_day, to_day, monthly, is_start, is_end, cohort)
        select printf('s%06d-%02d', u, n), 'user-' || u, ${dayName('d')}, ${dayName('d + 30')}, monthly, first,
          last or d + 30 > ${today(now)}, case first when 1 then substr(${dayName('d')}, 1, 7) end
        from bench_spans`,
      `insert into invoices
        (id, number, user_id, provider, charge_id, plan, at, issued_at, booked_on, from_at, to_at, amount, refunded,
         vat, currency, status)
        select printf('i%06d-%02d', u, n), u * 24 + n, 'user-' || u, 'sandbox', printf('c%06d-%02d', u, n), 'monthly',
          d * ${DAY} + u * 400, d * ${DAY} + u * 400, ${dayName('d')}, d * ${DAY}, (d + 30) * ${DAY}, 7900, 0,
          0, 'ZAR', 'paid' from bench_spans`,
      `insert into subscription_days (day, started, ended, mrr)
        select ${dayName('d')}, sum(started), sum(ended), sum(mrr) from (
          select d, first as started, 0 as ended, monthly as mrr from bench_spans
          union all select d + 30, 0, last or d + 30 > ${today(now)}, -monthly from bench_spans) group by d`,
      `insert into money_days (day, payments, charged, returned)
        select ${dayName('d')}, count(*), 7900 * count(*), 7900 from bench_spans group by d`,
      `insert into cohort_months (cohort, month, subscribers)
        select substr(${dayName('d - 30 * n')}, 1, 7), n, count(*) from bench_spans group by 1, 2`,
      'drop table bench_spans',
      `${count(users)} insert into payments
        (reference, provider, user_id, kind, plan, amount, renewal_amount, currency, free_days, state, is_hard,
         is_purchase_reported, is_card_used, created_at, updated_at)
        select 'payment-' || i, 'sandbox', 'user-' || i, 'first', 'monthly', 7900, 7900, 'ZAR', 0,
          case when i % 3 = 0 then 'paid' else 'expired' end, 0, 1, 0,
          ${now} - i * ${Math.floor((days * DAY) / users)}, ${now} from n`,
    ],
  },
  {
    name: 'searches, visits and an evening on which many listen',
    statements: ({ users, tracks, days }, now) => [
      `${count(400 * 500)} insert or ignore into search_misses (day, query, searches)
        select ${dayName(`${today(now)} - i / 500`)}, 'word ' || ((i * 31) % 20000), 1 + i % 4 from n`,
      `${count(days * 10)} insert into analytics_days (day, name, detail, events)
        select ${dayName(`${today(now)} - i / 10`)},
          case i % 10 when 0 then 'Session Start' when 1 then 'Page Viewed' when 2 then 'User Signup'
            when 3 then 'Search' when 4 then 'Error Occurred' else 'Feature Usage' end,
          case when i % 10 > 4 then 'detail ' || (i % 10) else '' end, 500 + i % 90 from n`,
      `${count(20_000)} insert into plays
        (id, track_id, user_id, listener_key, is_subscriber, started_at, listened_at, listened_ms, position_ms, is_counted, counted_at)
        select printf('q%09d', i), 'track-' || (i % ${Math.min(tracks, 40)}), 'user-' || (1 + (i * 11) % ${users - 1}),
          'user:user-' || (1 + (i * 11) % ${users - 1}), i % 3 = 0, ${now}, ${now} + i, 60000, 60000, 1, ${now} + i from n`,
    ],
  },
];

/**
 * Each step completes or leaves nothing, so that an interrupted run continues after the last one.
 * Returns the time up to which the site has data.
 */
export function fillSite(file: string, size: SiteSize): number {
  const db = new DatabaseSync(file);
  db.exec('pragma synchronous = off; pragma foreign_keys = off; pragma cache_size = -2000000');
  db.exec('pragma temp_store = memory; pragma threads = 2');
  db.exec('create table if not exists bench_stages (name text primary key, now integer)');
  const first = db.prepare('select min(now) as now from bench_stages').get();
  const now = Number(first?.['now'] ?? Date.now());
  const done = db.prepare('select name from bench_stages').all();
  const missing = stages.filter(({ name }) => !done.some((stage) => stage['name'] === name));
  for (const { name, statements } of missing) {
    const start = performance.now();
    db.exec('begin');
    for (const statement of statements(size, now)) db.exec(statement);
    db.prepare('insert into bench_stages values (?, ?)').run(name, now);
    db.exec('commit');
    console.log(`${name}: ${((performance.now() - start) / 1000).toFixed(0)} s`);
  }
  if (missing.length > 0) db.exec('analyze; pragma wal_checkpoint(truncate)');
  db.close();
  return now;
}

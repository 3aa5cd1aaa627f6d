import type { Statement } from './migrations/migration.ts';

/**
 * The numbers of reports, updated together with what they count. On SQLite these tables have no
 * rowid: their rows lie in the order of the key, which is how reports read them.
 */
export const reports: Statement[] = [
  // Plays and listeners of the whole site per day.
  `create table site_days (
     day text primary key not null,
     plays integer not null,
     subscriber_plays integer not null,
     listeners integer not null) without rowid`,

  // Plays per hour of the day.
  `create table play_hours (
     day text not null,
     hour integer not null,
     plays integer not null,
     primary key (day, hour)) without rowid`,

  // Plays per track and month.
  `create table play_months (
     month text not null,
     track_id text not null references tracks (id) on delete cascade,
     plays integer not null,
     primary key (month, track_id)) without rowid`,
  `create index play_months_by_track on play_months (track_id)`,

  // The last day each listener was here.
  `create table listener_last_days (
     listener_key text primary key not null,
     day text not null) without rowid`,

  // How many listeners of a day were last here on which earlier day.
  `create table listener_gaps (
     day text not null,
     previous_day text not null,
     listeners integer not null,
     primary key (day, previous_day)) without rowid`,

  // The listeners behind those numbers.
  `create table listener_visits (
     day text not null,
     previous_day text not null,
     listener_key text not null,
     primary key (day, previous_day, listener_key)) without rowid`,
  `create index listener_visits_by_listener on listener_visits (listener_key)`,

  // How many listeners got to which percentage of a track, by the day they started it.
  `create table track_reach (
     track_id text not null references tracks (id) on delete cascade,
     day text not null,
     reach integer not null,
     listeners integer not null,
     primary key (track_id, day, reach)) without rowid`,

  // Subscriptions that started and ended, and monthly recurring revenue per day.
  `create table subscription_days (
     day text primary key not null,
     started integer not null,
     ended integer not null,
     mrr time not null) without rowid`,

  // Money received and returned per day.
  `create table money_days (
     day text primary key not null,
     payments integer not null,
     charged time not null,
     returned time not null) without rowid`,

  // How many subscribers of a starting month still paid in each month after it.
  `create table cohort_months (
     cohort text not null,
     month integer not null,
     subscribers integer not null,
     primary key (cohort, month)) without rowid`,

  // The spans of days each subscriber has paid for.
  `create table paid_spans (
     id text primary key not null,
     user_id text references users (id) on delete set null,
     from_day text not null,
     to_day text not null,
     monthly time not null,
     is_start flag not null,
     is_end flag not null,
     cohort text) without rowid`,
  // Finds the subscribers of a day, from the first span that ends after it.
  `create index paid_spans_by_end on paid_spans (to_day, id, from_day)`,
  `create index paid_spans_started on paid_spans (from_day, id) where is_start = 1`,
  `create index paid_spans_ended on paid_spans (to_day, id) where is_end = 1`,
  `create index paid_spans_by_cohort on paid_spans (cohort, id) where cohort is not null`,
  `create index paid_spans_by_user on paid_spans (user_id) where user_id is not null`,

  // Refunds and chargebacks.
  `create table money_returns (
     id text primary key not null,
     user_id text references users (id) on delete set null,
     day text not null,
     at time not null,
     kind text not null,
     amount time not null) without rowid`,
  `create index money_returns_by_day on money_returns (day, id)`,
  `create index money_returns_by_user on money_returns (user_id) where user_id is not null`,
];

/** The charts, and the plays per day that they are built from. */
export const charts: Statement[] = [
  // Counted plays and listeners per track and day.
  `create table play_days (
     day text not null,
     track_id text not null references tracks (id) on delete cascade,
     plays integer not null,
     subscriber_listeners integer not null,
     free_listeners integer not null,
     primary key (day, track_id))`,

  // Which listeners those were, so that each counts once per track and day. `suspicion` is why one
  // stays out of the chart.
  `create table listener_days (
     day text not null,
     track_id text not null references tracks (id) on delete cascade,
     listener_key text not null,
     suspicion text,
     primary key (day, track_id, listener_key))`,
  // Deleting an account finds its rows here, however many other listeners there are.
  `create index listener_days_by_listener on listener_days (listener_key)`,

  // How many listeners of a network the chart has counted for a track today. Without addresses:
  // the network is a hash with a key that is deleted with the day.
  `create table network_listeners (
     day text not null,
     track_id text not null references tracks (id) on delete cascade,
     network text not null,
     listeners integer not null,
     primary key (day, track_id, network)) without rowid`,
  `create index network_listeners_by_track on network_listeners (track_id)`,

  // Plays that stay out of the chart, for reports.
  `create table suspicious_days (
     day text not null,
     track_id text not null references tracks (id) on delete cascade,
     suspicion text not null,
     plays integer not null,
     primary key (day, track_id, suspicion)) without rowid`,
  `create index suspicious_days_by_track on suspicious_days (track_id)`,

  // Each chart, and which days it covers.
  `create table charts (
     chart text primary key not null,
     as_of time not null,
     from_day text not null,
     to_day text not null)`,

  // The ranked tracks of a chart.
  `create table chart_entries (
     chart text not null references charts (chart),
     rank integer not null,
     track_id text not null references tracks (id) on delete cascade,
     subscriber_days integer not null,
     free_days integer not null,
     previous_rank integer,
     peak integer not null,
     weeks_on_chart integer not null,
     recent text not null,
     primary key (chart, rank))`,
  `create unique index chart_entries_by_track on chart_entries (track_id, chart)`,
];

const COUNTED = [
  { table: 'counted_plays', column: 'listeners' },
  { table: 'favorites', column: 'favorites' },
  { table: 'downloads', column: 'downloads' },
] as const;

const addOne = (column: string) => `insert into track_figures (track_id, ${column})
  values (new.track_id, 1)
  on conflict (track_id) do update set ${column} = track_figures.${column} + 1;`;
const subtractOne = (column: string) =>
  `update track_figures set ${column} = ${column} - 1 where track_id = old.track_id;`;

function buildTrigger(table: string, event: 'insert' | 'delete', body: string): Statement[] {
  const name = `${table}_${event}_counted`;
  return [
    { sqlite: `create trigger ${name} after ${event} on ${table} begin ${body} end` },
    {
      postgres: `create function ${name}() returns trigger language plpgsql as $$ begin ${body} return null; end $$`,
    },
    {
      postgres: `create trigger ${name} after ${event} on ${table} for each row execute function ${name}()`,
    },
  ];
}

/**
 * Totals per track for the catalogue. Triggers update them, because rows also disappear when their
 * account is deleted, and counting a hundred thousand rows for a list would take too long.
 */
export const trackFigures: Statement[] = [
  `create table track_figures (
     track_id text primary key not null references tracks (id) on delete cascade,
     listeners integer not null default 0,
     favorites integer not null default 0,
     downloads integer not null default 0)`,
  ...COUNTED.flatMap(({ table, column }) => [
    ...buildTrigger(table, 'insert', addOne(column)),
    ...buildTrigger(table, 'delete', subtractOne(column)),
  ]),
];

/** What visitors did, for analytics. */
export const analytics: Statement[] = [
  // Every analytics event of the last months.
  `create table analytics_events (
     id text primary key not null,
     at time not null,
     name text not null,
     user_id text references users (id) on delete set null,
     device text,
     properties text not null)`,
  `create index analytics_events_by_time on analytics_events (at)`,
  `create index analytics_events_by_user on analytics_events (user_id) where user_id is not null`,

  // Events per day, which stay when the events themselves are deleted.
  `create table analytics_days (
     day text not null,
     name text not null,
     detail text not null,
     events integer not null,
     primary key (day, name, detail))`,

  // How many analytics events arrived today, and how large they were: from each network, as a hash,
  // and in all (the empty network).
  `create table analytics_arrivals (
     day text not null,
     network text not null,
     events integer not null,
     bytes time not null,
     primary key (day, network)) without rowid`,

  // Events waiting to be sent to the analytics provider.
  `create table analytics_outbox (
     id text primary key not null,
     queued_at time not null,
     user_id text,
     body text not null) without rowid`,
  `create index analytics_outbox_by_time on analytics_outbox (queued_at, id)`,
  `create index analytics_outbox_by_user on analytics_outbox (user_id) where user_id is not null`,
];

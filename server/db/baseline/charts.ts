import type { Statement } from '../migrations/migration.ts';

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

  // Which listeners those were, so that each counts once per track and day.
  `create table listener_days (
     day text not null,
     track_id text not null references tracks (id) on delete cascade,
     listener_key text not null,
     primary key (day, track_id, listener_key))`,
  // Deleting an account finds its rows here, however many other listeners there are.
  `create index listener_days_by_listener on listener_days (listener_key)`,

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

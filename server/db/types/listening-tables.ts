import type { Doubt } from '#contract/rules/chart.ts';

export type PlaysTable = {
  id: string;
  track_id: string;
  user_id: string | null;
  /** Who listened, for counting: `user:` and an id, or `visitor:` and a hash of a random cookie. */
  listener_key: string;
  is_subscriber: 0 | 1;
  started_at: number;
  listened_at: number;
  listened_ms: number;
  position_ms: number;
  is_counted: 0 | 1;
  /** When it counted; null while it does not. */
  counted_at: number | null;
  /** Why it counted as a play but not in the chart; null for all others. */
  suspicion: Doubt | null;
  /**
   * A music app reported it, or whoever runs the site listened, which is in no figures; null for
   * everyone else in the site's own player.
   */
  source: 'subsonic' | 'staff' | null;
};

/** The last counted play of a listener and a track: the next one counts 30 minutes later. */
export type CountedPlaysTable = { listener_key: string; track_id: string; counted_at: number };

/** Per day in the site's time zone, written with each play that counts. */
export type PlayDaysTable = {
  day: string;
  track_id: string;
  plays: number;
  subscriber_listeners: number;
  free_listeners: number;
};

export type ListenerDaysTable = {
  day: string;
  track_id: string;
  listener_key: string;
  /** Why the chart doesn't count this listener on this day; null if it does. */
  suspicion: Doubt | null;
};

/** How many listeners of a network the chart has counted today. */
type NetworkListenersTable = {
  day: string;
  track_id: string;
  /** A hash with a key of that day. */
  network: string;
  listeners: number;
};

/** A user's progress in a track, updated with each start and heartbeat. */
export type ProgressTable = {
  user_id: string;
  track_id: string;
  /** Where in the track the user last was. */
  position_ms: number;
  listened_ms: number;
  is_finished: 0 | 1;
  last_listened_at: number;
  /** The furthest percent of the mix that was reached with access to all of it; null before. */
  reach: number | null;
  /** The day, in the site's time zone, on which that began. */
  reach_day: string | null;
};

/** A place in a track that a user noted in an app, with a comment. */
export type BookmarksTable = {
  user_id: string;
  track_id: string;
  position_ms: number;
  comment: string;
  created_at: number;
  changed_at: number;
};

/** The queue that a user's apps share. */
export type PlayQueuesTable = {
  user_id: string;
  /** JSON. */
  track_ids: string;
  current_index: number;
  position_ms: number;
  changed_at: number;
  /** What the app calls itself. */
  changed_by: string;
};

/** `live` for the live chart, `2026-W46` for an archived one. */
export type ChartsTable = { chart: string; as_of: number; from_day: string; to_day: string };

/** A chart position with everything that the page shows. */
export type ChartEntriesTable = {
  chart: string;
  rank: number;
  track_id: string;
  subscriber_days: number;
  free_days: number;
  previous_rank: number | null;
  peak: number;
  weeks_on_chart: number;
  /** JSON: ranks in the last charts, or null. */
  recent: string;
};

/** Totals of a user's counted plays, updated with each of them. */
export type PlayFactsTable = {
  user_id: string;
  plays: number;
  night_plays: number;
  early_plays: number;
  week_streak: number;
  best_streak: number;
  last_week: string | null;
};

/** The achievements of a user, and whether the user has seen them. */
export type AchievementsTable = {
  user_id: string;
  achievement: string;
  earned_at: number;
  seen_at: number | null;
};

/** A year whose picture anyone with its address can see. */
export type SharedYearsTable = {
  user_id: string;
  year: number;
  /** Not hashed, because the member can see the address again, and it shows only this picture. */
  token: string;
  /** Whether the picture has the member’s name. */
  has_name: 0 | 1;
  created_at: number;
};

export type ListeningTables = {
  plays: PlaysTable;
  counted_plays: CountedPlaysTable;
  play_days: PlayDaysTable;
  listener_days: ListenerDaysTable;
  network_listeners: NetworkListenersTable;
  progress: ProgressTable;
  bookmarks: BookmarksTable;
  play_queues: PlayQueuesTable;
  play_facts: PlayFactsTable;
  achievements: AchievementsTable;
  shared_years: SharedYearsTable;
  charts: ChartsTable;
  chart_entries: ChartEntriesTable;
};

/**
 * `full` and `preview` plays of the site's own player, full plays that music apps reported, and files
 * that podcast apps asked for. The last two are estimates.
 */
export type HeardKind = 'full' | 'preview' | 'subsonic' | 'podcast';

/** A day in the site's time zone whose plays are added up, with the times between which they started. */
export type UsageDaysTable = {
  day: string;
  from_at: number;
  to_at: number;
  /** Plays of added days that changed later than that of the last day may need adding up again. */
  checked_at: number;
};

/** What was heard of a mix on a day: by how many, but not by whom or at what time. */
export type HeardDaysTable = {
  day: string;
  track_id: string;
  kind: HeardKind;
  /** When the audio was replaced on that day that these plays heard, or 0. */
  until_at: number;
  /** JSON: sorted pairs of seconds, one per play that can be placed in the mix. */
  spans: string;
  plays: number;
  /** Whole seconds, as the spans are. */
  listened_ms: number;
  /** The part of it that is in no span: nobody knows where in the mix it was. */
  unplaced_ms: number;
};

/** The tracklist of audio that was replaced. */
export type PastTracklistsTable = {
  track_id: string;
  until_at: number;
  /** JSON. */
  chapters: string;
  duration_ms: number;
};

/** A feed that asked for a mix, as a hash with a key of that day, until the day is added up. */
type PodcastRequestsTable = { day: string; track_id: string; feed: string };

export type UsageTables = {
  usage_days: UsageDaysTable;
  heard_days: HeardDaysTable;
  past_tracklists: PastTracklistsTable;
  podcast_requests: PodcastRequestsTable;
};

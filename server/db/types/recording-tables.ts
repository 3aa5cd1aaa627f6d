/** What a track in a mix is, shared by every mix that plays it. Listeners see none of it. */
export type RecordingsTable = {
  id: string;
  /** The names for reports: at first those of the tracklist that it was entered for. */
  artist: string | null;
  title: string;
  /** As `toRecordingKey` compares the names. */
  name_key: string;
  version: string | null;
  composer: string | null;
  publisher: string | null;
  label: string | null;
  isrc: string | null;
  iswc: string | null;
  is_own: 0 | 1;
  cleared_with: string | null;
  created_at: number;
  /** Each change has a later time than the one before, so that a change of outdated details is rejected. */
  updated_at: number;
};

/**
 * Which mixes play it, under which names. The tracklists in `tracks.chapters` say so too; this is
 * how to find them.
 */
type TrackRecordingsTable = { track_id: string; recording_id: string; name_key: string };

export type RecordingTables = {
  recordings: RecordingsTable;
  track_recordings: TrackRecordingsTable;
};

type ClipState = 'waiting' | 'ready' | 'failed' | 'removed';

/** Seconds of a track as files of their own, which everyone may hear. A row is never deleted: its seconds stay counted. */
export type ClipsTable = {
  /** The last part of its address. */
  id: string;
  track_id: string;
  /** Who made it; null once the account is deleted. */
  user_id: string | null;
  /** The file it is cut from. New audio of the track has another one. */
  audio_key: string;
  /** Whole seconds of the track. */
  start_s: number;
  seconds: number;
  state: ClipState;
  /** Made by the operator of a track for subscribers only, so that it is public nevertheless. */
  is_teaser: 0 | 1;
  /** JSON: the bytes of each file, once they are public. */
  sizes: string | null;
  created_at: number;
  /** When its files became public: from then on its seconds are counted for good. */
  published_at: number | null;
  removed_at: number | null;
};

export type ClipTables = { clips: ClipsTable };

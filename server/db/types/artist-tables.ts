export type ArtistsTable = {
  id: string;
  name: string;
  /** Unique: the name as `toNameKey` compares it. */
  name_key: string;
  about: string;
  /** JSON: web addresses. */
  links: string;
  picture_key: string | null;
  /** Increases with every edit, so that an edit of an outdated version is rejected. */
  version: number;
  created_at: number;
  updated_at: number;
};

/** An artist that turned out to be another one: its name and its address lead there. */
type ArtistAliasesTable = { id: string; name: string; name_key: string; artist_id: string };

/** The artists of a track, from position 0. */
type TrackArtistsTable = { track_id: string; position: number; artist_id: string };

export type ArtistTables = {
  artists: ArtistsTable;
  artist_aliases: ArtistAliasesTable;
  track_artists: TrackArtistsTable;
};

export type SearchDocsTable = {
  /** Smaller for newer weeks; the rowid of the full-text index on SQLite. */
  row_order: number;
  track_id: string;
  /** The tokens of the index. */
  document: string;
  genre: string | null;
  version: number;
};

/** The vocabulary: each word, and how many tracks have it. */
type SearchWordsTable = { word: string; docs: number };

/** Beginnings of words, found by what remains of them without one or two letters. */
type SearchTyposTable = { key: string; stem: string };

type SearchGenresTable = { genre: string; docs: number };

/** Searches without results, per day in the site's time zone. */
type SearchMissesTable = { day: string; query: string; searches: number };

export type SearchTables = {
  search_docs: SearchDocsTable;
  search_words: SearchWordsTable;
  search_typos: SearchTyposTable;
  search_genres: SearchGenresTable;
  search_misses: SearchMissesTable;
};

export type SearchDocsTable = {
  /** Smaller the newer the week is; the row of the full-text index on SQLite. */
  place: number;
  track_id: string;
  /** The tokens of the index. */
  document: string;
  genre: string | null;
  version: number;
};

/** The vocabulary: in how many tracks a word stands. */
export type SearchWordsTable = { word: string; docs: number };

/** The beginnings of the vocabulary's words, found by what is left without one or two letters. */
export type SearchTyposTable = { key: string; stem: string };

export type SearchGenresTable = { genre: string; docs: number };

/** Searches that found nothing, per day in the site's time zone, without who searched. */
export type SearchMissesTable = { day: string; query: string; searches: number };

export type SearchTables = {
  search_docs: SearchDocsTable;
  search_words: SearchWordsTable;
  search_typos: SearchTyposTable;
  search_genres: SearchGenresTable;
  search_misses: SearchMissesTable;
};

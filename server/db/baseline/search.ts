import type { Statement } from '../migrations/migration.ts';

/** The search index: documents, their words, and what people searched for without success. */
export const search: Statement[] = [
  // One document per track. The number is the row of the full-text index.
  `create table search_docs (
     row_order time primary key not null,
     track_id text not null unique references tracks (id) on delete cascade,
     document text not null,
     genre text,
     version integer not null)`,
  // Words are normalised before they get here; every character that is not ASCII belongs to a word.
  {
    sqlite: `create virtual table search_index using fts5(
       tokens, content='', contentless_delete=1, prefix='3 4 5',
       tokenize="ascii tokenchars '_'")`,
  },
  // Deleting a track deletes its document, and with it the document's words.
  {
    sqlite: `create trigger search_docs_deleted after delete on search_docs begin
       delete from search_index where rowid = old.row_order;
     end`,
  },
  { postgres: `alter table search_docs add column lexemes tsvector` },
  { postgres: `create index search_docs_lexemes on search_docs using gin (lexemes)` },

  // All words, and in how many documents each occurs.
  `create table search_words (word bytewise_text primary key not null, docs integer not null)`,

  // Shortened spellings that lead from a typo to a word.
  `create table search_typos (
     key bytewise_text not null,
     stem bytewise_text not null,
     primary key (key, stem))`,

  // Genres that can be suggested, and in how many documents each occurs.
  `create table search_genres (genre text primary key not null, docs integer not null)`,
  `create index search_genres_by_docs on search_genres (docs desc)`,

  // Searches without a result, per day.
  `create table search_misses (
     day text not null,
     query text not null,
     searches integer not null,
     primary key (day, query))`,
];

import { sql, type Transaction } from 'kysely';
import type { DialectName } from '../connect.ts';
import type { Migration } from './migration.ts';
import { finishTable, timeType } from './table-types.ts';

/** Compared byte by byte on both dialects, so that a range of words means the same on both. */
const wordType = (dialect: DialectName) =>
  dialect === 'sqlite' ? sql`text` : sql`text collate "C"`;

const createDocuments = async (tx: Transaction<unknown>, dialect: DialectName): Promise<void> => {
  await finishTable(
    tx.schema
      .createTable('search_docs')
      .addColumn('place', timeType(dialect), (c) => c.primaryKey().notNull())
      .addColumn('track_id', 'text', (c) =>
        c.notNull().unique().references('tracks.id').onDelete('cascade'),
      )
      .addColumn('document', 'text', (c) => c.notNull())
      .addColumn('genre', 'text')
      .addColumn('version', 'integer', (c) => c.notNull()),
    dialect,
  );
  if (dialect === 'sqlite') {
    // The words come normalised; what is no ASCII letter is part of a word as it stands.
    await sql
      .raw(
        `create virtual table search_index using fts5(
           tokens, content='', contentless_delete=1, prefix='3 4 5',
           tokenize="ascii tokenchars '_'")`,
      )
      .execute(tx);
    // A track that is deleted takes its document with it, and that its words.
    await sql
      .raw(
        `create trigger search_docs_deleted after delete on search_docs begin
           delete from search_index where rowid = old.place;
         end`,
      )
      .execute(tx);
  } else {
    await sql.raw('alter table search_docs add column lexemes tsvector').execute(tx);
    await sql
      .raw('create index search_docs_lexemes on search_docs using gin (lexemes)')
      .execute(tx);
  }
};

const createVocabulary = async (tx: Transaction<unknown>, dialect: DialectName): Promise<void> => {
  await finishTable(
    tx.schema
      .createTable('search_words')
      .addColumn('word', wordType(dialect), (c) => c.primaryKey().notNull())
      .addColumn('docs', 'integer', (c) => c.notNull()),
    dialect,
  );
  await finishTable(
    tx.schema
      .createTable('search_typos')
      .addColumn('key', wordType(dialect), (c) => c.notNull())
      .addColumn('stem', wordType(dialect), (c) => c.notNull())
      .addPrimaryKeyConstraint('search_typos_pk', ['key', 'stem']),
    dialect,
  );
  await finishTable(
    tx.schema
      .createTable('search_genres')
      .addColumn('genre', 'text', (c) => c.primaryKey().notNull())
      .addColumn('docs', 'integer', (c) => c.notNull()),
    dialect,
  );
  await finishTable(
    tx.schema
      .createTable('search_misses')
      .addColumn('day', 'text', (c) => c.notNull())
      .addColumn('query', 'text', (c) => c.notNull())
      .addColumn('searches', 'integer', (c) => c.notNull())
      .addPrimaryKeyConstraint('search_misses_pk', ['day', 'query']),
    dialect,
  );
  await sql.raw('create index search_genres_by_docs on search_genres (docs desc)').execute(tx);
};

export const search: Migration = {
  name: '0005-search',
  up: async (tx, dialect) => {
    await createDocuments(tx, dialect);
    await createVocabulary(tx, dialect);
  },
};

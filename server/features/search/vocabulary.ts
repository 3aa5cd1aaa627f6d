import { sql } from 'kysely';
import { addToRows } from '../../db/add-to-rows.ts';
import type { Db } from '../../db/connect.ts';
import { prepareQuery } from '../../db/prepare-query.ts';
import { listStemKeys, listStems } from './typos.ts';

export type VocabularyWord = { word: string; docs: number };

/** Below the limit of parameters per statement in both databases. */
const BATCH = 400;
const AFTER_ANY_LETTER = '\u{10FFFF}';

function* inBatches<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let i = 0; i < items.length; i += BATCH) yield items.slice(i, i + BATCH);
}

export const findWords = (db: Db, words: readonly string[]): Promise<VocabularyWord[]> =>
  words.length === 0
    ? Promise.resolve([])
    : db.selectFrom('search_words').select(['word', 'docs']).where('word', 'in', words).execute();

const readRange = prepareQuery(
  (db, from: string, to: string, limit: number) =>
    db
      .selectFrom('search_words')
      .select(['word', 'docs'])
      .where('word', '>=', from)
      .where('word', '<', to)
      .orderBy('word')
      .limit(limit),
  3,
);

/** Words with this beginning, in alphabetical order. */
export const findWordsFrom = async (
  db: Db,
  beginning: string,
  limit: number,
): Promise<VocabularyWord[]> => readRange(db, beginning, beginning + AFTER_ANY_LETTER, limit);

/** The beginnings stored under one of the keys. */
export const findStems = async (
  db: Db,
  keys: readonly string[],
  limit: number,
): Promise<string[]> => {
  const rows = await db
    .selectFrom('search_typos')
    .select('stem')
    .where('key', 'in', keys)
    .limit(limit)
    .execute();
  return [...new Set(rows.map(({ stem }) => stem))];
};

async function insertTypos(tx: Db, words: readonly string[]): Promise<void> {
  const stems = [...new Set(words.flatMap(listStems))];
  const rows = stems.flatMap((stem) => listStemKeys(stem).map((key) => ({ key, stem })));
  for (const batch of inBatches(rows))
    await tx
      .insertInto('search_typos')
      .values(batch)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
}

export async function addWords(tx: Db, words: readonly string[]): Promise<void> {
  for (const batch of inBatches(words)) {
    const known = new Set((await findWords(tx, batch)).map(({ word }) => word));
    const rows = batch.map((word) => ({ word, docs: 1 }));
    await addToRows(tx, 'search_words', ['word'], rows);
    await insertTypos(
      tx,
      batch.filter((word) => !known.has(word)),
    );
  }
}

/** The typos of a removed word stay; they lead to a beginning that no word has. */
export async function removeWords(tx: Db, words: readonly string[]): Promise<void> {
  for (const batch of inBatches(words)) {
    await tx
      .updateTable('search_words')
      .set({ docs: sql<number>`docs - 1` })
      .where('word', 'in', batch)
      .execute();
    await tx.deleteFrom('search_words').where('word', 'in', batch).where('docs', '<=', 0).execute();
  }
}

import type { Db, DialectName } from '../../db/connect.ts';
import { DOCUMENT_VERSION, buildDocument, listWords, type SearchableTrack } from './document.ts';
import { firstRowOrder, lastRowOrder, toWeekOfRow } from './rowid-order.ts';
import {
  countGenre,
  deleteDocument,
  findDocument,
  findSmallestRowOrder,
  insertDocument,
  listArtistNames,
} from './queries.ts';
import { searchIndexFor } from './search-index.ts';
import { addWords, removeWords } from './vocabulary.ts';

async function findFreeRowOrder(tx: Db, track: SearchableTrack): Promise<number> {
  const last = lastRowOrder(track);
  const smallest = await findSmallestRowOrder(tx, firstRowOrder(track), last);
  return smallest === undefined ? last : smallest - 1;
}

async function removeDocument(
  tx: Db,
  known: { row_order: number; document: string; genre: string | null },
): Promise<void> {
  await deleteDocument(tx, known.row_order);
  await countGenre(tx, known.genre, -1);
  await removeWords(tx, listWords(known.document));
}

/**
 * In the caller's transaction, after every change of a track. Searches check on the track itself who
 * may see it, so publishing needs no new index.
 */
export async function indexTrack(
  tx: Db,
  dialect: DialectName,
  track: SearchableTrack,
): Promise<void> {
  const index = searchIndexFor(dialect);
  await index.lock(tx);
  const document = buildDocument(track, await listArtistNames(tx, track.id));
  const known = await findDocument(tx, track.id);
  if (known) {
    const { year, week } = toWeekOfRow(known.row_order);
    const isSame =
      known.document === document &&
      known.version === DOCUMENT_VERSION &&
      known.genre === track.genre &&
      year === track.year &&
      week === track.week;
    if (isSame) return;
    await removeDocument(tx, known);
  }
  const rowOrder = await findFreeRowOrder(tx, track);
  const { id: track_id, genre } = track;
  await insertDocument(tx, {
    row_order: rowOrder,
    track_id,
    document,
    genre,
    version: DOCUMENT_VERSION,
  });
  await index.putDocument(tx, rowOrder, document);
  await countGenre(tx, genre, 1);
  await addWords(tx, listWords(document));
}

/** In the caller's transaction, before a track is deleted: also removes its words from the vocabulary. */
export async function unindexTrack(tx: Db, dialect: DialectName, trackId: string): Promise<void> {
  await searchIndexFor(dialect).lock(tx);
  const known = await findDocument(tx, trackId);
  if (known) await removeDocument(tx, known);
}

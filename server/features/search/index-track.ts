import type { Db, DialectName } from '../../db/connect.ts';
import {
  DOCUMENT_VERSION,
  describeDocument,
  vocabularyOf,
  type SearchableTrack,
} from './document.ts';
import { firstPlaceOf, lastPlaceOf, weekAt } from './rowid-order.ts';
import {
  countGenre,
  deleteDocument,
  findDocument,
  findSmallestPlace,
  insertDocument,
} from './queries.ts';
import { searchIndexFor } from './search-index.ts';
import { addWords, removeWords } from './vocabulary.ts';

async function takePlace(tx: Db, track: SearchableTrack): Promise<number> {
  const last = lastPlaceOf(track);
  const taken = await findSmallestPlace(tx, firstPlaceOf(track), last);
  return taken === undefined ? last : taken - 1;
}

async function removeDocument(
  tx: Db,
  known: { place: number; document: string; genre: string | null },
): Promise<void> {
  await deleteDocument(tx, known.place);
  await countGenre(tx, known.genre, -1);
  await removeWords(tx, vocabularyOf(known.document));
}

/**
 * In the caller's transaction, whenever a track was written: it is found by what it says now.
 * Who may see it is asked of the track with each search, so publishing needs nothing more.
 */
export async function indexTrack(
  tx: Db,
  dialect: DialectName,
  track: SearchableTrack,
): Promise<void> {
  const index = searchIndexFor(dialect);
  await index.lock(tx);
  const document = describeDocument(track);
  const known = await findDocument(tx, track.id);
  if (known) {
    const { year, week } = weekAt(known.place);
    const isSame =
      known.document === document &&
      known.version === DOCUMENT_VERSION &&
      known.genre === track.genre &&
      year === track.year &&
      week === track.week;
    if (isSame) return;
    await removeDocument(tx, known);
  }
  const place = await takePlace(tx, track);
  const { id: track_id, genre } = track;
  await insertDocument(tx, { place, track_id, document, genre, version: DOCUMENT_VERSION });
  await index.putDocument(tx, place, document);
  await countGenre(tx, genre, 1);
  await addWords(tx, vocabularyOf(document));
}

/** In the caller's transaction, before a track is deleted: its words leave the vocabulary too. */
export async function unindexTrack(tx: Db, dialect: DialectName, trackId: string): Promise<void> {
  await searchIndexFor(dialect).lock(tx);
  const known = await findDocument(tx, trackId);
  if (known) await removeDocument(tx, known);
}

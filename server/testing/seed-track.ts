import { buildTrack } from '../db/build-rows.ts';
import type { Db } from '../db/connect.ts';
import type { RenditionName, RenditionsTable, TracksTable } from '../db/types/tables.ts';
import { endPreviewKey } from '../ports/media/preview-window.ts';
import type { Storage } from '../ports/storage/storage.ts';
import { newId } from '../db/ids.ts';

const mediaTypes: Record<RenditionName, string> = {
  stream: 'audio/mpeg',
  dataSaver: 'audio/ogg',
  preview: 'audio/mpeg',
  mp3: 'audio/mpeg',
  flac: 'audio/flac',
};

/** Bytes that name their file, so that a test sees which one leaked. */
export const fileBytes = (name: RenditionName, size = 4096): Buffer =>
  Buffer.from(`${name.toUpperCase()}:`.repeat(Math.ceil(size / (name.length + 1)))).subarray(
    0,
    size,
  );

export const seededKey = (
  { id, preview_start_ms }: Pick<TracksTable, 'id' | 'preview_start_ms'>,
  name: RenditionName,
): string =>
  `tracks/${id}${name === 'preview' ? endPreviewKey(preview_start_ms ?? 0) : `-${name.toLowerCase()}`}.bin`;

const counts = new WeakMap<Db, number>();

/**
 * The same ids in every run of a test. Tags and drawings depend on the id, so files made from a real
 * master are then the same too, and ffmpeg makes them once.
 */
export function steadyTrackId(db: Db): string {
  const count = (counts.get(db) ?? 0) + 1;
  counts.set(db, count);
  return newId(0).slice(0, -16) + String(count).padStart(16, '0');
}

/** A published track with all its renditions in the store. */
export async function seedTrack(
  { db, storage, now }: { db: Db; storage: Storage; now: number },
  overrides: Partial<TracksTable> = {},
): Promise<TracksTable> {
  const track = buildTrack({
    id: newId(now),
    title: 'Golden Hour Pressure',
    year: 2026,
    week: 46,
    description: 'Log drums at walking pace.',
    genre: 'Amapiano',
    bpm: 113,
    duration_ms: 95_000,
    chapters: JSON.stringify([{ at: 0, title: 'Substation Intro', artist: 'Relay Room' }]),
    preview_start_ms: 30_000,
    status: 'ready',
    progress: 100,
    publish_at: now - 1000,
    announced_at: now,
    created_at: now,
    ...overrides,
  });
  await db.insertInto('tracks').values(track).execute();
  for (const name of ['stream', 'dataSaver', 'preview', 'mp3', 'flac'] as const) {
    const key = seededKey(track, name);
    const bytes = fileBytes(name);
    await storage.put(key, bytes);
    await db
      .insertInto('renditions')
      .values({ track_id: track.id, name, key, size: bytes.length, media_type: mediaTypes[name] })
      .execute();
  }
  await db
    .insertInto('track_peaks')
    .values({ track_id: track.id, peaks: JSON.stringify([0, 51, 255]) })
    .execute();
  return track;
}

export const readTrack = (db: Db, id: string): Promise<TracksTable> =>
  db.selectFrom('tracks').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

export const readTrackFiles = (db: Db, id: string): Promise<RenditionsTable[]> =>
  db.selectFrom('renditions').selectAll().where('track_id', '=', id).orderBy('name').execute();

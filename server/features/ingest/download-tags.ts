import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { Deps } from '../../deps.ts';
import type { DownloadFormat, TrackFilesTable, TracksTable } from '../../db/tables.ts';
import { normaliseCover } from '../../ports/media/cover.ts';
import { drawCover } from '../../ports/media/draw-cover.ts';
import type { DownloadTags } from '../../ports/media/media.ts';

type Tagged = Pick<TracksTable, 'title' | 'week' | 'year' | 'genre' | 'bpm' | 'cover_key'>;

export const describeTags = (track: Tagged, siteName: string): DownloadTags => ({
  title: track.title,
  artist: siteName,
  album: `Week ${track.week}, ${track.year}`,
  year: track.year,
  ...(track.genre && { genre: track.genre }),
  ...(track.bpm && { bpm: track.bpm }),
});

/** Changes with everything that is written into a download besides its sound. */
export const hashTags = (track: Tagged, siteName: string): string =>
  createHash('sha256')
    .update(JSON.stringify([describeTags(track, siteName), track.week, track.cover_key]))
    .digest('hex')
    .slice(0, 12);

/**
 * A download's key says which tags are in it: other tags are another file with another ETag, so
 * that a download which broke off never goes on in the middle of a different one.
 */
export const nameDownload = (base: string, format: DownloadFormat, tags: string): string =>
  `${base}-${tags}.${format}`;

const KEY = /^(tracks\/.+?)(?:-([0-9a-f]{12}))?\.\w+$/;

export function readDownloadKey(key: string): { base: string; tags: string | null } {
  const [, base = key, tags = null] = KEY.exec(key) ?? [];
  return { base, tags };
}

export type DownloadFile = TrackFilesTable & { kind: DownloadFormat };
const isDownload = (file: TrackFilesTable): file is DownloadFile =>
  file.kind === 'mp3' || file.kind === 'flac';

/** Those of the files that hold other tags than their track has now. */
export function findStale(
  files: readonly TrackFilesTable[],
  track: Tagged,
  siteName: string,
): DownloadFile[] {
  const current = hashTags(track, siteName);
  return files.filter(isDownload).filter(({ key }) => readDownloadKey(key).tags !== current);
}

/** The picture for a download: the track's own cover, or the sleeve that pages draw for its week. */
export async function writeCoverFile({ storage }: Deps, track: Tagged, workDir: string) {
  const stored = track.cover_key ? await storage.open(track.cover_key) : null;
  const jpeg = stored
    ? (await normaliseCover(await buffer(stored.stream))).jpeg
    : await drawCover(track.week);
  const path = join(workDir, 'cover.jpg');
  await writeFile(path, jpeg);
  return path;
}

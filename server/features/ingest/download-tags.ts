import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { ArtistName } from '#contract/artists/artists.ts';
import { findSleeveSeed, sleeveName } from '#contract/art/sleeve-names.ts';
import { DEFAULT_SLEEVE_STYLE, type SleeveStyle } from '#contract/art/sleeve-style.ts';
import type { SiteLook } from '#contract/look.ts';
import { readChapters } from '../../db/read-chapters.ts';
import type { Deps } from '../../deps.ts';
import type { DownloadFormat, RenditionsTable, TracksTable } from '../../db/types/tables.ts';
import { isTimed } from '../../ports/media/chapters.ts';
import { drawSleeve, normaliseCover } from '../../ports/media/cover.ts';
import type { DownloadTags } from '../../ports/media/media.ts';

type Tagged = Pick<
  TracksTable,
  'id' | 'title' | 'week' | 'year' | 'genre' | 'bpm' | 'cover_key' | 'chapters'
> & {
  artists: readonly ArtistName[];
};

/** What the tags and the drawn cover say of the site. */
type Site = Pick<SiteLook, 'siteName' | 'sleeves'>;

/** Most players split a list of artists at semicolons, and sort albums by the artist of the album. */
const buildArtistTags = (artists: readonly ArtistName[], siteName: string) =>
  artists.length === 0
    ? { artist: siteName }
    : { artist: artists.map(({ name }) => name).join('; '), albumArtist: siteName };

export const buildTags = (track: Tagged, { siteName }: Site): DownloadTags => ({
  title: track.title,
  ...buildArtistTags(track.artists, siteName),
  album: `Week ${track.week}, ${track.year}`,
  year: track.year,
  ...(track.genre && { genre: track.genre }),
  ...(track.bpm && { bpm: track.bpm }),
  chapters: readChapters(track).filter(isTimed),
});

/** The uploaded cover or the drawn one; null for the usual drawing of the week itself. */
const coverOf = ({ id, week, cover_key }: Tagged, style: SleeveStyle) =>
  cover_key ??
  (isDeepStrictEqual(style, DEFAULT_SLEEVE_STYLE)
    ? findSleeveSeed(id) || null
    : sleeveName(style, week, id));

/** Increase it when downloads contain something new: older ones are then tagged again. */
const TAGS_VERSION = 2;

/** Changes with everything that a download contains besides its audio. */
export function hashTags(track: Tagged, site: Site): string {
  const cover = coverOf(track, site.sleeves);
  return createHash('sha256')
    .update(JSON.stringify([TAGS_VERSION, buildTags(track, site), track.week, cover]))
    .digest('hex')
    .slice(0, 12);
}

/**
 * A download's key says which tags are in it: other tags make another file with another ETag, so
 * that an interrupted download never resumes in the middle of a different file.
 */
export const buildDownloadKey = (base: string, format: DownloadFormat, tags: string): string =>
  `${base}-${tags}.${format}`;

const KEY = /^(tracks\/.+?)(?:-([0-9a-f]{12}))?\.\w+$/;

export function parseDownloadKey(key: string): { base: string; tags: string | null } {
  const [, base = key, tags = null] = KEY.exec(key) ?? [];
  return { base, tags };
}

export type DownloadFile = RenditionsTable & { name: DownloadFormat };
const isDownload = (file: RenditionsTable): file is DownloadFile =>
  file.name === 'mp3' || file.name === 'flac';

/** The downloads whose tags differ from those of their track. */
export function findStaleDownloads(
  files: readonly RenditionsTable[],
  track: Tagged,
  site: Site,
): DownloadFile[] {
  const current = hashTags(track, site);
  return files.filter(isDownload).filter(({ key }) => parseDownloadKey(key).tags !== current);
}

/** The cover inside a download: the track's own, or the sleeve that pages draw for it. */
export async function writeCoverFile(
  { config, storage, media }: Deps,
  track: Tagged,
  workDir: string,
) {
  const stored = track.cover_key ? await storage.open(track.cover_key) : null;
  const jpeg = stored
    ? (await normaliseCover(await buffer(stored.stream))).jpeg
    : await (await media()).convertDrawing(drawSleeve(track, config.look.sleeves));
  const path = join(workDir, 'cover.jpg');
  await writeFile(path, jpeg);
  return path;
}

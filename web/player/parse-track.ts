import type { ArtistName } from '#contract/artists/artists.ts';
import type { Progress, Track } from '#contract/tracks.ts';

const MAX_TEXT = 20_000;

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= MAX_TEXT;
const isTextOrNull = (value: unknown): value is string | null => value === null || isText(value);
export const isAmount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0;

/** A path on this origin or a web address; nothing a browser would run as a script. */
const isAddress = (value: unknown): value is string =>
  isText(value) && /^(\/(?!\/)|https?:\/\/)/.test(value);

/** Null if it is invalid: the server has it anyway. */
function parseProgress(value: unknown): Progress | null {
  if (typeof value !== 'object' || value === null) return null;
  const { position, isFinished, listened, listenedAt } = value as Record<keyof Progress, unknown>;
  if (typeof isFinished !== 'boolean') return null;
  if (!isAmount(position) || !isAmount(listened) || !isAmount(listenedAt)) return null;
  return { position, isFinished, listened, listenedAt };
}

/** Undefined if there are none, or they are invalid. */
function parseArtists(value: unknown): ArtistName[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const artists = value.flatMap((each: unknown) => {
    const { id, name } = (each ?? {}) as Record<keyof ArtistName, unknown>;
    return isText(id) && isText(name) ? [{ id, name }] : [];
  });
  return artists.length > 0 ? artists : undefined;
}

/**
 * A track from storage, checked field by field, because storage can't be trusted more than a request.
 * Written by hand because a schema library would be larger than the player.
 */
export function parseTrack(value: unknown): Track | null {
  if (typeof value !== 'object' || value === null) return null;
  const raw = value as Record<keyof Track, unknown>;
  const { id, title, description, genre, bpm, coverUrl, fileUrl, dataSaverUrl, access } = raw;
  const { year, weekNumber, duration, previewStart, publishedAt, plays, isSubscriberOnly } = raw;
  if (!isText(id) || id === '' || !isText(title) || !isText(description)) return null;
  if (!isTextOrNull(genre) || !(bpm === null || isAmount(bpm))) return null;
  if (!(coverUrl === null || isAddress(coverUrl)) || !isAddress(fileUrl)) return null;
  if (!(dataSaverUrl === null || isAddress(dataSaverUrl))) return null;
  if (access !== 'full' && access !== 'preview') return null;
  if (!isAmount(year) || !isAmount(weekNumber) || !isAmount(duration)) return null;
  if (!isAmount(previewStart) || !isAmount(publishedAt) || !isAmount(plays)) return null;
  if (typeof isSubscriberOnly !== 'boolean') return null;
  const isFavorite = raw.isFavorite === true;
  const texts = { id, title, description, genre, coverUrl, fileUrl, dataSaverUrl };
  const numbers = { year, weekNumber, bpm, duration, previewStart, publishedAt, plays };
  const progress = parseProgress(raw.progress);
  const artists = parseArtists(raw.artists);
  const keeping: Track['keeping'] =
    raw.keeping === 'saving' || raw.keeping === 'none' ? raw.keeping : undefined;
  const named = {
    ...(keeping && { keeping }),
    ...(artists && { artists }),
    ...(isText(raw.series) && { series: raw.series }),
  };
  return { ...texts, ...named, ...numbers, access, isSubscriberOnly, isFavorite, progress };
}

import {
  MAX_ARTIST_NAME,
  MAX_TRACK_ARTISTS,
  toNameKey,
  TrackArtists,
} from '#contract/artists/artists.ts';
import {
  EMPTY_TRACK_FIELDS,
  MAX_BPM,
  MAX_DESCRIPTION,
  MAX_YEAR,
  MIN_BPM,
  MIN_YEAR,
  type TrackChange,
  type TrackFields,
} from '#contract/track-fields.ts';
import { guessFromFileName } from '#contract/rules/file-name.ts';
import { weekOf, weeksInYear } from '#contract/rules/weeks.ts';
import type { Config } from '../../config.ts';
import type { MediaTags } from '../../ports/media/media.ts';
import type { UploadRow } from './queries.ts';

const oneLine = (text: string | undefined, length: number): string =>
  (text ?? '')
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, length)
    .trim();

/**
 * The names in a tag: several are separated by semicolons, as in our own downloads. The site's own name
 * and “Various Artists” are left out.
 */
function listTagArtists(tag: string | undefined, siteName: string): TrackArtists {
  const skipped = new Set(['various artists', 'various', 'va', toNameKey(siteName)]);
  const artists = new Map<string, TrackArtists[number]>();
  for (const name of (tag ?? '').split(';')) {
    const { data } = TrackArtists.element.safeParse({ name: oneLine(name, MAX_ARTIST_NAME) });
    const key = toNameKey(data?.name ?? '');
    if (data && !skipped.has(key) && !artists.has(key)) artists.set(key, data);
  }
  return [...artists.values()].slice(0, MAX_TRACK_ARTISTS);
}

/** Limited as in the form; a tag that is missing or invalid is left out. */
function cleanTagFields(tags: MediaTags, siteName: string): Partial<TrackFields> {
  const title = oneLine(tags.title, 120);
  const genre = oneLine(tags.genre, 60);
  const comment = (tags.comment ?? '').replace(/[^\P{Cc}\n\t]/gu, '').trim();
  const isYear = tags.year !== undefined && tags.year >= MIN_YEAR && tags.year <= MAX_YEAR;
  const bpm = Math.round(tags.bpm ?? 0);
  const artists = listTagArtists(tags.artist, siteName);
  return {
    ...(title && { title }),
    ...(artists.length > 0 && { artists }),
    ...(genre && { genre }),
    ...(comment && { description: comment.slice(0, MAX_DESCRIPTION) }),
    ...(isYear && tags.year !== undefined && { year: Math.trunc(tags.year) }),
    ...(bpm >= MIN_BPM && bpm <= MAX_BPM && { bpm }),
    ...(tags.chapters && { chapters: tags.chapters }),
  };
}

export const parseDraft = ({ draft }: Pick<UploadRow, 'draft'>): TrackChange =>
  JSON.parse(draft) as TrackChange;

/**
 * The fields of the future track. What someone typed wins, then the tags of the file, then a guess
 * from its name; without any of these the week is the one in which the upload started.
 */
export function mergeFields(
  upload: Pick<UploadRow, 'file_name' | 'tags' | 'draft' | 'created_at'>,
  { timeZone, siteName }: Pick<Config, 'timeZone' | 'siteName'>,
): TrackFields {
  const typed = parseDraft(upload);
  const tags = upload.tags ? cleanTagFields(JSON.parse(upload.tags) as MediaTags, siteName) : {};
  const guess = guessFromFileName(upload.file_name, weekOf(upload.created_at, timeZone));
  const merged = {
    ...EMPTY_TRACK_FIELDS,
    ...guess,
    ...tags,
    ...(typed as Partial<TrackFields>),
  };
  return { ...merged, week: Math.min(merged.week, weeksInYear(merged.year)) };
}

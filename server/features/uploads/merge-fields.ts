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
import type { MediaTags } from '../../ports/media/media.ts';
import type { UploadRow } from './queries.ts';

const oneLine = (text: string | undefined, length: number): string =>
  (text ?? '')
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, length)
    .trim();

/** Limited as in the form; a tag that is missing or invalid is left out. */
function cleanTagFields(tags: MediaTags): Partial<TrackFields> {
  const title = oneLine(tags.title, 120);
  const genre = oneLine(tags.genre, 60);
  const comment = (tags.comment ?? '').replace(/[^\P{Cc}\n\t]/gu, '').trim();
  const isYear = tags.year !== undefined && tags.year >= MIN_YEAR && tags.year <= MAX_YEAR;
  const bpm = Math.round(tags.bpm ?? 0);
  return {
    ...(title && { title }),
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
  timeZone: string,
): TrackFields {
  const typed = parseDraft(upload);
  const tags = upload.tags ? cleanTagFields(JSON.parse(upload.tags) as MediaTags) : {};
  const guess = guessFromFileName(upload.file_name, weekOf(upload.created_at, timeZone));
  const merged = {
    ...EMPTY_TRACK_FIELDS,
    ...guess,
    ...tags,
    ...(typed as Partial<TrackFields>),
  };
  return { ...merged, week: Math.min(merged.week, weeksInYear(merged.year)) };
}

import type { TrackChange, TrackFields } from '#contract/track-fields.ts';
import { MAX_DESCRIPTION, MAX_YEAR, MIN_YEAR } from '#contract/track-fields.ts';
import { guessFromFileName } from '#contract/rules/file-name.ts';
import { weekOf, weeksInYear } from '#contract/rules/weeks.ts';
import type { MediaTags } from '../../ports/media/media.ts';
import type { UploadRow } from './queries.ts';

export type EffectiveMix = TrackFields & { bpm: number | null };

const oneLine = (text: string | undefined, length: number): string =>
  (text ?? '')
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, length)
    .trim();

/** Bounded as a form would bound it, and empty where the file says nothing. */
function readTags(tags: MediaTags): Partial<EffectiveMix> {
  const title = oneLine(tags.title, 120);
  const genre = oneLine(tags.genre, 60);
  const comment = (tags.comment ?? '').replace(/[^\P{Cc}\n\t]/gu, '').trim();
  const isYear = tags.year !== undefined && tags.year >= MIN_YEAR && tags.year <= MAX_YEAR;
  return {
    ...(title && { title }),
    ...(genre && { genre }),
    ...(comment && { description: comment.slice(0, MAX_DESCRIPTION) }),
    ...(isYear && tags.year !== undefined && { year: Math.trunc(tags.year) }),
    ...(tags.bpm && tags.bpm > 0 && tags.bpm < 400 && { bpm: Math.round(tags.bpm) }),
  };
}

export const readDraft = ({ draft }: Pick<UploadRow, 'draft'>): TrackChange =>
  JSON.parse(draft) as TrackChange;

/**
 * What is known of a mix before it is one. What a person typed wins, then what the file says of
 * itself, then what its name lets guess; the week is the one the upload began in.
 */
export function mergeMix(
  upload: Pick<UploadRow, 'file_name' | 'tags' | 'draft' | 'created_at'>,
  timeZone: string,
): EffectiveMix {
  const typed = readDraft(upload);
  const tags = upload.tags ? readTags(JSON.parse(upload.tags) as MediaTags) : {};
  const guess = guessFromFileName(upload.file_name, weekOf(upload.created_at, timeZone));
  const merged = {
    genre: null,
    description: '',
    chapters: [],
    isSubscriberOnly: false,
    previewStart: null,
    release: { kind: 'draft' as const },
    bpm: null,
    ...guess,
    ...tags,
    ...(typed as Partial<TrackFields>),
  };
  return { ...merged, week: Math.min(merged.week, weeksInYear(merged.year)) };
}

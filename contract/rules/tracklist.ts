import type { FileDetails } from '../tracklists/file-details.ts';
import { parseTypedList } from '../tracklists/typed-list.ts';
import type { Chapter } from '../tracks.ts';
import { formatDuration } from './time.ts';

export const MAX_CHAPTERS = 300;
export const MAX_CHAPTER_TEXT = 200;
/** Seconds. */
export const MAX_CHAPTER_AT = 6 * 3600;

/**
 * The message continues after “Line 3”; lines are counted from 1. A remark is a line that nobody wants
 * as a track, such as a link. A detail is something about a recording that is left out of a line, such
 * as a wrong ISRC: it never stops the tracklist.
 */
export type TracklistProblem = {
  line: number;
  message: string;
  isRemark?: true;
  isDetail?: true;
};
/** With what a file says about the recording. */
export type ParsedChapter = Chapter & { details?: FileDetails | undefined };
export type ParsedTracklist = { chapters: ParsedChapter[]; problems: TracklistProblem[] };

export type NumberedChapter = ParsedChapter & { line: number };
export type TracklistDraft = { chapters: NumberedChapter[]; problems: TracklistProblem[] };

function findChapterProblem({ line, at, artist, title }: NumberedChapter): TracklistProblem | null {
  if (at !== null && at > MAX_CHAPTER_AT) return { line, message: 'has a time past six hours' };
  if (Math.max(title.length, artist?.length ?? 0) > MAX_CHAPTER_TEXT)
    return { line, message: `is too long: use at most ${MAX_CHAPTER_TEXT} characters for a name` };
  return null;
}

/** By time. A track without one stays after the track that it followed. */
export function sortChapters<T extends { at: number | null }>(chapters: readonly T[]): T[] {
  let at = 0;
  const placed = chapters.map((chapter) => ({ chapter, place: (at = chapter.at ?? at) }));
  return placed.toSorted((a, b) => a.place - b.place).map(({ chapter }) => chapter);
}

/** The tracks that start after the audio ends, for example because it was replaced by a shorter one. */
export const listPastEnd = (chapters: readonly Chapter[], seconds: number): Chapter[] =>
  chapters.filter(({ at }) => at !== null && at >= seconds);

/** For listeners, who can't go to a time after the end. Editors keep it, until they correct it. */
export function hideTimesPastEnd(chapters: readonly Chapter[], seconds: number): Chapter[] {
  const pastEnd = new Set(listPastEnd(chapters, seconds));
  return chapters.map((chapter) => (pastEnd.has(chapter) ? { ...chapter, at: null } : chapter));
}

/** One line of text, without control characters. */
const cleanName = (text: string): string => text.replace(/[\p{Cc}\s]+/gu, ' ').trim();

/** Checks what was understood, and puts it in order. */
export function finishTracklist({ chapters, problems }: TracklistDraft): ParsedTracklist {
  const named = chapters.map(({ artist, title, ...chapter }) => ({
    ...chapter,
    artist: cleanName(artist ?? '') || null,
    title: cleanName(title),
  }));
  const nameless = named.filter(({ title }) => title === '');
  const kept = named.filter(({ title }) => title !== '');
  const found = [
    ...problems,
    ...nameless.map(({ line }) => ({ line, message: 'has no title' })),
    ...kept.flatMap((chapter) => findChapterProblem(chapter) ?? []),
  ];
  const extra = kept[MAX_CHAPTERS];
  if (extra)
    found.push({
      line: extra.line,
      message: `is one too many: use at most ${MAX_CHAPTERS} lines`,
    });
  const sorted = sortChapters(kept.slice(0, MAX_CHAPTERS));
  return {
    chapters: sorted.map(({ at, artist, title, details }) => ({
      at,
      artist,
      title,
      ...(details && { details }),
    })),
    problems: found.toSorted((a, b) => a.line - b.line),
  };
}

/** What can be saved when nobody can correct the rest. The problems name the lines left out. */
export const listValidChapters = ({ chapters }: ParsedTracklist): ParsedChapter[] =>
  chapters.filter((chapter) => findChapterProblem({ line: 0, ...chapter }) === null);

/** Accepts typed lines, with or without times, and reports problems by line. */
export const parseTracklist = (text: string): ParsedTracklist =>
  finishTracklist(
    parseTypedList(text.replace(/\r\n?/g, '\n').replace(/^\uFEFF/, ''), MAX_CHAPTERS),
  );

/** One line per chapter, in the format that `parseTracklist` accepts. */
export const formatTracklist = (chapters: readonly Chapter[]): string =>
  chapters
    .map(
      ({ at, artist, title }) =>
        `${at === null ? '--:--' : formatDuration(at)} ${artist ? `${artist} - ` : ''}${title}`,
    )
    .join('\n');

/** One message for the field: the first problem, and how many more there are. */
export function describeProblems(problems: readonly TracklistProblem[]): string | null {
  const [first, ...more] = problems.filter(({ isDetail }) => !isDetail);
  if (!first) return null;
  const others = more.length > 0 ? ` (and ${more.length} more)` : '';
  return `Line ${first.line} ${first.message}${others}.`;
}

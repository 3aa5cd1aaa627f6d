import type { Chapter } from '../tracks.ts';
import { formatDuration } from './time.ts';

export const MAX_CHAPTERS = 300;
export const MAX_CHAPTER_TEXT = 200;
/** Seconds. */
export const MAX_CHAPTER_AT = 6 * 3600;

/** The message continues after “Line 3”; lines are counted from 1. */
export type TracklistProblem = { line: number; message: string };
export type ParsedTracklist = { chapters: Chapter[]; problems: TracklistProblem[] };

export type NumberedChapter = Chapter & { line: number };
export type TracklistDraft = { chapters: NumberedChapter[]; problems: TracklistProblem[] };

const CUE = /^\s*(?:TRACK\s+\d+\s+AUDIO|INDEX\s+\d+\s+\d+:\d\d:\d\d)\s*$/im;
/** The first lines of a cue sheet by rekordbox, which writes hours, minutes and seconds. */
const REKORDBOX = /^\s*REM\s+RECORDED_BY\s+"?rekordbox/im;
const ORDINAL = /^(?:#?\d{1,3}[.)]\s+|#\d{1,3}\s+)/;
const TIME = String.raw`(?:(\d{1,2}):)?(\d{1,3}):(\d{2})(?:\.\d+)?`;
const LEADING = new RegExp(String.raw`^[[(]?${TIME}[\])]?(?=\s|$|[-–—|:])`);
const TRAILING = new RegExp(String.raw`(?:^|\s)[[(]?${TIME}[\])]?$`);
/** What people write for a time they don't know. */
const NO_TIME = /^[[(]?(?:\?\?|--):(?:\?\?|--)(?::(?:\?\?|--))?[\])]?(?=\s|$)/;
/** A track that plays together with the one before. */
const TOGETHER = /^w\/\s+/i;
const SEPARATORS = /^[\s\-–—|:.]+|[\s\-–—|]+$/g;
const BETWEEN = /\s+[-–—]\s+/;

function parseTime(match: RegExpExecArray): number | null {
  const [, hours, minutes = '', seconds = ''] = match;
  if (Number(seconds) > 59 || (hours !== undefined && Number(minutes) > 59)) return null;
  return Number(hours ?? 0) * 3600 + Number(minutes) * 60 + Number(seconds);
}

/** `Artist - Title`, or a title alone. */
export function parseNames(text: string): { artist: string | null; title: string } {
  const at = text.search(BETWEEN);
  if (at <= 0) return { artist: null, title: text };
  const title = text.slice(at).replace(BETWEEN, '').trim();
  return title ? { artist: text.slice(0, at).trim(), title } : { artist: null, title: text };
}

function parseLine(text: string, line: number): NumberedChapter | TracklistProblem {
  const unnumbered = text.replace(ORDINAL, '');
  const plain = unnumbered.replace(NO_TIME, '').trim().replace(TOGETHER, '');
  const isTimed = plain.length > 0 && !NO_TIME.test(unnumbered);
  const found = isTimed ? (LEADING.exec(plain) ?? TRAILING.exec(plain)) : null;
  const at = found && parseTime(found);
  if (found && at === null) return { line, message: `has an invalid time: ${found[0].trim()}` };
  const names = plain
    .replace(found?.[0] ?? '', ' ')
    .trim()
    .replace(SEPARATORS, '');
  if (!names) return { line, message: found ? 'has a time but no title' : 'has no title' };
  return { line, at, ...parseNames(names) };
}

function parseLines(text: string): TracklistDraft {
  const draft: TracklistDraft = { chapters: [], problems: [] };
  for (const [index, raw] of text.split('\n').entries()) {
    const trimmed = raw.trim();
    if (!trimmed) continue;
    const parsed = parseLine(trimmed, index + 1);
    if ('message' in parsed) draft.problems.push(parsed);
    else draft.chapters.push(parsed);
  }
  return draft;
}

const unquote = (text: string): string =>
  text
    .trim()
    .replace(/^"(.*)"$/, '$1')
    .trim();

type CueTrack = { line: number; title: string; artist: string | null; at: number | null };
type CueTime = { at: number } | { problem: string };

/** `minutes:seconds:frames`, of which a second has 75; rekordbox writes `hours:minutes:seconds`. */
function parseCueTime(text: string, isRekordbox: boolean): CueTime {
  const [, first, second, third] = /^(\d+):(\d\d):(\d\d)$/.exec(text) ?? [];
  const isValid = Number(second) <= 59 && Number(third) <= (isRekordbox ? 59 : 74);
  if (!isValid) return { problem: `has an invalid time: ${text}` };
  const [a, b, c] = [Number(first), Number(second), Number(third)];
  return { at: isRekordbox ? a * 3600 + b * 60 + c : a * 60 + b + c / 75 };
}

/** Whatever comes before the first TRACK describes the whole mix and is ignored. */
function parseCue(text: string): TracklistDraft {
  const draft: TracklistDraft = { chapters: [], problems: [] };
  const isRekordbox = REKORDBOX.test(text);
  let track: CueTrack | null = null;
  // Where each track is a file of its own, its time says nothing about the mix.
  const hasTimes = (text.match(/^\s*FILE\s/gim) ?? []).length <= 1;
  function closeTrack() {
    if (!track) return;
    const { line, title } = track;
    if (!title) draft.problems.push({ line, message: 'is missing a TITLE' });
    else draft.chapters.push(track);
  }
  for (const [index, raw] of text.split('\n').entries()) {
    const line = index + 1;
    const [, word = '', rest = ''] = /^\s*(\w+)\s*(.*?)\s*$/.exec(raw) ?? [];
    const keyword = word.toUpperCase();
    if (keyword === 'TRACK') {
      closeTrack();
      track = { line, title: '', artist: null, at: null };
    } else if (track && keyword === 'TITLE') track.title = unquote(rest);
    else if (track && keyword === 'PERFORMER') track.artist = unquote(rest) || null;
    else if (track && keyword === 'INDEX') {
      const [, number, time = ''] = /^(\d+)\s+(\S+)/.exec(rest) ?? [];
      if (Number(number) !== 1 || !hasTimes) continue;
      const parsed = parseCueTime(time, isRekordbox);
      if ('problem' in parsed) draft.problems.push({ line, message: parsed.problem });
      else track.at = parsed.at;
    }
  }
  closeTrack();
  return draft;
}

function findChapterProblem({ line, at, artist, title }: NumberedChapter): TracklistProblem | null {
  if (at !== null && at > MAX_CHAPTER_AT) return { line, message: 'has a time past six hours' };
  if (Math.max(title.length, artist?.length ?? 0) > MAX_CHAPTER_TEXT)
    return { line, message: `is too long: use at most ${MAX_CHAPTER_TEXT} characters for a name` };
  return null;
}

/** By time. A track without one stays behind the track that it was behind. */
export function sortChapters<T extends { at: number | null }>(chapters: readonly T[]): T[] {
  let at = 0;
  const placed = chapters.map((chapter) => ({ chapter, place: (at = chapter.at ?? at) }));
  return placed.toSorted((a, b) => a.place - b.place).map(({ chapter }) => chapter);
}

/** Checks what was understood, and puts it in order. */
export function finishTracklist({ chapters, problems }: TracklistDraft): ParsedTracklist {
  const sorted = sortChapters(chapters).map(({ at, artist, title }) => ({ at, artist, title }));
  const found = [...problems, ...chapters.flatMap((chapter) => findChapterProblem(chapter) ?? [])];
  if (chapters.length > MAX_CHAPTERS)
    found.push({
      line: chapters[MAX_CHAPTERS]?.line ?? 1,
      message: `is one too many: use at most ${MAX_CHAPTERS} lines`,
    });
  return { chapters: sorted, problems: found.toSorted((a, b) => a.line - b.line) };
}

/** Whether the text is a cue sheet. */
export const isCueSheet = (text: string): boolean => CUE.test(text);

/** Accepts typed lines, with or without times, or a cue sheet, and reports problems by line. */
export function parseTracklist(text: string): ParsedTracklist {
  const lines = text.replace(/\r\n?/g, '\n').replace(/^\uFEFF/, '');
  return finishTracklist(isCueSheet(lines) ? parseCue(lines) : parseLines(lines));
}

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
  const [first, ...more] = problems;
  if (!first) return null;
  const others = more.length > 0 ? ` (and ${more.length} more)` : '';
  return `Line ${first.line} ${first.message}${others}.`;
}

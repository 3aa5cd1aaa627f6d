import { collapseSpaces, listLines, MAX_TRACKLIST_LINE, parseNames } from '../tracklists/lines.ts';
import { parseTypedList } from '../tracklists/typed-list.ts';
import type { Chapter } from '../tracks.ts';
import { formatDuration } from './time.ts';

export const MAX_CHAPTERS = 300;
export const MAX_CHAPTER_TEXT = 200;
/** Seconds. */
export const MAX_CHAPTER_AT = 6 * 3600;

/**
 * The message continues after “Line 3”; lines are counted from 1. A remark is a line that nobody wants
 * as a track, such as a link.
 */
export type TracklistProblem = { line: number; message: string; isRemark?: true };
export type ParsedTracklist = { chapters: Chapter[]; problems: TracklistProblem[] };

export type NumberedChapter = Chapter & { line: number };
export type TracklistDraft = { chapters: NumberedChapter[]; problems: TracklistProblem[] };

const CUE = /^(?:TRACK \d+ AUDIO|INDEX \d+ \d+:\d\d:\d\d)$/i;
const CUE_KEYWORD =
  /^(?:CATALOG|CDTEXTFILE|FILE|FLAGS|INDEX|ISRC|PERFORMER|POSTGAP|PREGAP|REM|SONGWRITER|TITLE|TRACK)$/;
/** The first lines of a cue sheet by rekordbox, which writes hours, minutes and seconds. */
const REKORDBOX = /^[ \t]*REM[ \t]+RECORDED_BY[ \t]+"?rekordbox/im;
const unquote = (text: string): string =>
  text
    .trim()
    .replace(/^"(.*)"$/, '$1')
    .trim();

/** Comments in our own cue sheets: each track there needs a time, and its title may contain a dash. */
export const CUE_NO_TIME = 'NO TIME';
export const CUE_NO_ARTIST = 'NO PERFORMER';

type CueTrack = {
  line: number;
  title: string;
  artist: string | null;
  at: number | null;
  /** What comments of our own cue sheets say about the track. */
  hasNoTime: boolean;
  hasNoArtist: boolean;
};
type CueTime = { at: number } | { problem: string };

/** `minutes:seconds:frames`, of which a second has 75; rekordbox writes `hours:minutes:seconds`. */
function parseCueTime(text: string, isRekordbox: boolean): CueTime {
  const [, first, second, third] = /^(\d+):(\d\d):(\d\d)$/.exec(text) ?? [];
  const isValid = Number(second) <= 59 && Number(third) <= (isRekordbox ? 59 : 74);
  if (!isValid) return { problem: `has an invalid time: ${text}` };
  const [a, b, c] = [Number(first), Number(second), Number(third)];
  return { at: isRekordbox ? a * 3600 + b * 60 + c : a * 60 + b + c / 75 };
}

type CueLine = { line: number; keyword: string; rest: string };

function splitCue(text: string): CueLine[] {
  const lines: CueLine[] = [];
  for (const { line, content: raw } of listLines(text)) {
    const content = collapseSpaces(raw).slice(0, MAX_TRACKLIST_LINE);
    const [word = ''] = content.split(' ', 1);
    lines.push({
      line,
      keyword: word.toUpperCase(),
      rest: content.slice(word.length).trim(),
    });
  }
  return lines;
}

/**
 * Where each track is a file of its own, its time says nothing about the mix. Between a TRACK and
 * its INDEX, rekordbox and Mixxx name the file that the DJ played, which is something else.
 */
function hasRecordingTimes(lines: readonly CueLine[]): boolean {
  let [files, isInHead] = [0, false];
  for (const { keyword } of lines) {
    if (keyword === 'TRACK') isInHead = true;
    else if (keyword === 'INDEX') isInHead = false;
    else if (keyword === 'FILE' && !isInHead) files += 1;
  }
  return files <= 1;
}

/** What comes before the first TRACK describes the whole mix and is ignored. */
function parseCue(text: string): TracklistDraft {
  const draft: TracklistDraft = { chapters: [], problems: [] };
  const isRekordbox = REKORDBOX.test(text);
  const lines = splitCue(text);
  const hasTimes = hasRecordingTimes(lines);
  let track: CueTrack | null = null;
  function closeTrack() {
    if (!track) return;
    const { line, title, artist, hasNoTime, hasNoArtist } = track;
    const at = hasNoTime ? null : track.at;
    if (!title) draft.problems.push({ line, message: 'is missing a TITLE' });
    else if (artist || hasNoArtist) draft.chapters.push({ line, at, artist, title });
    else draft.chapters.push({ line, at, ...parseNames(title) });
  }
  for (const { line, keyword, rest } of lines) {
    if (keyword === 'TRACK') {
      closeTrack();
      track = { line, title: '', artist: null, at: null, hasNoTime: false, hasNoArtist: false };
    } else if (!CUE_KEYWORD.test(keyword))
      draft.problems.push({ line, message: 'isn’t a line of a cue sheet' });
    else if (track && keyword === 'REM') {
      if (rest === CUE_NO_TIME) track.hasNoTime = true;
      if (rest === CUE_NO_ARTIST) track.hasNoArtist = true;
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
  const named = chapters.map(({ line, at, artist, title }) => ({
    line,
    at,
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
    chapters: sorted.map(({ at, artist, title }) => ({ at, artist, title })),
    problems: found.toSorted((a, b) => a.line - b.line),
  };
}

/** What can be saved when nobody can correct the rest. The problems name the lines left out. */
export const listValidChapters = ({ chapters }: ParsedTracklist): Chapter[] =>
  chapters.filter((chapter) => findChapterProblem({ line: 0, ...chapter }) === null);

/** Whether most lines are those of a cue sheet. A single one may be the name of a track. */
export function isCueSheet(text: string): boolean {
  let [known, others, isCertain] = [0, 0, false];
  for (const { content } of listLines(text.replace(/\r\n?/g, '\n'))) {
    const [word = ''] = /^[a-z]+(?=\s|$)/i.exec(content) ?? [];
    if (CUE_KEYWORD.test(word.toUpperCase())) {
      known += 1;
      isCertain ||= CUE.test(collapseSpaces(content));
    } else others += 1;
  }
  return isCertain && known > others;
}

/** A text that isn't empty has chapters or a problem, so that nothing disappears silently. */
export function reportNothing(
  text: string,
  parsed: ParsedTracklist,
  source: string,
): ParsedTracklist {
  if (parsed.chapters.length > 0 || parsed.problems.length > 0 || !text.trim()) return parsed;
  const line = text.slice(0, text.search(/\S/)).split('\n').length;
  return {
    ...parsed,
    problems: [{ line, message: `starts a tracklist (${source}) without any tracks` }],
  };
}

/** Accepts typed lines, with or without times, or a cue sheet, and reports problems by line. */
export function parseTracklist(text: string): ParsedTracklist {
  const lines = text.replace(/\r\n?/g, '\n').replace(/^\uFEFF/, '');
  return isCueSheet(lines)
    ? reportNothing(lines, finishTracklist(parseCue(lines)), 'cue sheet')
    : finishTracklist(parseTypedList(lines, MAX_CHAPTERS));
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

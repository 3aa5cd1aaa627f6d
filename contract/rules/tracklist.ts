import type { Chapter } from '../tracks.ts';
import { formatDuration } from './time.ts';

export const MAX_CHAPTERS = 300;
export const MAX_CHAPTER_TEXT = 200;
/** Seconds. */
export const MAX_CHAPTER_AT = 6 * 3600;

/** The message continues after “Line 3”; lines are counted from 1. */
type TracklistProblem = { line: number; message: string };
type ParsedTracklist = { chapters: Chapter[]; problems: TracklistProblem[] };

type Entry = { line: number; at: number; artist: string | null; title: string };
type Draft = { entries: Entry[]; problems: TracklistProblem[] };

const CUE = /^\s*(?:TRACK\s+\d+\s+AUDIO|INDEX\s+\d+\s+\d+:\d\d:\d\d)\s*$/im;
const ORDINAL = /^(?:#?\d{1,3}[.)]\s+|#\d{1,3}\s+)/;
const TIME = String.raw`(?:(\d{1,2}):)?(\d{1,3}):(\d{2})(?:\.\d+)?`;
const LEADING = new RegExp(String.raw`^[[(]?${TIME}[\])]?(?=\s|$|[-–—|:])`);
const TRAILING = new RegExp(String.raw`(?:^|\s)[[(]?${TIME}[\])]?$`);
const SEPARATORS = /^[\s\-–—|:.]+|[\s\-–—|]+$/g;
const BETWEEN = /\s+[-–—]\s+/;

function parseTime(match: RegExpExecArray): number | null {
  const [, hours, minutes = '', seconds = ''] = match;
  if (Number(seconds) > 59 || (hours !== undefined && Number(minutes) > 59)) return null;
  return Number(hours ?? 0) * 3600 + Number(minutes) * 60 + Number(seconds);
}

/** `Artist - Title`, or a title alone. */
function parseNames(text: string): { artist: string | null; title: string } {
  const at = text.search(BETWEEN);
  if (at <= 0) return { artist: null, title: text };
  const title = text.slice(at).replace(BETWEEN, '').trim();
  return title ? { artist: text.slice(0, at).trim(), title } : { artist: null, title: text };
}

function parseTimedLine(text: string, line: number): Entry | TracklistProblem {
  const plain = text.replace(ORDINAL, '');
  const found = LEADING.exec(plain) ?? TRAILING.exec(plain);
  if (!found) return { line, message: 'needs a time, such as 12:30' };
  const at = parseTime(found);
  if (at === null) return { line, message: `has an invalid time: ${found[0].trim()}` };
  const names = plain.replace(found[0], ' ').trim().replace(SEPARATORS, '');
  if (!names) return { line, message: 'has a time but no title' };
  return { line, at, ...parseNames(names) };
}

function parseTimedLines(text: string): Draft {
  const draft: Draft = { entries: [], problems: [] };
  for (const [index, raw] of text.split('\n').entries()) {
    const trimmed = raw.trim();
    if (!trimmed) continue;
    const parsed = parseTimedLine(trimmed, index + 1);
    if ('message' in parsed) draft.problems.push(parsed);
    else draft.entries.push(parsed);
  }
  return draft;
}

const unquote = (text: string): string =>
  text
    .trim()
    .replace(/^"(.*)"$/, '$1')
    .trim();

type CueTrack = { line: number; title: string; artist: string | null; at: number | null };

function closeCueTrack(track: CueTrack | null, { entries, problems }: Draft) {
  if (!track) return;
  const { line, title, artist, at } = track;
  if (at === null) problems.push({ line, message: 'is missing INDEX 01' });
  else if (!title) problems.push({ line, message: 'is missing a TITLE' });
  else entries.push({ line, at, artist, title });
}

/** Whatever comes before the first TRACK describes the whole mix and is ignored. */
function parseCue(text: string): Draft {
  const draft: Draft = { entries: [], problems: [] };
  let track: CueTrack | null = null;
  for (const [index, raw] of text.split('\n').entries()) {
    const [, word = '', rest = ''] = /^\s*(\w+)\s*(.*)$/.exec(raw) ?? [];
    const keyword = word.toUpperCase();
    if (keyword === 'TRACK') {
      closeCueTrack(track, draft);
      track = { line: index + 1, title: '', artist: null, at: null };
    } else if (track && keyword === 'TITLE') track.title = unquote(rest);
    else if (track && keyword === 'PERFORMER') track.artist = unquote(rest) || null;
    else if (track && keyword === 'INDEX') {
      const [, number, minutes, seconds, frames] = /^(\d+)\s+(\d+):(\d\d):(\d\d)/.exec(rest) ?? [];
      if (Number(number) !== 1) continue;
      if (Number(seconds) > 59 || Number(frames) > 74)
        draft.problems.push({ line: index + 1, message: `has an invalid time: ${rest.trim()}` });
      else track.at = Number(minutes) * 60 + Number(seconds) + Number(frames) / 75;
    }
  }
  closeCueTrack(track, draft);
  return draft;
}

function findEntryProblem({ line, at, artist, title }: Entry): TracklistProblem | null {
  if (at > MAX_CHAPTER_AT) return { line, message: 'has a time past six hours' };
  if (Math.max(title.length, artist?.length ?? 0) > MAX_CHAPTER_TEXT)
    return { line, message: `is too long: use at most ${MAX_CHAPTER_TEXT} characters for a name` };
  return null;
}

/** Accepts pasted lines with times or a cue sheet, and reports problems by line. */
export function parseTracklist(text: string): ParsedTracklist {
  const lines = text.replace(/\r\n?/g, '\n').replace(/^\uFEFF/, '');
  const { entries, problems } = CUE.test(lines) ? parseCue(lines) : parseTimedLines(lines);
  problems.push(...entries.flatMap((entry) => findEntryProblem(entry) ?? []));
  if (entries.length > MAX_CHAPTERS)
    problems.push({
      line: entries[MAX_CHAPTERS]?.line ?? 1,
      message: `is one too many: use at most ${MAX_CHAPTERS} lines`,
    });
  const chapters = entries
    .toSorted((a, b) => a.at - b.at)
    .map(({ at, artist, title }) => ({ at, artist, title }));
  return { chapters, problems: problems.toSorted((a, b) => a.line - b.line) };
}

/** One line per chapter, in the format that `parseTracklist` accepts. */
export const formatTracklist = (chapters: readonly Chapter[]): string =>
  chapters
    .map(({ at, artist, title }) => `${formatDuration(at)} ${artist ? `${artist} - ` : ''}${title}`)
    .join('\n');

/** One message for the field: the first problem, and how many more there are. */
export function describeProblems(problems: readonly TracklistProblem[]): string | null {
  const [first, ...more] = problems;
  if (!first) return null;
  const others = more.length > 0 ? ` (and ${more.length} more)` : '';
  return `Line ${first.line} ${first.message}${others}.`;
}

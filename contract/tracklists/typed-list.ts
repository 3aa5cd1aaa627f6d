import type { NumberedChapter, TracklistDraft, TracklistProblem } from '../rules/tracklist.ts';
import { BETWEEN, collapseSpaces, listLines, MAX_TRACKLIST_LINE, parseNames } from './lines.ts';
import { findRemark, quote, removeLinks } from './remarks.ts';

const MAX_PROBLEMS = 1000;

/** A dash, a dot or an arrow in front of each line; a picture only in front of a time. */
const BULLET =
  /^(?:[-–—•◦‣⁃▪▫●○■□◆◇►▶→➤»>*+·∙]\s+|[•◦‣⁃▪▫●○■□◆◇►▶→➤·∙]|(?:\p{Extended_Pictographic}\uFE0F?\s*)+)(?=[[(<]?\d{1,3}[:h'′’.])|^[-–—•◦‣⁃▪▫●○■□◆◇►▶→➤·∙*+>]\s+/u;
/** `01. `, `#1 `, `[01] `, or `01 ` and `01 - ` in front of a time. */
const ORDINAL =
  /^(?:#?\d{1,3}[.):]\s+|#\d{1,3}\s+|\[\d{1,3}\]\s*|\d{1,3}\s+(?:[-–—]\s+)?(?=[[(<]?\d{1,3}[:h'′’]\d))/;
/** A number that may also belong to a name: `04 Artist`, `04.Artist` or `(4) Artist`. */
const NUMBER = /^[[(]?#?(\d{1,3})(?:[\]).:、．]\s*(?![\d\s])|[\]).:、．]?\s+)(?=\S)/;

const COLON = String.raw`(?:(\d{1,2}):)?(\d{1,3}):(\d{2})(?:[.,]\d+)?`;
/** After a time: the end of its bracket, or something that isn't part of it. */
const AFTER = String.raw`(?:[\])>]|(?=\s|$|[-–—~→|]|:(?!\d)))`;
const TIMES = [
  COLON,
  String.raw`(\d{1,2})h(\d{1,2})(?:m(?:in)?(?:(\d{1,2})s(?:ec)?)?)?`,
  String.raw`()(\d{1,3})m(?:in)?(\d{1,2})s(?:ec)?`,
  String.raw`()(\d{1,3})['′’](\d{2})(?:["″”]|'')?`,
];
const LEADING = TIMES.map((time) => new RegExp(`^[[(<]?${time}${AFTER}`, 'i'));
const DOTTED = /^[[(<]?(?:(\d{1,2})\.)?(\d{1,3})\.(\d{2})(?:[\])>]|(?=\s))/;
const TRAILING = new RegExp(
  String.raw`(?:^|\s)[[(]?${COLON}(?:\s?[-–—]\s?(?:\d{1,2}:)?\d{1,3}:\d{2})?[\])]?$`,
);
const RANGE = new RegExp(String.raw`^(\s*)(?:[-–—~→]|to\s|bis\s)\s*${COLON}${AFTER}`, 'i');
const SECOND_TIME = new RegExp(String.raw`^\s*[|-]?\s*[[(]?${COLON}${AFTER}`);
const OF_DAY = new RegExp(String.raw`^${COLON}\s?[ap]\.?m\.?(?=\s)`, 'i');
/** It begins like a time that the patterns above don't read. */
const LIKE_A_TIME = /^[[(<]?\d{1,3}\s?[:.'′’h]\s?\d{2}(?!\d)/;
/** What people write for a time they don't know. */
const NO_TIME = /^[[(]?(?:\?\?|--):(?:\?\?|--)(?::(?:\?\?|--))?[\])]?(?=\s|$)/;
/** A track that plays together with the one before. */
const TOGETHER = /^w\/\s+/i;
/** What stands for a track without the name of an artist. */
const NO_ARTIST = /^(?:id|intro|outro|opening|interlude|skit|acappella|unknown|unreleased)\b/i;

const LEADING_SEPARATORS = /^[\s\-–—|:.]+/;
const TRAILING_SEPARATORS = ' \t\u2003-–—|';

/** Gaps that may be the edges of columns: tabs, and several spaces as a wide one. */
const markGaps = (text: string): string =>
  text.replace(/\s+/g, (run) => (run.includes('\t') ? '\t' : run.length > 1 ? '\u2003' : ' '));
const GAP = /[\t\u2003]/;

/** Japanese and Chinese keyboards write digits, colons and brackets as wide as other letters. */
const narrowStart = (text: string): string =>
  text.replace(/^[\s\d０-９：.［］【】（）[\]()]+/, (start) =>
    start.normalize('NFKC').replaceAll('【', '[').replaceAll('】', ']'),
  );

function parseTime(match: RegExpExecArray): number | null {
  const [, hours, minutes = '', seconds = '0'] = match;
  if (Number(seconds) > 59 || (hours && Number(minutes) > 59)) return null;
  return Number(hours || 0) * 3600 + Number(minutes) * 60 + Number(seconds);
}

/** A pattern for the end would start anew at every dash of the line. */
function trimSeparators(text: string): string {
  const start = text.replace(LEADING_SEPARATORS, '');
  let end = start.length;
  while (end > 0 && TRAILING_SEPARATORS.includes(start.charAt(end - 1))) end -= 1;
  return start.slice(0, end);
}

type Line = { line: number; text: string };

/** What a single line can't say. */
type Layout = {
  isNumbered: boolean;
  hasDottedTimes: boolean;
  hasTwoTimes: boolean;
  isOfDay: boolean;
};

/** Without the lines above the first and below the last that the pattern fits. */
function findAll(lines: readonly Line[], pattern: RegExp): RegExpExecArray[] | null {
  const found = lines.map(({ text }) => pattern.exec(text));
  const within = found.slice(
    found.findIndex((match) => match !== null),
    found.findLastIndex((match) => match !== null) + 1,
  );
  const all = within.filter((match) => match !== null);
  return all.length >= 2 && all.length === within.length ? all : null;
}

const isAscending = (numbers: readonly number[], step: number): boolean =>
  numbers.every((number, index) => index === 0 || number - (numbers[index - 1] ?? 0) >= step);

function findLayout(lines: readonly Line[]): Layout {
  const tracks = lines.filter(({ text }) => !TOGETHER.test(text) && !findRemark(text));
  const numbers = findAll(tracks, NUMBER)?.map(([, number]) => Number(number)) ?? [];
  const isNumbered =
    numbers.length > 1 &&
    isAscending(numbers, 1) &&
    (numbers.at(-1) ?? 0) - (numbers[0] ?? 0) === numbers.length - 1;
  const bare = tracks.map(({ line, text }) => ({
    line,
    text: removeNumber(text, isNumbered).text,
  }));
  const dotted = findAll(bare, DOTTED)?.map(parseTime) ?? [];
  const times = dotted.filter((at) => at !== null);
  const twice = findAll(bare, new RegExp(`^[[(]?${COLON}${AFTER}${SECOND_TIME.source.slice(1)}`));
  return {
    isNumbered,
    hasDottedTimes: times.length > 1 && times.length === dotted.length && isAscending(times, 0),
    hasTwoTimes: twice !== null && twice.length === tracks.length,
    isOfDay: findAll(bare, OF_DAY)?.length === tracks.length,
  };
}

function removeNumber(text: string, isNumbered: boolean): { text: string; isMarked: boolean } {
  const plain = text.replace(BULLET, '');
  const bare = plain.replace(ORDINAL, '');
  if (bare !== plain) return { text: bare, isMarked: true };
  const unnumbered = isNumbered ? plain.replace(NUMBER, '') : plain;
  return { text: unnumbered, isMarked: unnumbered !== plain };
}

type Timed = { at: number | null; rest: string; written: string };

function findTime(text: string, layout: Layout): Timed | string | null {
  const { hasDottedTimes, hasTwoTimes, isOfDay } = layout;
  const patterns = hasDottedTimes ? [...LEADING, DOTTED] : LEADING;
  const leading = patterns.map((pattern) => pattern.exec(text)).find((match) => match !== null);
  const found = leading ?? TRAILING.exec(text);
  if (!found)
    return LIKE_A_TIME.test(text) ? `begins like a time, which is written as 12:30` : null;
  const written = found[0].trim();
  const at = parseTime(found);
  if (at === null) return `has an invalid time: ${written}`;
  const rest = text.replace(found[0], ' ');
  if (!leading) return { at, rest, written };
  const after = text.slice(found[0].length);
  if (isOfDay) return 'has a time of day: write when it starts in the mix, as 12:30';
  const range = RANGE.exec(after);
  const end = range && parseTime(range.toSpliced(1, 1) as RegExpExecArray);
  if (range && end !== null && end > at) return { at, rest: after.slice(range[0].length), written };
  if (range && !range[1]) return `ends before it starts: ${quote(text)}`;
  return { at, rest: hasTwoTimes ? after.replace(SECOND_TIME, '') : rest, written };
}

/** A line that was read, and how sure it is that this is a track. */
type Track = { line: number; at: number | null; names: string; isMarked: boolean; isSure: boolean };

const hasDash = ({ names }: Track): boolean => BETWEEN.test(names);

function readLine({ line, text }: Line, layout: Layout): Track | TracklistProblem {
  const { text: unnumbered, isMarked } = removeNumber(text, layout.isNumbered);
  if (NO_TIME.test(unnumbered)) {
    const names = trimSeparators(unnumbered.replace(NO_TIME, '').trim().replace(TOGETHER, ''));
    const track = { line, at: null, names: collapseSpaces(names), isMarked: true, isSure: true };
    return names ? track : { line, message: 'has no title' };
  }
  const isTogether = TOGETHER.test(unnumbered);
  const plain = unnumbered.replace(TOGETHER, '');
  const time = findTime(plain, layout);
  if (typeof time === 'string') return { line, message: time };
  const remark = time || isMarked || isTogether ? null : findRemark(plain);
  if (remark) return { line, message: remark, isRemark: true };
  const names = trimSeparators(removeLinks((time?.rest ?? plain).trim()));
  if (!names) return { line, message: time ? 'has a time but no title' : 'has no title' };
  const isSure = isTogether || NO_ARTIST.test(names);
  return { line, at: time?.at ?? null, names, isMarked: isMarked || time !== null, isSure };
}

const COLUMNS = 'has columns without names: write Artist - Title, or add a line that names them';

/** `Artist;Title` in every line, or commas, of which names have fewer. */
function isDelimited(tracks: readonly Track[]): boolean {
  const counts = (sign: string) => tracks.map(({ names }) => names.split(sign).length - 1);
  const isEach = (sign: string, least: number) => {
    const [first = 0, ...others] = counts(sign);
    return first >= least && others.length > 0 && others.every((count) => count === first);
  };
  return (isEach(';', 1) || isEach(',', 2)) && !tracks.some(hasDash);
}

/** Compares the lines with each other: some of them may be no tracks after all. */
function findDoubt(tracks: readonly Track[]): (track: Track) => TracklistProblem | null {
  const marked = tracks.filter(({ isMarked }) => isMarked);
  const isMarkedList = marked.length >= 2 && marked.length * 2 >= tracks.length;
  const firstTimed = tracks.find(({ at }) => at !== null);
  const wide = tracks.filter((track) => GAP.test(track.names) && !hasDash(track));
  const isWide = wide.length >= 2 && wide.length * 2 >= tracks.length;
  const isTable = isDelimited(tracks);
  return (track) => {
    const { line, names, isMarked, isSure } = track;
    if (names.includes('\t') && !hasDash(track)) return { line, message: COLUMNS };
    if (isTable || (isWide && wide.includes(track))) return { line, message: COLUMNS };
    if (isMarked || isSure) return null;
    // Nothing plays before the start.
    if (firstTimed?.at === 0 && line < firstTimed.line)
      return { line, message: `looks like a heading: ${quote(names)}`, isRemark: true };
    if (hasDash(track)) return null;
    const isOnTop = marked.length === 0 && track === tracks[0] && tracks.length > 2;
    const others = isMarkedList ? marked : isOnTop ? tracks.slice(1) : [];
    if (others.length === 0 || !others.every(hasDash)) return null;
    return {
      line,
      message: `may not be a track: ${quote(names)}. If it is one, put --:-- before it`,
    };
  };
}

/** The lines that people type, in all the ways that they do. */
export function parseTypedList(text: string, maxChapters: number): TracklistDraft {
  const draft: TracklistDraft = { chapters: [], problems: [] };
  const lines: Line[] = [];
  for (const { line, content } of listLines(text)) {
    // It is no tracklist, and what comes after one too many is of no use.
    if (lines.length > maxChapters + MAX_PROBLEMS) break;
    const marked = markGaps(content);
    lines.push({ line, text: marked.length > MAX_TRACKLIST_LINE ? '' : narrowStart(marked) });
  }
  const layout = findLayout(lines);
  const tracks: Track[] = [];
  for (const each of lines) {
    if (tracks.length > maxChapters || draft.problems.length > MAX_PROBLEMS) break;
    const read = each.text ? readLine(each, layout) : { line: each.line, message: 'is too long' };
    if ('message' in read) draft.problems.push(read);
    else tracks.push(read);
  }
  const doubt = findDoubt(tracks);
  for (const track of tracks) {
    const problem = doubt(track);
    const chapter = (): NumberedChapter => ({
      line: track.line,
      at: track.at,
      ...parseNames(collapseSpaces(track.names)),
    });
    if (problem) draft.problems.push(problem);
    else draft.chapters.push(chapter());
  }
  return draft;
}

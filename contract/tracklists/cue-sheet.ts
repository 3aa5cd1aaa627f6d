import type { TracklistDraft } from '../rules/tracklist.ts';
import { readDetails, type WrittenDetails } from './file-details.ts';
import { collapseSpaces, listLines, MAX_TRACKLIST_LINE, parseNames } from './lines.ts';

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
/** Comments about the recording, by their first word. Players write some of them, too. */
export const CUE_COMMENTS = {
  version: 'VERSION',
  composer: 'COMPOSER',
  publisher: 'PUBLISHER',
  label: 'LABEL',
  iswc: 'ISWC',
  isOwn: 'OWN_PRODUCTION',
  clearedWith: 'CLEARED_WITH',
} as const;
const COMMENTS = new Map<string, keyof WrittenDetails>([
  ...(Object.entries(CUE_COMMENTS) as [keyof typeof CUE_COMMENTS, string][]).map(
    ([name, word]) => [word, name] as const,
  ),
  ['ISRC', 'isrc'],
  ['SONGWRITER', 'composer'],
  ['WRITER', 'composer'],
  ['REMIXER', 'remixer'],
  ['MIXARTIST', 'remixer'],
]);

type CueTrack = {
  line: number;
  title: string;
  artist: string | null;
  at: number | null;
  /** What comments of our own cue sheets say about the track. */
  hasNoTime: boolean;
  hasNoArtist: boolean;
  written: WrittenDetails;
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

function readComment(track: CueTrack, rest: string): void {
  if (rest === CUE_NO_TIME) track.hasNoTime = true;
  else if (rest === CUE_NO_ARTIST) track.hasNoArtist = true;
  else {
    const [word = ''] = rest.split(' ', 1);
    const name = COMMENTS.get(word.toUpperCase());
    if (name) track.written[name] ??= unquote(rest.slice(word.length));
  }
}

/** What comes before the first TRACK describes the whole mix and is ignored. */
export function parseCue(text: string): TracklistDraft {
  const draft: TracklistDraft = { chapters: [], problems: [] };
  const isRekordbox = REKORDBOX.test(text);
  const lines = splitCue(text);
  const hasTimes = hasRecordingTimes(lines);
  let track: CueTrack | null = null;
  function closeTrack() {
    if (!track) return;
    const { line, title, artist, hasNoTime, hasNoArtist } = track;
    const at = hasNoTime ? null : track.at;
    const { problems, ...about } = readDetails(line, track.written);
    draft.problems.push(...problems);
    if (!title) draft.problems.push({ line, message: 'is missing a TITLE' });
    else if (artist || hasNoArtist) draft.chapters.push({ line, at, artist, title, ...about });
    else draft.chapters.push({ line, at, ...parseNames(title), ...about });
  }
  for (const { line, keyword, rest } of lines) {
    if (keyword === 'TRACK') {
      closeTrack();
      const nothing = { title: '', artist: null, at: null, hasNoTime: false, hasNoArtist: false };
      track = { line, ...nothing, written: {} };
    } else if (!CUE_KEYWORD.test(keyword))
      draft.problems.push({ line, message: 'isn’t a line of a cue sheet' });
    else if (track && keyword === 'REM') readComment(track, rest);
    else if (track && keyword === 'TITLE') track.title = unquote(rest);
    else if (track && keyword === 'PERFORMER') track.artist = unquote(rest) || null;
    else if (track && keyword === 'ISRC') track.written.isrc = unquote(rest);
    else if (track && keyword === 'SONGWRITER') track.written.composer ??= unquote(rest);
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

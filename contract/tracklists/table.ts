import type { TracklistDraft, TracklistProblem } from '../rules/tracklist.ts';
import { readDetails, type WrittenDetail } from './file-details.ts';
import { countFromFirst, parseClock } from './clock-times.ts';
import { collapseSpaces, listLines, MAX_TRACKLIST_LINE, parseNames } from './lines.ts';

/** A row of cells, and the line it is on. */
export type Row = { line: number; cells: readonly string[] };

const listWords = (text: string): string[] => text.split(', ');

/** In the languages of the programs that write them. */
const TITLES = listWords(
  'track title, title, name, track name, song, song title, track, titel, titre, ' +
    'título, titulo, titolo, tytuł, tittel, název, cím, kappale, nome, nom, nombre, ' +
    'parça, şarkı, faixa, brano, morceau, canción, lied, название, трек, композиция, ' +
    'назва, τίτλος, タイトル, 曲名, トラックタイトル, 标题, 歌曲, 歌名, 標題, 제목, 곡명',
);
const ARTISTS = listWords(
  'artist, artists, track artist, performer, artiste, artista, interpret, künstler, ' +
    'kunstenaar, artiest, interprète, intérprete, wykonawca, umělec, előadó, esittäjä, ' +
    'artisti, sanatçı, исполнитель, артист, виконавець, καλλιτέχνης, アーティスト, 艺术家, 艺人, ' +
    '歌手, 演出者, 아티스트, 가수',
);
/** When it was played. A column `Time` is the length of the track, unless it counts from the start. */
const STARTS = listWords(
  'start time, starttime, start, time played, played at, timestamp, startzeit, ' +
    'beginn, début, heure de début, inicio, início, inizio, hora de inicio, aanvang, ' +
    'время начала, начало, початок, 開始時間, 開始, 开始时间, 시작',
);
const TIMES = listWords('time, zeit, temps, tiempo, tempo, tijd, tyd, время, час, 時間, 时间');
const OTHERS = listWords('#, no, no., nr, nr., bpm, key, album, genre, length');
/** What a report says about a recording. */
const DETAILS: readonly [WrittenDetail, string[]][] = [
  ['version', listWords('version, mix name, mix, track version, version title, subtitle')],
  ['remixer', listWords('remixer, remixers, remixed by, remix, remixeur, remezclador')],
  [
    'composer',
    listWords(
      'composer, composers, composer author, songwriter, songwriters, writer, writers, author, ' +
        'authors, komponist, compositeur, compositor, compositore, componist, композитор, 作曲者',
    ),
  ],
  ['publisher', listWords('publisher, publishers, music publisher, verlag, éditeur, editora')],
  ['label', listWords('label, record label, record company, plattenlabel, sello, レーベル')],
  ['isrc', listWords('isrc, isrc code')],
  ['iswc', listWords('iswc, iswc code')],
  ['isOwn', listWords('own production, own, own track, is own')],
  ['clearedWith', listWords('cleared with, cleared by, cleared, clearance')],
];
const ALL_NAMES = new Set([
  ...TITLES,
  ...ARTISTS,
  ...STARTS,
  ...TIMES,
  ...OTHERS,
  ...DETAILS.flatMap(([, names]) => names),
]);

const NO_COLUMNS = 'starts a table without the names of its columns: name them Title and Artist';
const MAX_QUOTED = 40;

/** There may be a title above the names of the columns. */
export const HEAD_ROWS = 5;

type Columns = {
  title: number;
  artist: number;
  start: number;
  time: number;
  details: readonly (readonly [WrittenDetail, number])[];
};

const toName = (cell: string): string =>
  cell.normalize('NFC').trim().toLowerCase().replaceAll('_', ' ');

/** `Own production?`, `Composer/Author` and `cleared-with`: signs don’t matter. */
const toPlainName = (cell: string): string =>
  toName(cell)
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** `Time Artist Title`, in one line of a list. */
export const isColumnHead = (text: string): boolean => {
  const words = text
    .split(/[\s|;,/]+/)
    .filter(Boolean)
    .map(toName);
  const hasBoth = [TITLES, ARTISTS].every((names) => words.some((word) => names.includes(word)));
  return hasBoth && words.every((word) => ALL_NAMES.has(word));
};

function findColumns({ cells }: Row): Columns | null {
  const names = cells.map(toName);
  const find = (wanted: readonly string[]) =>
    wanted.map((name) => names.indexOf(name)).find((index) => index >= 0) ?? -1;
  const plain = cells.map(toPlainName);
  const columns = {
    title: find(TITLES),
    artist: find(ARTISTS),
    start: find(STARTS),
    time: find(TIMES),
    details: DETAILS.flatMap(([name, wanted]) => {
      const index = plain.findIndex((each) => wanted.includes(each));
      return index < 0 ? [] : [[name, index] as const];
    }),
  };
  return columns.title >= 0 && columns.artist >= 0 ? columns : null;
}

export const hasColumns = (rows: readonly Row[]): boolean =>
  rows.slice(0, HEAD_ROWS).some((row) => findColumns(row) !== null);

/** Times that count from the start of the mix: the first is zero, and none is before the one above. */
function readElapsed(cells: readonly string[]): (number | null)[] | null {
  const times = cells.map((cell) => {
    const [, hours = '0', minutes, seconds] =
      /^(?:(\d{1,2}):)?(\d{1,3}):(\d{2})(?:\.\d+)?$/.exec(cell.trim()) ?? [];
    return seconds === undefined
      ? null
      : Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  });
  const known = times.filter((at) => at !== null);
  const isCounted = known.every((at, index) => at >= (known[index - 1] ?? 0));
  const isWhole = cells.every((cell, index) => cell.trim() === '' || times[index] !== null);
  return known[0] === 0 && known.length > 1 && isCounted && isWhole ? times : null;
}

/** The line under the head of a table in Markdown. */
const isRule = ({ cells }: Row): boolean =>
  cells.some((cell) => cell.includes('-')) && cells.every((cell) => /^\s*:?-*:?\s*$/.test(cell));

/** Reads a table whose columns have the names that DJ programs give them. */
export function readTable(rows: readonly Row[]): TracklistDraft {
  const head = rows.slice(0, HEAD_ROWS).findIndex((row) => findColumns(row) !== null);
  const columns = rows[head] && findColumns(rows[head]);
  const draft: TracklistDraft = { chapters: [], problems: [] };
  const isEmpty = ({ cells }: Row) => cells.every((text) => text.trim() === '');
  if (!columns) {
    const first = rows.find((row) => !isEmpty(row));
    if (first) draft.problems.push({ line: first.line, message: NO_COLUMNS });
    return draft;
  }
  for (const row of rows.slice(0, head))
    if (!isEmpty(row) && !/^sep=/i.test(row.cells[0] ?? ''))
      draft.problems.push({ line: row.line, message: 'is above the names of the columns' });
  const isSession = isSeratoSession(rows[head + 1], columns);
  const body = rows.slice(head + (isSession ? 2 : 1)).filter((row) => !isRule(row));
  const column = columns.start >= 0 ? columns.start : columns.time;
  const elapsed = readElapsed(body.map(({ cells }) => cells[column] ?? ''));
  for (const [index, row] of body.entries()) {
    const { line, cells } = row;
    const cell = (at: number) => collapseSpaces(cells[at] ?? '').slice(0, MAX_TRACKLIST_LINE);
    const [title, artist, start] = [cell(columns.title), cell(columns.artist), cell(columns.start)];
    if (isEmpty(row)) continue;
    if (!title && !artist) draft.problems.push({ line, message: 'has no title' });
    else {
      const names = title && artist ? { title, artist } : parseNames(title || artist);
      const at = elapsed ? (elapsed[index] ?? null) : parseClock(start);
      const { problems, ...about } = readDetails(
        line,
        Object.fromEntries(columns.details.map(([name, place]) => [name, cells[place]])),
      );
      draft.problems.push(...problems);
      draft.chapters.push({ line, at, ...names, ...about });
      if (start && at === null)
        draft.problems.push({
          line,
          message: `has a start time that we don’t understand: ${start.slice(0, MAX_QUOTED)}`,
        });
    }
  }
  return elapsed ? draft : { ...draft, chapters: countFromFirst(draft.chapters) };
}

type Aligned = { rows: Row[]; problems: TracklistProblem[] };

/** Columns that only spaces set apart: by the gaps, or by where the names of the columns stand. */
export function splitAligned(text: string): Aligned | null {
  const lines = [...listLines(text, (content) => content.trimEnd())];
  const split = (content: string) => content.trim().split(/\t|\s{2,}/);
  const head = lines.slice(0, HEAD_ROWS).find(({ line, content }) => {
    const cells = split(content);
    return cells.length > 1 && findColumns({ line, cells }) !== null;
  });
  if (!head) return null;
  const names = split(head.content);
  const starts = names.map((name, index) =>
    index === 0 ? 0 : head.content.indexOf(name, head.content.indexOf(names[index - 1] ?? '') + 1),
  );
  const rows: Row[] = [];
  const problems: TracklistProblem[] = [];
  for (const { line, content } of lines) {
    const cells = split(content);
    const isCut = starts.some((at) => at > 0 && /\S/.test(content.charAt(at - 1)));
    if (line <= head.line || cells.length === names.length) rows.push({ line, cells });
    else if (isCut) problems.push({ line, message: 'doesn’t fit the columns' });
    else rows.push({ line, cells: starts.map((at, n) => content.slice(at, starts[n + 1]).trim()) });
  }
  return { rows, problems };
}

/** Below the names of the columns Serato writes one row for the whole session, named by its date. */
const isSeratoSession = (row: Row | undefined, { title, artist }: Columns): boolean =>
  row !== undefined &&
  !row.cells[artist]?.trim() &&
  /^\d{1,4}[./-]\d{1,2}[./-]\d{1,4}/.test(row.cells[title]?.trim() ?? '');

import {
  collapseSpaces,
  MAX_TRACKLIST_LINE,
  parseNames,
  type TracklistDraft,
} from '../rules/tracklist.ts';
import { countFromFirst, parseClock } from './clock-times.ts';

/** A row of cells, and the line it is on. */
export type Row = { line: number; cells: readonly string[] };

const TITLES = ['track title', 'title', 'name', 'track name', 'song'];
const ARTISTS = ['artist', 'artists', 'track artist'];
/** When it was played. A column `Time` is the length of the track. */
const STARTS = ['start time', 'starttime', 'start', 'time played', 'played at', 'timestamp'];

const NO_COLUMNS = 'starts a table without the names of its columns: name them Title and Artist';
const MAX_QUOTED = 40;

/** There may be a title above the names of the columns. */
export const HEAD_ROWS = 5;

type Columns = { title: number; artist: number; start: number };

function findColumns({ cells }: Row): Columns | null {
  const names = cells.map((cell) => cell.trim().toLowerCase().replaceAll('_', ' '));
  const find = (wanted: readonly string[]) =>
    wanted.map((name) => names.indexOf(name)).find((index) => index >= 0) ?? -1;
  const columns = { title: find(TITLES), artist: find(ARTISTS), start: find(STARTS) };
  return columns.title >= 0 && columns.artist >= 0 ? columns : null;
}

export const hasColumns = (rows: readonly Row[]): boolean =>
  rows.slice(0, HEAD_ROWS).some((row) => findColumns(row) !== null);

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
  for (const row of rows.slice(head + (isSession ? 2 : 1))) {
    const { line, cells } = row;
    const cell = (index: number) => collapseSpaces(cells[index] ?? '').slice(0, MAX_TRACKLIST_LINE);
    const [title, artist, start] = [cell(columns.title), cell(columns.artist), cell(columns.start)];
    if (isEmpty(row)) continue;
    if (!title && !artist) draft.problems.push({ line, message: 'has no title' });
    else {
      const names = title && artist ? { title, artist } : parseNames(title || artist);
      const at = parseClock(start);
      draft.chapters.push({ line, at, ...names });
      if (start && at === null)
        draft.problems.push({
          line,
          message: `has a start time that we don’t understand: ${start.slice(0, MAX_QUOTED)}`,
        });
    }
  }
  return { ...draft, chapters: countFromFirst(draft.chapters) };
}

/** Below the names of the columns Serato writes one row for the whole session, named by its date. */
const isSeratoSession = (row: Row | undefined, { title, artist }: Columns): boolean =>
  row !== undefined &&
  !row.cells[artist]?.trim() &&
  /^\d{1,4}[./-]\d{1,2}[./-]\d{1,4}/.test(row.cells[title]?.trim() ?? '');

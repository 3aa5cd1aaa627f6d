import type { TrackEntry } from '#contract/admin/recordings.ts';
import { findGaps, RecordingDetails, type Gap } from '#contract/tracklists/recording.ts';
import { splitCsv } from '#contract/tracklists/split-csv.ts';

/** The fields that are typed in the table, in the order of its columns. */
export const FIELDS = [
  'version',
  'composer',
  'publisher',
  'label',
  'isrc',
  'iswc',
  'isOwn',
  'clearedWith',
] as const;
export type FieldName = (typeof FIELDS)[number];

/** What the tracklist says. It is shown before the fields and typed elsewhere. */
const READ_ONLY = ['at', 'artist', 'title'] as const;
export const COLUMNS = [...READ_ONLY, ...FIELDS] as const;
export type ColumnName = (typeof COLUMNS)[number];

export const FIRST_FIELD = READ_ONLY.length;

export const findField = (column: number): FieldName | undefined => FIELDS[column - FIRST_FIELD];

/** What is typed about an entry, with its mistakes. */
export type Row = {
  recordingId: string | null;
  /** Of the recording, when it was read. */
  updatedAt: number | null;
  /** It becomes a recording of its own, that other mixes don't share. */
  isSeparate: boolean;
  values: Record<FieldName, string>;
};

const OWN = 'Yes';

export const toValues = (details: RecordingDetails): Row['values'] => ({
  version: details.version ?? '',
  composer: details.composer ?? '',
  publisher: details.publisher ?? '',
  label: details.label ?? '',
  isrc: details.isrc ?? '',
  iswc: details.iswc ?? '',
  isOwn: details.isOwn ? OWN : '',
  clearedWith: details.clearedWith ?? '',
});

export const toRow = ({ recordingId, updatedAt, details }: TrackEntry): Row => ({
  recordingId,
  updatedAt,
  isSeparate: false,
  values: toValues(details),
});

/** As spreadsheets in a few languages write a box that is ticked, and one that isn't. */
const YES = /^(?:yes|y|true|1|x|✓|✔|ja|oui|sí|si|sim)$/i;
const NO = /^(?:no|n|false|0|-|–|nee|nein|non|não)?$/i;

/** A cell holds one line. Yes and no have one spelling; anything else stays as typed, to be corrected. */
export function cleanValue(field: FieldName, text: string): string {
  const line = text.replace(/[\p{Cc}\s]+/gu, ' ').trim();
  if (field !== 'isOwn') return line;
  if (YES.test(line)) return OWN;
  return NO.test(line) ? '' : line;
}

type Parsed = Pick<Line, 'details' | 'errors'>;

/** What can be saved of a row. A field with an error counts as empty. */
export function parseRow({ values }: Pick<Row, 'values'>): Parsed {
  const errors: Parsed['errors'] = {};
  function parse<F extends Exclude<FieldName, 'isOwn'>>(field: F): RecordingDetails[F] | null {
    const text = values[field];
    if (text === '') return null;
    const result = RecordingDetails.shape[field].safeParse(text);
    if (result.success) return result.data;
    errors[field] = result.error.issues[0]?.message ?? 'This can’t be saved.';
    return null;
  }
  if (values.isOwn !== '' && values.isOwn !== OWN) errors.isOwn = 'Enter Yes, or leave it empty.';
  const details = {
    version: parse('version'),
    composer: parse('composer'),
    publisher: parse('publisher'),
    label: parse('label'),
    isrc: parse('isrc'),
    iswc: parse('iswc'),
    isOwn: values.isOwn === OWN,
    clearedWith: parse('clearedWith'),
  };
  return { details, errors };
}

/** An entry of the tracklist, with what is typed about it and what that lacks. */
export type Line = {
  entry: TrackEntry;
  row: Row;
  details: RecordingDetails;
  errors: Partial<Record<FieldName, string>>;
  gaps: Gap[];
};

export function readLine(entry: TrackEntry, row: Row): Line {
  const { details, errors } = parseRow(row);
  const { at, artist, title, problems } = entry;
  // Reports take the artist of the recording, also where the tracklist has none.
  const lacksArtist = problems.some(({ kind }) => kind === 'artist');
  const gaps = findGaps({ at, artist: lacksArtist ? null : (artist ?? title), details });
  return { entry, row, details, errors, gaps };
}

/** `value` is what `cleanValue` returns, or what somebody is still typing. */
export type Change = { row: number; field: FieldName; value: string };

const sharesRecording = (one: Row, other: Row): boolean =>
  one.recordingId !== null &&
  one.recordingId === other.recordingId &&
  !one.isSeparate &&
  !other.isSeparate;

/** The rows with these changes. A recording that the mix plays twice says the same in both rows. */
export function changeRows(rows: readonly Row[], changes: readonly Change[]): Row[] {
  const changed = [...rows];
  for (const { row, field, value } of changes) {
    const target = changed[row];
    if (!target) continue;
    for (const [index, each] of changed.entries())
      if ((index === row || sharesRecording(each, target)) && each.values[field] !== value)
        changed[index] = { ...each, values: { ...each.values, [field]: value } };
  }
  return changed;
}

type Suggestion = Pick<Row, 'updatedAt'> & { recordingId: string; details: RecordingDetails };

/** The row plays this recording: what was typed stays, and the rest comes from there. */
export function acceptSuggestion(
  rows: readonly Row[],
  row: number,
  { recordingId, updatedAt, details }: Suggestion,
): Row[] {
  const theirs = toValues(details);
  const linked = rows.map((each, index) =>
    index === row ? { ...each, recordingId, updatedAt, isSeparate: false } : each,
  );
  const values = rows[row]?.values ?? theirs;
  const changes = FIELDS.map((field) => ({ row, field, value: values[field] || theirs[field] }));
  return changeRows(linked, changes);
}

/** The cells of a text that was copied from a spreadsheet. */
export const splitPaste = (text: string): string[][] =>
  [...splitCsv(text.replace(/\r\n?/g, '\n'), '\t')].map(({ cells }) => cells);

type Pasted = { changes: Change[]; rowsLeft: number; columnsLeft: number };

/** Fills down and right from a cell. What the table has no row, column or field for is left out. */
export function placePaste(
  cells: readonly (readonly string[])[],
  at: Cell,
  rowCount: number,
): Pasted {
  const width = cells.reduce((widest, line) => Math.max(widest, line.length), 0);
  const changes = cells.slice(0, Math.max(0, rowCount - at.row)).flatMap((line, down) =>
    line.flatMap((text, right) => {
      const field = findField(at.column + right);
      return field ? [{ row: at.row + down, field, value: cleanValue(field, text) }] : [];
    }),
  );
  return {
    changes,
    rowsLeft: Math.max(0, at.row + cells.length - rowCount),
    columnsLeft: Math.max(0, at.column + width - COLUMNS.length),
  };
}

export type Cell = { row: number; column: number };

type Key = { key: string; ctrlKey: boolean; metaKey: boolean; shiftKey: boolean };

const PAGE_ROWS = 10;

const clamp = (value: number, count: number): number => Math.max(0, Math.min(count - 1, value));

/** The next cell in reading order; null past the last one, where Tab leaves the table. */
function stepCell({ row, column }: Cell, by: 1 | -1, rowCount: number): Cell | null {
  const next = row * COLUMNS.length + column + by;
  if (next < 0 || next >= rowCount * COLUMNS.length) return null;
  return { row: Math.floor(next / COLUMNS.length), column: next % COLUMNS.length };
}

/** Where a key leads from a cell, as in a spreadsheet; null if it leads nowhere. */
export function moveCell(cell: Cell, key: Key, rowCount: number): Cell | null {
  const { row, column } = cell;
  const isJump = key.ctrlKey || key.metaKey;
  const rows = isJump ? rowCount : 1;
  const columns = isJump ? COLUMNS.length : 1;
  const to = (nextRow: number, nextColumn: number): Cell => ({
    row: clamp(nextRow, rowCount),
    column: clamp(nextColumn, COLUMNS.length),
  });
  if (rowCount === 0) return null;
  switch (key.key) {
    case 'ArrowUp':
      return to(row - rows, column);
    case 'ArrowDown':
      return to(row + rows, column);
    case 'ArrowLeft':
      return to(row, column - columns);
    case 'ArrowRight':
      return to(row, column + columns);
    case 'PageUp':
      return to(row - PAGE_ROWS, column);
    case 'PageDown':
      return to(row + PAGE_ROWS, column);
    case 'Home':
      return to(isJump ? 0 : row, 0);
    case 'End':
      return to(isJump ? rowCount : row, COLUMNS.length);
    case 'Enter':
      return to(row + (key.shiftKey ? -1 : 1), column);
    case 'Tab':
      return isJump ? null : stepCell(cell, key.shiftKey ? -1 : 1, rowCount);
    default:
      return null;
  }
}

/** The first field after a cell, in reading order and then from the start, of which this is true. */
export function findNextField(
  from: Cell,
  rowCount: number,
  isWanted: (row: number, field: FieldName) => boolean,
): Cell | null {
  const count = rowCount * COLUMNS.length;
  const start = from.row * COLUMNS.length + from.column;
  for (let step = 1; step <= count; step += 1) {
    const at = (start + step) % count;
    const cell = { row: Math.floor(at / COLUMNS.length), column: at % COLUMNS.length };
    const field = findField(cell.column);
    if (field && isWanted(cell.row, field)) return cell;
  }
  return null;
}

/** The rows, and those before and after them for undo and redo. */
export type Sheet = {
  rows: Row[];
  done: Row[][];
  undone: Row[][];
  /** The field that is being typed: all of it is one step. */
  typing: string | null;
};

export const nameTyping = (row: number, field: FieldName): string => `${row} ${field}`;

const MAX_UNDOS = 200;

export const openSheet = (rows: Row[]): Sheet => ({ rows, done: [], undone: [], typing: null });

const isSameRow = (one: Row, other: Row | undefined): boolean =>
  one === other || JSON.stringify(one) === JSON.stringify(other);

export const isSame = (one: readonly Row[], other: readonly Row[]): boolean =>
  one.length === other.length && one.every((row, index) => isSameRow(row, other[index]));

/** One step for undo, however many cells it changes. */
export function change(sheet: Sheet, rows: Row[], typing: string | null = null): Sheet {
  if (isSame(sheet.rows, rows)) return sheet;
  if (typing !== null && typing === sheet.typing) return { ...sheet, rows };
  return { rows, done: [...sheet.done, sheet.rows].slice(-MAX_UNDOS), undone: [], typing };
}

/** What was typed into the field is complete. */
export const endTyping = (sheet: Sheet): Sheet =>
  sheet.typing === null ? sheet : { ...sheet, typing: null };

export function undo({ rows, done, undone }: Sheet): Sheet {
  const before = done.at(-1);
  if (!before) return { rows, done, undone, typing: null };
  return { rows: before, done: done.slice(0, -1), undone: [...undone, rows], typing: null };
}

export function redo({ rows, done, undone }: Sheet): Sheet {
  const after = undone.at(-1);
  if (!after) return { rows, done, undone, typing: null };
  return { rows: after, done: [...done, rows], undone: undone.slice(0, -1), typing: null };
}

/** The first cell in which two lists of rows differ, to move there after an undo. */
export function findFirstChange(before: readonly Row[], after: readonly Row[]): Cell | null {
  for (const [row, { values }] of after.entries()) {
    const field = FIELDS.findIndex((name) => values[name] !== before[row]?.values[name]);
    if (field >= 0) return { row, column: FIRST_FIELD + field };
  }
  return null;
}

type Named = { artist: string | null; title: string };

/** Names an entry also after the tracklist changed: by its names, and which of those it is. */
export function listKeys(entries: readonly Named[]): string[] {
  const counts = new Map<string, number>();
  return entries.map(({ artist, title }) => {
    const names = JSON.stringify([artist, title]);
    const count = (counts.get(names) ?? 0) + 1;
    counts.set(names, count);
    return `${names}#${count}`;
  });
}

type Side = { keys: readonly string[]; rows: readonly Row[] };

/** A field in which they saved something else than what was typed here. */
type Clash = { row: number; field: FieldName; theirs: string };

/**
 * After someone else changed the tracklist: their rows with what was typed here, the fields that both
 * changed, and the keys of the entries that are gone with something typed.
 */
export function rebaseRows(
  before: Side,
  typed: readonly Row[],
  theirs: Side,
): { rows: Row[]; clashes: Clash[]; lost: string[] } {
  const clashes: Clash[] = [];
  const edits = new Map<string, { from: Row; to: Row }>();
  for (const [index, key] of before.keys.entries()) {
    const [from, to] = [before.rows[index], typed[index]];
    if (from && to && !isSameRow(from, to)) edits.set(key, { from, to });
  }
  const rows = theirs.rows.map((row, index) => {
    const edit = edits.get(theirs.keys[index] ?? '');
    if (!edit) return row;
    const { from, to } = edit;
    const isLinked = from.recordingId !== to.recordingId;
    const values = { ...row.values };
    for (const field of FIELDS) {
      const [was, is, other] = [from.values[field], to.values[field], row.values[field]];
      if (was === is) continue;
      if (other !== was && other !== is) clashes.push({ row: index, field, theirs: other });
      values[field] = is;
    }
    return {
      values,
      recordingId: isLinked ? to.recordingId : row.recordingId,
      updatedAt: isLinked ? to.updatedAt : row.updatedAt,
      isSeparate: to.isSeparate,
    };
  });
  const kept = new Set(theirs.keys);
  return { rows, clashes, lost: [...edits.keys()].filter((key) => !kept.has(key)) };
}

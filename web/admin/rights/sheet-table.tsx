import {
  memo,
  useId,
  useState,
  type ClipboardEvent,
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
} from 'react';
import { flushSync } from 'react-dom';
import type { TrackEntry } from '#contract/admin/recordings.ts';
import { formatDuration } from '#contract/rules/time.ts';
import { MAX_TRACKLIST_BYTES } from '#contract/tracklists/tracklist-files.ts';
import { MAX_DETAIL, type Gap } from '#contract/tracklists/recording.ts';
import {
  cleanValue,
  COLUMNS,
  findField,
  moveCell,
  placePaste,
  splitPaste,
  type Cell,
  type Change,
  type ColumnName,
  readLine,
  type FieldName,
  type Line,
  type Row,
} from './sheet.ts';
import { COLUMN_LABELS, listSharing } from './words.ts';

/** The focus is what says which cell is the current one. */
export const focusCell = (table: HTMLTableElement | null, { row, column }: Cell): void =>
  table?.tBodies[0]?.rows[row]?.cells[column]?.focus();

const WIDTHS: Record<ColumnName, string> = {
  at: 'min-w-16',
  artist: 'min-w-32',
  title: 'min-w-44',
  version: 'min-w-32',
  composer: 'min-w-40',
  publisher: 'min-w-36',
  label: 'min-w-32',
  isrc: 'min-w-32',
  iswc: 'min-w-28',
  isOwn: 'min-w-16',
  clearedWith: 'min-w-44',
};

/** The title stays in view beside the fields. */
const stickyClass = (column: ColumnName): string =>
  column === 'title' ? 'sticky left-0 z-1 bg-surface' : '';

type SheetTableProps = {
  label: string;
  table: RefObject<HTMLTableElement | null>;
  lines: readonly Line[];
  cell: Cell;
  onCell: (cell: Cell) => void;
  onChanges: (changes: Change[]) => void;
  onPasted: (text: string) => void;
  /** What is typed in the open cell, until it is written or given up. */
  onDraft: (draft: Change | null) => void;
  onUndo: () => void;
  onRedo: () => void;
  /** With what was typed last. */
  onNextGap: (typed: Change[]) => void;
  /** Escape, outside of a field that is edited. */
  onLeave: () => void;
};

/** Typing has replaced the text, or it is edited as it was. */
type Editing = Cell & { text: string; isReplaced: boolean };

/**
 * The entries of a mix as a spreadsheet: one tab stop, and keys that lead from cell to cell. All keys
 * stay here, because outside they are shortcuts of the player.
 */
export function SheetTable(props: SheetTableProps) {
  const { label, table, lines, cell, onCell, onChanges } = props;
  const [editing, setEditing] = useState<Editing | null>(null);
  const helpId = useId();

  const findCell = (target: EventTarget): Cell | null => {
    const element = target instanceof Element ? target.closest('td, tbody th') : null;
    const line = element?.parentElement;
    if (!(element instanceof HTMLTableCellElement) || !(line instanceof HTMLTableRowElement))
      return null;
    return { row: line.sectionRowIndex, column: element.cellIndex };
  };
  const valueAt = ({ row, column }: Cell): string => {
    const field = findField(column);
    const line = lines[row];
    if (!line) return '';
    return field ? line.row.values[field] : readEntry(line.entry, COLUMNS[column]);
  };
  const focus = (to: Cell) => focusCell(table.current, to);

  const toChange = ({ row, column }: Cell, text: string): Change[] => {
    const field = findField(column);
    return field ? [{ row, field, value: cleanValue(field, text) }] : [];
  };

  /** The input is gone afterwards, so the focus needs a cell. */
  function close(isKept: boolean): Change[] {
    const text = table.current?.querySelector<HTMLInputElement>('tbody input')?.value;
    flushSync(() => {
      setEditing(null);
      props.onDraft(null);
    });
    // The tracklist may have been read again below a field in which nothing was typed.
    const isTyped = editing !== null && (editing.isReplaced || text !== editing.text);
    const changes = isKept && isTyped && text !== undefined ? toChange(editing, text) : [];
    if (changes.length > 0) onChanges(changes);
    return changes;
  }
  function open(at: Cell, isReplaced: boolean) {
    const field = findField(at.column);
    if (!field) return;
    if (field === 'isOwn' && !isReplaced)
      return onChanges(toChange(at, valueAt(at) === 'Yes' ? '' : 'Yes'));
    // The key that is being pressed then types into the field.
    flushSync(() => setEditing({ ...at, text: isReplaced ? '' : valueAt(at), isReplaced }));
  }
  function move(event: KeyboardEvent, from: Cell) {
    const to = moveCell(from, event, lines.length);
    if (!to) return false;
    event.preventDefault();
    focus(to);
    return true;
  }
  function onEditKey(event: KeyboardEvent, at: Editing) {
    const { key } = event;
    if (key === 'Escape') {
      event.preventDefault();
      close(false);
      focus(at);
    } else if (key === 'Enter' || key === 'Tab' || isLeavingKey(key, at)) {
      close(true);
      focus(at);
      move(event, at);
    } else if (key === 'F8') {
      event.preventDefault();
      const typed = close(true);
      focus(at);
      props.onNextGap(typed);
    }
  }
  function onCellKey(event: KeyboardEvent, at: Cell) {
    const { key } = event;
    const isChord = event.ctrlKey || event.metaKey;
    const isEditable = findField(at.column) !== undefined;
    if (isChord && key.toLowerCase() === 'z') {
      event.preventDefault();
      if (event.shiftKey) props.onRedo();
      else props.onUndo();
    } else if (isChord && key.toLowerCase() === 'y') {
      event.preventDefault();
      props.onRedo();
    } else if (key === 'F8') {
      event.preventDefault();
      props.onNextGap([]);
    } else if (key === 'Escape') {
      event.preventDefault();
      props.onLeave();
    } else if ((key === 'Delete' || key === 'Backspace') && isEditable) {
      event.preventDefault();
      onChanges(toChange(at, ''));
    } else if ((key === 'Enter' && !event.shiftKey && isEditable) || key === 'F2') {
      event.preventDefault();
      open(at, false);
    } else if (key === ' ' && COLUMNS[at.column] === 'isOwn') {
      event.preventDefault();
      open(at, false);
    } else if (isTypingKey(event)) open(at, true);
    else move(event, at);
  }
  function onKeyDown(event: KeyboardEvent) {
    const at = findCell(event.target);
    // An input method is composing: its keys aren't ours.
    if (!at || event.nativeEvent.isComposing) return;
    event.stopPropagation();
    if (editing) onEditKey(event, editing);
    else onCellKey(event, at);
  }
  function onPaste(event: ClipboardEvent) {
    const text = event.clipboardData.getData('text/plain');
    if (text.length > MAX_TRACKLIST_BYTES) {
      event.preventDefault();
      return props.onPasted('That is too much to paste. Copy only the rows of this mix.');
    }
    const cells = splitPaste(text);
    const isOneCell = cells.length === 1 && cells[0]?.length === 1;
    if (cells.length === 0 || (editing && isOneCell)) return;
    event.preventDefault();
    if (editing) {
      close(false);
      focus(editing);
    }
    const { changes, rowsLeft, columnsLeft } = placePaste(cells, editing ?? cell, lines.length);
    onChanges(changes);
    props.onPasted(describePaste(changes.length, rowsLeft, columnsLeft));
  }
  function onCopy(event: ClipboardEvent) {
    if (editing) return;
    event.preventDefault();
    event.clipboardData.setData('text/plain', valueAt(cell));
  }
  const onFocus = ({ target }: FocusEvent) => {
    const at = findCell(target);
    if (at && (at.row !== cell.row || at.column !== cell.column)) onCell(at);
  };
  const onMouseDown = ({ target }: MouseEvent) => {
    const at = findCell(target);
    if (!at || editing) return;
    // A second press on the same cell edits it.
    if (document.activeElement === table.current?.tBodies[0]?.rows[at.row]?.cells[at.column])
      requestAnimationFrame(() => open(at, false));
  };
  return (
    <div className="flex flex-col gap-2">
      <div className="relative max-h-[66vh] overflow-auto rounded-panel bg-surface [scroll-padding:2.5rem_0.5rem_0.5rem_12rem]">
        <table
          ref={table}
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- keys lead through its cells
          role="grid"
          aria-label={label}
          aria-describedby={helpId}
          aria-rowcount={lines.length + 1}
          aria-colcount={COLUMNS.length}
          className="w-full border-separate border-spacing-0 text-13 tabular-nums"
          onKeyDown={onKeyDown}
          onPaste={onPaste}
          onCopy={onCopy}
          onFocus={onFocus}
          onMouseDown={onMouseDown}
          onInput={({ target }) => {
            const [draft = null] =
              editing && target instanceof HTMLInputElement ? toChange(editing, target.value) : [];
            props.onDraft(draft);
          }}
          onBlur={({ target }) => {
            // Somebody who looks something up in another window comes back to this field.
            if (!document.hasFocus()) return;
            if (editing && target instanceof HTMLInputElement) close(true);
          }}
        >
          <thead>
            <tr>
              {COLUMNS.map((column) => (
                <th
                  key={column}
                  scope="col"
                  className={`sticky top-0 z-2 bg-surface px-2 py-2.5 text-left font-medium text-text-3 ${WIDTHS[column]} ${column === 'title' ? 'left-0 z-3' : ''}`}
                >
                  {COLUMN_LABELS[column]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {lines.map(({ entry, row }, index) => {
              const isEdited = editing?.row === index;
              return (
                <SheetRow
                  key={index}
                  entry={entry}
                  row={row}
                  activeColumn={cell.row === index ? cell.column : null}
                  editedColumn={isEdited ? editing.column : null}
                  text={isEdited ? editing.text : ''}
                />
              );
            })}
          </tbody>
        </table>
      </div>
      <p id={helpId} className="text-13 text-text-3">
        Arrow keys and Tab move. Typing replaces, Enter or F2 edits, Escape gives the old text back.
        Ctrl+V fills down and right, Ctrl+Z undoes, F8 goes to the next gap. Outside of a field,
        Escape leaves the table.
      </p>
    </div>
  );
}

/** What replaces a text can be left with the arrows, as in a spreadsheet. */
const isLeavingKey = (key: string, { isReplaced }: Editing): boolean =>
  key === 'ArrowUp' || key === 'ArrowDown'
    ? true
    : isReplaced && (key === 'PageUp' || key === 'PageDown');

/** A letter, or the first key of an input method. */
function isTypingKey({ key, ctrlKey, metaKey, altKey, ...event }: KeyboardEvent): boolean {
  const isChord = ctrlKey || metaKey || altKey;
  if (isChord && !event.nativeEvent.getModifierState('AltGraph')) return false;
  return [...key].length === 1 || key === 'Dead' || key === 'Process';
}

function describePaste(count: number, rowsLeft: number, columnsLeft: number): string {
  const left = [
    rowsLeft > 0 && `${rowsLeft} ${rowsLeft === 1 ? 'row' : 'rows'}`,
    columnsLeft > 0 && `${columnsLeft} ${columnsLeft === 1 ? 'column' : 'columns'}`,
  ].filter(Boolean);
  const pasted = `Pasted ${count} ${count === 1 ? 'cell' : 'cells'}.`;
  return left.length > 0 ? `${pasted} ${left.join(' and ')} didn’t fit.` : pasted;
}

function readEntry({ at, artist, title }: TrackEntry, column: ColumnName | undefined): string {
  if (column === 'at') return at === null ? '' : formatDuration(at);
  return column === 'artist' ? (artist ?? '') : title;
}

/** What is too long to be saved doesn’t have to be shown whole. */
const cut = (text: string): string =>
  text.length > MAX_DETAIL ? `${text.slice(0, MAX_DETAIL)}…` : text;

function focusAtEnd(input: HTMLInputElement | null) {
  if (!input) return;
  input.focus();
  input.setSelectionRange(input.value.length, input.value.length);
}

type SheetRowProps = {
  entry: TrackEntry;
  row: Row;
  activeColumn: number | null;
  editedColumn: number | null;
  text: string;
};

const toGap = (column: ColumnName): Gap | undefined =>
  column === 'at'
    ? 'time'
    : column === 'artist' ||
        column === 'composer' ||
        column === 'publisher' ||
        column === 'label' ||
        column === 'isrc'
      ? column
      : undefined;

const CELL =
  'h-12 border-t border-line px-2 py-1 text-left align-middle font-normal wrap-anywhere focus-visible:-outline-offset-2 scroll-m-2';

/** The list above the table has the whole sentence. */
const SHORT_ERRORS: Partial<Record<FieldName, string>> = {
  isrc: 'Not an ISRC',
  iswc: 'Not an ISWC',
  isOwn: 'Yes or empty',
};

/** Only the row that changes is rendered again. */
const SheetRow = memo(function SheetRow(props: SheetRowProps) {
  const { entry, row, activeColumn, editedColumn, text } = props;
  const { gaps, errors } = readLine(entry, row);
  const id = useId();
  const flags = describeFlags(entry, row, gaps);
  return (
    <tr>
      {COLUMNS.map((column, index) => {
        const tabIndex = activeColumn === index ? 0 : -1;
        const field = findField(index);
        const gap = toGap(column);
        const isMissing = gap !== undefined && gaps.includes(gap);
        const shown = field ? row.values[field] : readEntry(entry, column);
        const className = `${CELL} ${stickyClass(column)} ${field ? '' : 'text-text-2'}`;
        if (column === 'title')
          return (
            <th
              key={column}
              scope="row"
              tabIndex={tabIndex}
              aria-readonly
              className={`${className} border-r`}
            >
              <span className="block font-semibold text-text">{shown}</span>
              {flags && <span className="block text-12 text-text-3">{flags}</span>}
            </th>
          );
        const error = field && errors[field];
        return (
          <td
            key={column}
            tabIndex={tabIndex}
            {...(!field && { 'aria-readonly': true })}
            {...(error && { 'aria-invalid': true, 'aria-describedby': `${id}-${column}` })}
            className={`${className} ${error ? 'bg-raised shadow-[inset_0_0_0_1px_var(--danger)]' : ''}`}
          >
            {editedColumn === index ? (
              <input
                ref={focusAtEnd}
                aria-label={`${COLUMN_LABELS[column]} of ${entry.title}`}
                {...(error && { 'aria-invalid': true, 'aria-describedby': `${id}-${column}` })}
                defaultValue={text}
                autoComplete="off"
                spellCheck={false}
                className="-mx-1 h-9 w-[calc(100%+0.5rem)] rounded-[4px] bg-bg px-1 text-13 focus-visible:outline-offset-0"
              />
            ) : (
              cut(shown) ||
              (isMissing && (
                <span className="text-text-3">
                  <span aria-hidden>–</span>
                  <span className="sr-only">missing</span>
                </span>
              ))
            )}
            {error && (
              <>
                <span className="block text-12 text-danger">
                  {SHORT_ERRORS[field] ?? 'Too long'}
                </span>
                <span id={`${id}-${column}`} hidden>
                  {error}
                </span>
              </>
            )}
          </td>
        );
      })}
    </tr>
  );
});

/** `In 4 mixes · 3 missing` */
function describeFlags(entry: TrackEntry, row: Row, gaps: readonly Gap[]): string {
  const isShared = entry.otherTracks > 0 && !row.isSeparate;
  const isSuggested = entry.suggestion !== null && row.recordingId === null;
  return [
    isShared && `In ${entry.otherTracks + 1} mixes`,
    row.isSeparate && 'This mix only',
    isSuggested && 'Suggestion',
    listSharing(entry.problems).length > 0 && 'Same ISRC as another',
    gaps.length > 0 && `${gaps.length} missing`,
  ]
    .filter(Boolean)
    .join(' · ');
}

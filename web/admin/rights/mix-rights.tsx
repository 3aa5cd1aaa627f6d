import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { Link, useParams } from 'wouter';
import type { TrackRecordings } from '#contract/admin/recordings.ts';
import { ApiError } from '#web/lib/api/api.ts';
import { formatCount } from '#web/lib/format/format.ts';
import { showToast } from '#web/lib/store/toasts.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Form } from '#web/ui/forms/form.tsx';
import { useUnsavedChanges } from '#web/ui/forms/unsaved-changes.tsx';
import { Loaded } from '#web/ui/loaded.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { useIsWide } from '#web/ui/use-is-wide.ts';
import { AdminFrame } from '../admin-frame.tsx';
import { LeadSkeleton, ListSkeleton } from '../admin-skeletons.tsx';
import { refreshRecordings, saveTrackRecordings, trackRecordingsQuery } from './api.ts';
import { EntryAbout } from './entry-about.tsx';
import { EntryCards } from './entry-cards.tsx';
import { ReadFile } from './file-dialog.tsx';
import { focusCell, SheetTable } from './sheet-table.tsx';
import {
  acceptSuggestion,
  change,
  changeRows,
  COLUMNS,
  endTyping,
  FIELDS,
  findFirstChange,
  findNextField,
  FIRST_FIELD,
  listKeys,
  nameTyping,
  isSame,
  openSheet,
  readLine,
  rebaseRows,
  redo,
  toRow,
  undo,
  type Cell,
  type Change,
  type FieldName,
  type Line,
  type Row,
  type Sheet,
} from './sheet.ts';
import { COLUMN_LABELS, describeProgress, formatNames } from './words.ts';

const toSide = ({ entries }: TrackRecordings) => ({
  keys: listKeys(entries),
  rows: entries.map(toRow),
});

/** What is kept on this device while it isn't saved: each row under the name of its entry. */
const toForm = (keys: readonly string[], rows: readonly Row[]): Record<string, Row> =>
  Object.fromEntries(rows.map((row, index) => [keys[index] ?? '', row]));

const MISSING = { title: 'Mix not found', text: 'There’s no mix with this ID.' };

export function Page() {
  const { id = '' } = useParams();
  const query = useQuery(trackRecordingsQuery(id));
  const { data: track, error } = query;
  return (
    <AdminFrame
      title="What was played"
      lead={
        track ? (
          <>
            <Link href={`/admin/tracks/edit/${id}`} className="underline underline-offset-4">
              {track.title}
            </Link>
            , week {track.week}, {track.year}. For reports to collecting societies: listeners see
            the time, artist and title only.
          </>
        ) : (
          !error && <LeadSkeleton />
        )
      }
    >
      <Loaded
        query={query}
        failed="Couldn’t load this tracklist."
        missing={MISSING}
        skeleton={<ListSkeleton />}
      >
        {(loaded) =>
          loaded.entries.length === 0 ? (
            <EmptyState
              glyph="nothing"
              title="No tracklist yet"
              text="Add the tracks of this mix first. A file of a DJ program may bring their ISRCs along."
              link={{ href: `/admin/tracks/edit/${id}`, label: 'Edit mix' }}
            />
          ) : (
            <MixRights key={id} id={id} loaded={loaded} />
          )
        }
      </Loaded>
    </AdminFrame>
  );
}

const listMistakes = (lines: readonly Line[]) =>
  lines.flatMap(({ entry, errors }, row) =>
    FIELDS.flatMap((field) => {
      const message = errors[field];
      return message ? [{ row, field, message, title: entry.title }] : [];
    }),
  );

/** A field in which somebody is still typing isn’t wrong yet. */
function hideTyped(lines: readonly Line[], typing: string | null): Line[] {
  return lines.map((line, row) => {
    const field = FIELDS.find((name) => typing === nameTyping(row, name));
    return field ? { ...line, errors: { ...line.errors, [field]: undefined } } : line;
  });
}

type Changed = { edits: number; clashes: string[]; lost: string[] };

function MixRights({ id, loaded }: { id: string; loaded: TrackRecordings }) {
  const client = useQueryClient();
  const isWide = useIsWide();
  const table = useRef<HTMLTableElement>(null);
  const about = useRef<HTMLElement>(null);
  // Someone else may save meanwhile: what was read stays until this is saved or refused.
  const [base, setBase] = useState(loaded);
  const [sheet, setSheet] = useState(() => openSheet(base.entries.map(toRow)));
  // What is typed in an open cell is unsaved, too.
  const [draft, setDraft] = useState<Change | null>(null);
  const [cell, setCell] = useState<Cell>({ row: 0, column: FIRST_FIELD });
  const [open, setOpen] = useState<number | null>(null);
  const [said, setSaid] = useState('');
  const [changed, setChanged] = useState<Changed | null>(null);
  const { entries } = base;
  const { rows } = sheet;
  // As it is now, for what waits for an answer while somebody goes on typing.
  const latest = useRef(rows);
  useEffect(() => {
    latest.current = rows;
  }, [rows]);
  const before = useMemo(() => toSide(base), [base]);
  const unsaved = useUnsavedChanges({
    name: `track-recordings/${id}`,
    form: toForm(before.keys, draft ? changeRows(rows, [draft]) : rows),
    before: toForm(before.keys, before.rows),
    onRestore: (kept) =>
      update((all) =>
        all.map((row, index) => {
          const found = kept[before.keys[index] ?? ''];
          return found ? { ...row, ...found, values: { ...row.values, ...found.values } } : row;
        }),
      ),
  });

  // Until something is typed, this shows what others save.
  const [seen, setSeen] = useState(loaded);
  if (seen !== loaded) {
    setSeen(loaded);
    if (draft === null && isSame(rows, before.rows)) show(loaded);
  }
  // A tablet that is turned takes the table away, with the cell that is open in it.
  if (draft && !isWide) {
    setDraft(null);
    update((all) => changeRows(all, [draft]));
  }
  const lines = useMemo(
    () => entries.map((entry, index) => readLine(entry, rows[index] ?? toRow(entry))),
    [entries, rows],
  );
  const settled = hideTyped(lines, sheet.typing);
  const mistakes = listMistakes(settled);
  const complete = lines.filter(({ gaps }) => gaps.length === 0).length;
  const suggested = lines.flatMap(({ entry: { suggestion }, row: { recordingId } }, row) =>
    suggestion && recordingId === null ? [{ row, suggestion }] : [],
  );

  function show(current: TrackRecordings, shown = current.entries.map(toRow)) {
    setBase(current);
    setSheet(openSheet(shown));
    // The tracklist may be shorter now.
    setCell(({ row, column }) => ({ row: Math.min(row, shown.length - 1), column }));
  }
  function update(edit: (rows: readonly Row[]) => Row[], typing: string | null = null) {
    setSheet((now) => change(now, edit(now.rows), typing));
  }
  function goTo(to: Cell) {
    setCell(to);
    if (isWide) return focusCell(table.current, to);
    setOpen(to.row);
    // The form of this entry renders first.
    requestAnimationFrame(() => {
      const name = COLUMNS[to.column];
      document.querySelector<HTMLElement>(`[role=group] [name="${name}"]`)?.focus();
    });
  }
  function step(run: (sheet: Sheet) => Sheet, word: string) {
    const next = run(sheet);
    const at = findFirstChange(rows, next.rows);
    setSheet(next);
    setSaid(next.rows === rows ? `Nothing to ${word}.` : '');
    if (at) goTo(at);
  }
  function goToGap(typed: readonly Change[] = []) {
    const filled = changeRows(rows, typed);
    const isGap = (row: number, field: FieldName): boolean => {
      const [entry, now] = [entries[row], filled[row]];
      return entry && now ? readLine(entry, now).gaps.some((gap) => gap === field) : false;
    };
    const next = findNextField(cell, rows.length, isGap);
    if (next) goTo(next);
    else setSaid('No gaps left in these fields.');
  }
  const toCell = (row: number, field: FieldName): Cell => ({
    row,
    column: FIRST_FIELD + FIELDS.indexOf(field),
  });

  /** What was typed goes on with their tracklist. */
  async function rebase() {
    const theirs = await client.fetchQuery(trackRecordingsQuery(id));
    if (!theirs) return;
    const { rows: merged, clashes, lost } = rebaseRows(before, latest.current, toSide(theirs));
    const edits = theirs.entries.filter(
      (entry, index) => !isSame([toRow(entry)], merged.slice(index, index + 1)),
    ).length;
    show(theirs, merged);
    const gone = entries.filter((_, index) => lost.includes(before.keys[index] ?? ''));
    setChanged({
      edits,
      clashes: clashes.map(
        ({ row, field, theirs: other }) =>
          `${COLUMN_LABELS[field]} of ${theirs.entries[row]?.title}, which is now ${other === '' ? 'empty' : `“${other}”`}`,
      ),
      lost: gone.map(formatNames),
    });
  }
  async function save() {
    try {
      const saved = await saveTrackRecordings(id, {
        version: base.version,
        entries: lines.map(({ row: { recordingId, updatedAt, isSeparate }, details }) => ({
          recordingId,
          updatedAt,
          details,
          ...(isSeparate && { isSeparate }),
        })),
      });
      const sent = { keys: before.keys, rows };
      setChanged(null);
      show(saved, rebaseRows(sent, latest.current, toSide(saved)).rows);
      if (latest.current === rows) unsaved.clear();
      client.setQueryData(trackRecordingsQuery(id).queryKey, saved);
      showToast({ title: 'Saved' });
      await refreshRecordings(client);
    } catch (error) {
      const isConflict = error instanceof ApiError && error.status === 409;
      if (!isConflict) throw error;
      await rebase();
    }
  }
  const current = lines[cell.row];
  const accept = (row: number) => {
    const suggestion = entries[row]?.suggestion;
    if (suggestion) update((all) => acceptSuggestion(all, row, suggestion));
  };
  const separate = (row: number, isSeparate: boolean) =>
    update((all) => all.map((each, index) => (index === row ? { ...each, isSeparate } : each)));
  return (
    <Form
      className="flex flex-col gap-5"
      notice={unsaved.notice}
      submitLabel="Save changes"
      busyLabel="Saving…"
      button={{ className: 'self-start' }}
      parse={() => {
        const all = listMistakes(lines);
        const [first] = all;
        if (!first) return { data: null };
        setSheet(endTyping);
        goTo(toCell(first.row, first.field));
        return {
          errors: { form: `Not saved: correct ${formatCount(all.length, 'field')} first.` },
        };
      }}
      onSubmit={save}
      failed="Couldn’t save this."
    >
      {changed && (
        <Notice
          tone="warning"
          title="Someone else changed this tracklist meanwhile. Nothing was saved yet."
        >
          {changed.edits > 0
            ? `What you typed is still here, in ${formatCount(changed.edits, 'track')}. Check it, then save again.`
            : 'This is how it is now.'}
          {changed.clashes.length > 0 &&
            ` Saving replaces what they entered as ${changed.clashes.join('; ')}.`}
          {changed.lost.length > 0 &&
            ` No longer in the tracklist, with what you typed: ${changed.lost.join('; ')}.`}
        </Notice>
      )}
      {mistakes.length > 0 && (
        <section aria-label="To correct" className="rounded-panel bg-raised px-4 py-3.5">
          <p className="font-semibold">
            {formatCount(mistakes.length, 'field')} to correct before this can be saved
          </p>
          <ul className="mt-1 flex flex-col">
            {mistakes.map(({ row, field, message, title }) => (
              <li key={`${row} ${field}`} className="text-13 text-text-2">
                <button
                  type="button"
                  className="min-h-11 text-left wrap-anywhere underline underline-offset-4 md:min-h-8"
                  onClick={() => goTo(toCell(row, field))}
                >
                  {COLUMN_LABELS[field]} of {title}
                </button>
                : {message}
              </li>
            ))}
          </ul>
        </section>
      )}
      <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
        <p role="status" className="mr-auto min-w-48 flex-1 text-text-2">
          {describeProgress(complete, entries.length)} {said}
        </p>
        <div className="flex flex-wrap gap-2">
          <Button size="sm" variant="line" onClick={() => goToGap()}>
            Next gap
          </Button>
          <ReadFile
            entries={entries}
            rows={rows}
            onFill={(changes) => {
              update((all) => changeRows(all, changes));
              setSaid(`Filled ${formatCount(changes.length, 'field')} from the file.`);
            }}
          />
          {suggested.length > 0 && (
            <Button
              size="sm"
              variant="line"
              onClick={() => {
                update((all) =>
                  suggested.reduce<Row[]>(
                    (filled, { row, suggestion }) => acceptSuggestion(filled, row, suggestion),
                    [...all],
                  ),
                );
                setSaid(`Used ${formatCount(suggested.length, 'suggestion')}.`);
              }}
            >
              Use {formatCount(suggested.length, 'suggestion')}
            </Button>
          )}
          <Button
            size="sm"
            variant="line"
            aria-disabled={sheet.done.length === 0}
            onClick={() => step(undo, 'undo')}
          >
            Undo
          </Button>
        </div>
      </div>
      {isWide ? (
        <>
          <SheetTable
            label={`Tracks of ${base.title}`}
            table={table}
            lines={lines}
            cell={cell}
            onCell={setCell}
            onChanges={(changes) => {
              setSaid('');
              update((all) => changeRows(all, changes));
            }}
            onDraft={setDraft}
            onPasted={setSaid}
            onUndo={() => step(undo, 'undo')}
            onRedo={() => step(redo, 'redo')}
            onNextGap={goToGap}
            onLeave={() => about.current?.focus()}
          />
          {current && (
            <section
              ref={about}
              tabIndex={-1}
              aria-label={`About ${current.entry.title}`}
              className="flex flex-col gap-2 rounded-panel bg-surface px-4 py-3.5 focus-visible:-outline-offset-2"
            >
              <h2 className="font-semibold wrap-anywhere">{formatNames(current.entry)}</h2>
              <EntryAbout
                line={current}
                onAccept={() => accept(cell.row)}
                onSeparate={(isSeparate) => separate(cell.row, isSeparate)}
              />
            </section>
          )}
        </>
      ) : (
        <EntryCards
          lines={settled}
          open={open}
          onOpen={(row) => {
            setOpen(row);
            if (row !== null) setCell({ row, column: FIRST_FIELD });
          }}
          onType={(typed) =>
            update((all) => changeRows(all, [typed]), nameTyping(typed.row, typed.field))
          }
          onLeave={() => setSheet(endTyping)}
          onAccept={accept}
          onSeparate={separate}
        />
      )}
    </Form>
  );
}

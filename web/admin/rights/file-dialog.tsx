import { useState, type ChangeEvent } from 'react';
import type { TrackEntry } from '#contract/admin/recordings.ts';
import type { ReadTracklist } from '#contract/tracklists/read-tracklist.ts';
import {
  MAX_TRACKLIST_BYTES,
  MAX_TRACKLIST_KB,
  TRACKLIST_ACCEPT,
} from '#contract/tracklists/tracklist-files.ts';
import { formatCount } from '#web/lib/format/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Checkbox } from '#web/ui/forms/field.tsx';
import { Dialog, DialogContent } from '#web/ui/overlays/dialog.tsx';
import { matchFile, type FileMatch } from './match-file.ts';
import type { Change, Row } from './sheet.ts';
import { COLUMN_LABELS, formatNames } from './words.ts';

/** The formats of DJ programs; loaded when someone has such a file. */
const loadReader = () => import('#web/admin/tracks/editor/read-tracklist-file.ts');

type Read = { name: string; tracklist: ReadTracklist; match: FileMatch } | { failure: string };

async function readFile(
  file: File,
  entries: readonly TrackEntry[],
  rows: readonly Row[],
): Promise<Read> {
  const { name, size } = file;
  if (size > MAX_TRACKLIST_BYTES)
    return { failure: `${name} is too large for a tracklist: use at most ${MAX_TRACKLIST_KB} KB.` };
  const reader = await loadReader().catch(() => null);
  if (!reader)
    return { failure: 'Couldn’t load what reads tracklists. Check your connection and try again.' };
  const bytes = await file.arrayBuffer().catch(() => null);
  if (!bytes) return { failure: `${name} can’t be read. Choose it again.` };
  const tracklist = reader.readTracklistFile(new Uint8Array(bytes));
  if (tracklist.chapters.length === 0)
    return { failure: `We couldn’t find any tracks in ${name}.` };
  return { name, tracklist, match: matchFile(entries, rows, tracklist.chapters) };
}

type ReadFileProps = {
  entries: readonly TrackEntry[];
  rows: readonly Row[];
  onFill: (changes: Change[]) => void;
};

/** Reads what a DJ program or a spreadsheet says about the tracks, and shows it before it fills. */
export function ReadFile({ entries, rows, onFill }: ReadFileProps) {
  const [read, setRead] = useState<Read | null>(null);
  async function onPick({ target }: ChangeEvent<HTMLInputElement>) {
    const file = target.files?.[0];
    if (file) setRead(await readFile(file, entries, rows));
    target.value = '';
  }
  const close = () => setRead(null);
  return (
    <>
      <label className="inline-flex min-h-11 cursor-pointer items-center rounded-pill px-4 text-14 font-semibold shadow-[inset_0_0_0_1px_var(--line-strong)] hover:shadow-[inset_0_0_0_1px_var(--text)] has-focus-visible:outline-2 has-focus-visible:outline-offset-3 has-focus-visible:outline-focus md:min-h-9">
        Read a file
        <input
          type="file"
          accept={`${TRACKLIST_ACCEPT},text/*`}
          className="sr-only"
          onChange={(event) => void onPick(event)}
        />
      </label>
      {read && (
        <Dialog open onOpenChange={(isOpen) => !isOpen && close()}>
          {'failure' in read ? (
            <DialogContent
              title="Nothing to fill"
              description={read.failure}
              footer={<Button onClick={close}>Close</Button>}
            />
          ) : (
            <FilePreview
              {...read}
              entries={entries}
              onClose={close}
              onFill={(changes) => {
                onFill(changes);
                close();
              }}
            />
          )}
        </Dialog>
      )}
    </>
  );
}

type FilePreviewProps = Extract<Read, { match: FileMatch }> & {
  entries: readonly TrackEntry[];
  onClose: () => void;
  onFill: (changes: Change[]) => void;
};

function FilePreview({ name, tracklist, match, entries, onClose, onFill }: FilePreviewProps) {
  const { source, chapters, problems } = tracklist;
  const [isReplacing, setReplacing] = useState(false);
  const all = match.matches.flatMap(({ fills }) => fills);
  const replaced = all.filter(({ old }) => old !== '').length;
  const chosen = all.filter(({ old }) => isReplacing || old === '');
  const found = `Read ${formatCount(chapters.length, 'track')} from ${name} (${source}). ${match.matches.length} of the ${formatCount(entries.length, 'entry', 'entries')} of this mix are in it.`;
  const nothing = 'It says nothing about them that isn’t here already.';
  return (
    <DialogContent
      title="Read a file"
      description={all.length > 0 ? found : `${found} ${nothing}`}
      className="md:w-[min(640px,calc(100%-48px))]!"
      footer={
        <>
          {chosen.length > 0 && (
            <Button onClick={() => onFill(chosen)}>
              Fill {formatCount(chosen.length, 'field')}
            </Button>
          )}
          <Button variant={chosen.length > 0 ? 'quiet' : 'primary'} onClick={onClose}>
            {chosen.length > 0 ? 'Cancel' : 'Close'}
          </Button>
        </>
      }
    >
      <div className="grid gap-4 text-14">
        {replaced > 0 && (
          <Checkbox
            label={`Also replace what is there now (${formatCount(replaced, 'field')})`}
            checked={isReplacing}
            onChange={({ target }) => setReplacing(target.checked)}
          />
        )}
        {all.length > 0 && (
          <ul aria-label="What it fills" className="max-h-[40vh] overflow-y-auto">
            {match.matches
              .filter(({ fills }) => fills.length > 0)
              .map(({ row, track, by, fills }) => {
                const entry = entries[row];
                return (
                  <li
                    key={row}
                    className="border-t border-line py-2.5 wrap-anywhere first:border-0"
                  >
                    <p className="font-semibold">{entry && formatNames(entry)}</p>
                    {by === 'time' && (
                      <p className="text-13 text-warning">
                        At the same time as {formatNames(track)} in the file: check it.
                      </p>
                    )}
                    {fills.map(({ field, value, old }) => (
                      <p key={field} className="text-13 text-text-2">
                        {COLUMN_LABELS[field]}: {old && (isReplacing ? <del>{old}</del> : old)}
                        {old && (isReplacing ? ' → ' : `, not ${value}`)}
                        {(!old || isReplacing) && value}
                      </p>
                    ))}
                  </li>
                );
              })}
          </ul>
        )}
        {problems.length > 0 && (
          <details className="text-13 text-text-2">
            <summary className="min-h-11 cursor-pointer py-2.5">
              Left out: {formatCount(problems.length, 'line')}
            </summary>
            <ul className="max-h-40 overflow-y-auto">
              {problems.map(({ line, message }, index) => (
                <li key={index}>
                  Line {line} {message}.
                </li>
              ))}
            </ul>
          </details>
        )}
        {match.unmatched.length > 0 && (
          <details className="text-13 text-text-2">
            <summary className="min-h-11 cursor-pointer py-2.5">
              Not in this mix: {formatCount(match.unmatched.length, 'track')}
            </summary>
            <ul className="max-h-40 overflow-y-auto">
              {match.unmatched.map((track, index) => (
                <li key={index}>{formatNames(track)}</li>
              ))}
            </ul>
          </details>
        )}
      </div>
    </DialogContent>
  );
}

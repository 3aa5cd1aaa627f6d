import {
  useEffect,
  useEffectEvent,
  useState,
  type ChangeEvent,
  type ClipboardEvent,
  type DragEvent,
} from 'react';
import { formatTracklist, listPastEnd, parseTracklist } from '#contract/rules/tracklist.ts';
import { formatDuration } from '#contract/rules/time.ts';
import {
  MAX_TRACKLIST_BYTES,
  MAX_TRACKLIST_KB,
  TRACKLIST_ACCEPT,
} from '#contract/tracklists/tracklist-files.ts';
import type { ReadTracklist } from '#contract/tracklists/read-tracklist.ts';
import { formatCount } from '#web/lib/format/format.ts';
import { TextAreaField } from '#web/ui/forms/field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { fillFromPaste, isPlainList, listLeftOut } from './pasted-tracklist.ts';
import { TimeTracks } from './time-tracks.tsx';

/** The formats of DJ programs; loaded when someone has such a file. */
const loadReader = () => import('./read-tracklist-file.ts');

type TracklistFieldProps = {
  value: string;
  error: string | undefined;
  /** What can be heard of the mix, to note when its tracks start. */
  sound: string | File | null;
  /** Seconds of audio; null as long as nobody knows. */
  duration: number | null;
  /** Imported at once; null if there is none. */
  file: File | null;
  onChange: (tracklist: string) => void;
  /** What a file or a pasted text says besides what becomes the tracklist. */
  onImport: (read: ReadTracklist) => void;
};

type Imported = { text: string; problems: ReadTracklist['problems'] };

const NO_READER: Imported = {
  text: 'Couldn’t load what reads tracklists. Check your connection, then choose the file again.',
  problems: [],
};

function describeImport(name: string, { source, chapters }: ReadTracklist): string {
  if (chapters.length === 0) return `We couldn’t find any tracks in ${name}.`;
  const detailed = chapters.filter(({ details }) => details).length;
  const details = detailed > 0 ? `, with details of ${formatCount(detailed, 'recording')}` : '';
  return `Read ${formatCount(chapters.length, 'track')} from ${name} (${source})${details}. Check them before you save.`;
}

/** Typed, pasted, dropped or imported, with a preview of what was understood. */
export function TracklistField(props: TracklistFieldProps) {
  const { value, error, sound, duration, file, onChange, onImport } = props;
  const [imported, setImported] = useState<Imported | null>(null);
  const importFirst = useEffectEvent(() => void importFile(file));
  useEffect(() => importFirst(), []);

  function show(name: string, read: ReadTracklist) {
    setImported({ text: describeImport(name, read), problems: read.problems });
    if (read.chapters.length === 0) return;
    onChange(formatTracklist(read.chapters));
    onImport(read);
  }
  async function importFile(chosen: File | null | undefined) {
    if (!chosen) return;
    const { name, size } = chosen;
    if (size > MAX_TRACKLIST_BYTES)
      return setImported({
        text: `${name} is too large for a tracklist: use at most ${MAX_TRACKLIST_KB} KB.`,
        problems: [],
      });
    const reader = await loadReader().catch(() => null);
    if (!reader) return setImported(NO_READER);
    const bytes = await chosen.arrayBuffer().catch(() => null);
    if (bytes) show(name, reader.readTracklistFile(new Uint8Array(bytes)));
    else setImported({ text: `${name} can’t be read. Choose it again.`, problems: [] });
  }
  async function importPasted(text: string) {
    // It is in the field first: without the reader, a list is still text that can be saved.
    onChange(text);
    const reader = await loadReader().catch(() => null);
    const read = reader?.readTracklist(text);
    if (!read || !text.trim() || isPlainList(read)) return;
    setImported({ text: describeImport('what you pasted', read), problems: listLeftOut(read) });
    onChange(fillFromPaste(text, read));
    onImport(read);
  }
  const onPick = (event: ChangeEvent<HTMLInputElement>) => {
    void importFile(event.target.files?.[0]);
    event.target.value = '';
  };
  const onPaste = (event: ClipboardEvent<HTMLTextAreaElement>) => {
    const { selectionStart: from, selectionEnd: to } = event.currentTarget;
    const isReplaced = value.slice(0, from).trim() === '' && value.slice(to).trim() === '';
    // Into a list that someone has begun, text goes as it is.
    if (!isReplaced) return;
    event.preventDefault();
    void importPasted(event.clipboardData.getData('text'));
  };
  const onDrop = (event: DragEvent) => {
    const [dropped] = event.dataTransfer.files;
    if (!dropped) return;
    event.preventDefault();
    void importFile(dropped);
  };
  return (
    <div className="grid gap-3">
      <TextAreaField
        label="Tracklist"
        name="tracklist"
        value={value}
        hint="One track per line: 12:30 Artist - Title. Tracks without a time are shown too; you can add their times later."
        error={error}
        spellCheck={false}
        className="min-h-40 font-mono text-13 leading-snug md:text-13"
        onChange={(event) => onChange(event.target.value)}
        onPaste={onPaste}
        onDrop={onDrop}
        onDragOver={(event) => event.preventDefault()}
      />
      <label className="w-fit cursor-pointer text-13 font-semibold text-text-2 underline underline-offset-4 hover:text-text has-focus-visible:outline-2 has-focus-visible:outline-offset-3 has-focus-visible:outline-focus">
        Import a tracklist file
        <input
          type="file"
          accept={`${TRACKLIST_ACCEPT},text/*`}
          className="sr-only"
          onChange={onPick}
        />
      </label>
      <p className="-mt-2 text-13 text-text-3">
        From rekordbox, Serato, Traktor, VirtualDJ, Mixxx, Engine or Audacity.
      </p>
      <div role="status" className="grid gap-1 text-13 text-text-2 empty:hidden">
        {imported && <p>{imported.text}</p>}
        {imported && <LineProblems title="Left out:" problems={imported.problems} />}
      </div>
      <PastEnd value={value} duration={duration} />
      <TracklistPreview value={value} isOpen={imported !== null} />
      <TimeTracks value={value} sound={sound} onChange={onChange} />
    </div>
  );
}

type LineProblemsProps = { title: string; problems: ReadTracklist['problems'] };

const MAX_LISTED = 100;

function LineProblems({ title, problems }: LineProblemsProps) {
  if (problems.length === 0) return null;
  return (
    <div className="text-danger">
      {title}
      <ul className="max-h-32 overflow-y-auto">
        {problems.slice(0, MAX_LISTED).map(({ line, message }, index) => (
          <li key={index}>
            Line {line} {message}.
          </li>
        ))}
        {problems.length > MAX_LISTED && <li>And {problems.length - MAX_LISTED} more lines.</li>}
      </ul>
    </div>
  );
}

/** Warns of tracks that start after the audio ends. They can be saved: longer audio may follow. */
function PastEnd({ value, duration }: Pick<TracklistFieldProps, 'value' | 'duration'>) {
  const { chapters } = parseTracklist(value);
  const past = duration === null ? [] : listPastEnd(chapters, duration);
  const [first, ...more] = past;
  if (!first || duration === null) return null;
  const names = more.length === 0 ? `“${first.title}” starts` : `${past.length} tracks start`;
  return (
    <Notice tone="warning" title={`${names} after the mix ends at ${formatDuration(duration)}.`}>
      Listeners see {more.length === 0 ? 'it' : 'them'} without a time. Correct the time, or remove
      what isn’t in the mix any more.
    </Notice>
  );
}

/** What the text means, line by line. */
function TracklistPreview({ value, isOpen }: { value: string; isOpen: boolean }) {
  const { chapters, problems } = parseTracklist(value);
  if (chapters.length === 0) return null;
  const untimed = chapters.filter(({ at }) => at === null).length;
  return (
    <details open={isOpen} className="rounded-field border border-line px-3.5 py-2.5 text-13">
      <summary className="cursor-pointer">
        {formatCount(chapters.length, 'track')}
        {untimed > 0 && `, ${untimed} without a time`}
        {problems.length > 0 && `, ${formatCount(problems.length, 'line')} with a problem`}
      </summary>
      <ol aria-label="What the tracklist says" className="mt-2 max-h-64 overflow-y-auto">
        {chapters.map(({ at, title, artist }, index) => (
          <li
            key={index}
            className="grid grid-cols-[60px_minmax(0,1fr)] border-t border-line py-1.5 break-words"
          >
            <span className="tabular text-text-3">{at === null ? '' : formatDuration(at)}</span>
            <span>
              <b className="font-semibold">{title}</b> <span className="text-text-2">{artist}</span>
            </span>
          </li>
        ))}
      </ol>
      <LineProblems title="Problems:" problems={problems} />
    </details>
  );
}

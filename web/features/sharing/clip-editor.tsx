import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState, type KeyboardEvent, type PointerEvent } from 'react';
import {
  describeClipCost,
  MAX_CLIP_SECONDS,
  MIN_CLIP_SECONDS,
  type Span,
} from '#contract/rules/clips.ts';
import { formatDuration } from '#contract/rules/time.ts';
import type { TrackClips } from '#contract/clips.ts';
import type { Track } from '#contract/tracks.ts';
import { peaksQuery } from '#web/features/tracks/api.ts';
import { describeRefusal } from '#web/lib/api/api.ts';
import { formatCount } from '#web/lib/format/format.ts';
import { positionInTrack } from '#web/player/preview-limit.ts';
import { usePlayer, usePlayerState } from '#web/player/use-player.ts';
import { cutPeaks } from '#web/player/view/waveform-shape.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { Pause, Play } from '#web/ui/icons.ts';
import { Notice } from '#web/ui/notice.tsx';
import { ClipBars } from './clip-bars.tsx';
import { createClipMutation } from './clip-api.ts';
import {
  countNew,
  endAt,
  findView,
  lastSeconds,
  moveTo,
  shapeView,
  stepOf,
  toSpan,
  type Selection,
} from './clip-selection.ts';
import { parseStartSecond } from './share-link.ts';
import { usePartSound } from './use-part-sound.ts';

type ClipEditorProps = { track: Track; clips: TrackClips };

/** Marks some seconds of a mix, lets its maker hear them, and asks the server for the clip. */
export function ClipEditor({ track, clips }: ClipEditorProps) {
  const { duration } = track;
  const player = usePlayer();
  const [selection, setSelection] = useState(() => {
    const { currentTrack, currentTime } = player.store.get();
    const isHere = currentTrack?.id === track.id;
    return lastSeconds(isHere ? positionInTrack(currentTrack, currentTime) : 0, duration);
  });
  const [view, setView] = useState(() => findView(selection, duration));
  const isDataSaver = usePlayerState((state) => state.isDataSaver);
  const sound = usePartSound({
    url: (isDataSaver && track.dataSaverUrl) || track.fileUrl,
    ...selection,
  });
  const isPlaying = sound.state === 'playing';
  const client = useQueryClient();
  const create = useMutation(createClipMutation(client, track.id));

  function select(next: Selection, isDragging = false): void {
    setSelection(next);
    create.reset();
    if (!isDragging) setView((before) => findView(next, duration, before));
    sound.stop();
  }

  const { start, seconds } = selection;
  const cost = countNew(selection, clips.free);
  const isTooMuch = cost > clips.left && cost > 0;
  return (
    <>
      <Marker
        track={track}
        selection={selection}
        view={view}
        free={clips.free}
        onSelect={select}
        onSettle={() => setView((before) => findView(selection, duration, before))}
      />
      <p role="status" className="mt-3 font-semibold tabular">
        {formatCount(seconds, 'second')}, from {formatDuration(start)} to{' '}
        {formatDuration(start + seconds)}
      </p>
      <p className="mt-1 text-13 text-text-2">{describeClipCost(cost, clips.left)}</p>
      {clips.free.length > 0 && (
        <p className="mt-1 text-13 text-text-3 tabular">
          Public already, underlined:{' '}
          {clips.free
            .map(({ from, to }) => `${formatDuration(from)} to ${formatDuration(to)}`)
            .join(', ')}
        </p>
      )}
      <div className="mt-4 grid grid-cols-2 gap-3">
        <TimeField
          label="Start"
          second={start}
          onChange={(second) => select(moveTo(selection, second, duration))}
        />
        <TimeField
          label="End"
          second={start + seconds}
          onChange={(second) => select(endAt(selection, second, duration))}
        />
      </div>
      {create.error && (
        <Notice
          tone="danger"
          title={describeRefusal(create.error, 'Couldn’t make the clip. Try again.')}
          className="mt-4"
        />
      )}
      {sound.state === 'failed' && (
        <Notice tone="danger" title="Couldn’t play this part. Try again." className="mt-4" />
      )}
      <div className="mt-4 flex flex-wrap gap-2">
        <Button
          aria-disabled={isTooMuch || create.isPending}
          onClick={() => !isTooMuch && !create.isPending && create.mutate(selection)}
        >
          Make the clip
        </Button>
        <Button variant="line" onClick={isPlaying ? sound.stop : sound.toggle}>
          {isPlaying ? <Pause /> : <Play />}
          {isPlaying ? 'Stop' : 'Listen'}
        </Button>
      </div>
    </>
  );
}

type TimeFieldProps = { label: string; second: number; onChange: (second: number) => void };

/** A time to type, for those who know it. */
function TimeField({ label, second, onChange }: TimeFieldProps) {
  const [draft, setDraft] = useState<string | null>(null);
  const typed = draft === null ? second : parseStartSecond(draft);
  return (
    <Field
      label={label}
      value={draft ?? formatDuration(second)}
      error={typed === null ? 'Enter a time like 12:34.' : undefined}
      autoComplete="off"
      maxLength={10}
      onChange={(event) => {
        setDraft(event.target.value);
        const next = parseStartSecond(event.target.value);
        // Half a time is another one: `1:2` isn't one yet, but `12` is on the way to `12:34`.
        if (next !== null && event.target.value.includes(':')) onChange(next);
      }}
      onBlur={() => {
        if (draft !== null && typed !== null) onChange(typed);
        if (typed !== null) setDraft(null);
      }}
    />
  );
}

type MarkerProps = {
  track: Track;
  selection: Selection;
  view: Span;
  free: readonly Span[];
  onSelect: (selection: Selection, isDragging?: boolean) => void;
  onSettle: () => void;
};

type Grip = 'start' | 'end';

/** The waveform around the marked seconds, with a handle at each end. */
function Marker({ track, selection, view, free, onSelect, onSettle }: MarkerProps) {
  const { duration } = track;
  const { data } = useQuery(peaksQuery(track.id));
  const box = useRef<HTMLDivElement>(null);
  const drag = useRef<{ grip: Grip | 'both'; offset: number } | null>(null);
  const length = view.to - view.from;
  const place = (second: number) => `${((second - view.from) / length) * 100}%`;
  const part = { from: view.from, seconds: length };
  const peaks = cutPeaks(data?.peaks ?? [], duration, part);
  const span = toSpan(selection);

  function secondAt({ clientX }: PointerEvent): number {
    const { left, width } = box.current?.getBoundingClientRect() ?? { left: 0, width: 1 };
    return view.from + ((clientX - left) / Math.max(1, width)) * length;
  }

  function change(grip: Grip | 'both', second: number, isDragging = false): void {
    if (grip === 'end') return onSelect(endAt(selection, second, duration), isDragging);
    if (grip === 'both') return onSelect(moveTo(selection, second, duration), isDragging);
    // The end stays where it is.
    const start = Math.max(
      span.to - MAX_CLIP_SECONDS,
      Math.min(span.to - MIN_CLIP_SECONDS, Math.max(0, Math.round(second))),
    );
    onSelect({ start, seconds: span.to - start }, isDragging);
  }

  function onPointerDown(event: PointerEvent<HTMLElement>): void {
    if (event.button !== 0) return;
    const second = secondAt(event);
    const grip = (event.target as HTMLElement).closest<HTMLElement>('[data-grip]')?.dataset.grip;
    const isInside = second >= span.from && second <= span.to;
    if (grip !== undefined) drag.current = { grip: grip as Grip, offset: 0 };
    else drag.current = { grip: 'both', offset: isInside ? second - span.from : 0 };
    event.currentTarget.setPointerCapture(event.pointerId);
    if (grip === undefined && !isInside) change('both', second, true);
  }

  function onPointerMove(event: PointerEvent<HTMLElement>): void {
    if (!drag.current) return;
    const { grip, offset } = drag.current;
    const second = Math.max(view.from, Math.min(view.to, secondAt(event) - offset));
    change(grip, second, true);
  }

  function onPointerEnd(): void {
    if (drag.current) onSettle();
    drag.current = null;
  }

  function onKeyDown(grip: Grip, event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = stepOf(event.key);
    if (step === null && event.key !== 'Home' && event.key !== 'End') return;
    event.preventDefault();
    const at = grip === 'start' ? span.from : span.to;
    const second = step === null ? (event.key === 'Home' ? 0 : duration) : at + step;
    // With the keyboard the start takes the whole clip along; its length is the other handle.
    change(grip === 'start' ? 'both' : 'end', second);
  }

  return (
    <>
      <div
        ref={box}
        className="relative h-28 cursor-grab touch-none select-none active:cursor-grabbing"
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerEnd}
        onPointerCancel={onPointerEnd}
      >
        <span
          aria-hidden
          className="absolute inset-y-0 bg-week-wash-2"
          style={{ left: place(span.from), width: `${(selection.seconds / length) * 100}%` }}
        />
        <ClipBars
          shape={(count) => shapeView(peaks, { view, lit: span }, count)}
          className="h-full"
        />
        <Handle
          grip="start"
          label="Start of the clip"
          left={place(span.from)}
          value={span.from}
          max={Math.floor(duration) - selection.seconds}
          text={`From ${formatDuration(span.from)}`}
          onKeyDown={onKeyDown}
        />
        <Handle
          grip="end"
          label="Length of the clip"
          left={place(span.to)}
          min={MIN_CLIP_SECONDS}
          value={selection.seconds}
          max={MAX_CLIP_SECONDS}
          text={formatCount(selection.seconds, 'second')}
          onKeyDown={onKeyDown}
        />
      </div>
      <div aria-hidden className="relative mt-1 h-1 overflow-hidden">
        {free.map(({ from, to }) => (
          <span
            key={from}
            className="absolute inset-y-0 bg-text-3"
            style={{ left: place(from), width: `${((to - from) / length) * 100}%` }}
          />
        ))}
      </div>
      <p aria-hidden className="mt-1 flex justify-between text-12 text-text-3 tabular">
        <span>{formatDuration(view.from)}</span>
        <span>{formatDuration(view.to)}</span>
      </p>
    </>
  );
}

type HandleProps = {
  grip: Grip;
  label: string;
  left: string;
  min?: number;
  value: number;
  max: number;
  text: string;
  onKeyDown: (grip: Grip, event: KeyboardEvent) => void;
};

function Handle({ grip, label, left, min = 0, value, max, text, onKeyDown }: HandleProps) {
  const side = grip === 'start' ? '-translate-x-full' : '';
  return (
    <span
      role="slider"
      tabIndex={0}
      data-grip={grip}
      aria-label={label}
      aria-valuemin={min}
      aria-valuemax={max}
      aria-valuenow={value}
      aria-valuetext={text}
      onKeyDown={(event) => onKeyDown(grip, event)}
      className={`absolute inset-y-0 w-6 cursor-ew-resize ${side}`}
      style={{ left }}
    >
      <span
        className={`absolute inset-y-0 w-1 bg-text ${grip === 'start' ? 'right-0' : 'left-0'}`}
      />
      <span
        className={`absolute top-1/2 h-8 w-2.5 -translate-y-1/2 rounded-pill bg-text ${grip === 'start' ? 'right-0' : 'left-0'}`}
      />
    </span>
  );
}

import { useState, type KeyboardEvent, type PointerEvent } from 'react';
import { PREVIEW_SECONDS } from '#contract/rules/preview.ts';
import { formatDuration } from '#contract/rules/format.ts';
import type { Chapter, Track } from '#contract/tracks.ts';
import { selectIsPreviewEnded, selectPlayableSeconds } from '#web/player/preview-limit.ts';
import { usePlayer, usePlayerState } from '#web/player/use-player.ts';
import { useWaveformSource } from './use-waveform-source.ts';
import { WaveformPicture } from './waveform-picture.tsx';
import { PREVIEW_SHARE, seekByKey, type WaveformSource } from './waveform-shape.ts';

type SeekBarProps = {
  /** The current track. */
  track: Track;
  chapters?: readonly Chapter[] | undefined;
  /** In the bar a preview has the whole width; on a stage the locked part is next to it. */
  look: 'bar' | 'stage';
  className?: string;
};

/** For free users the progress is scaled to the length of the preview, or of a shorter track. */
export function SeekBar({ track, chapters, look, className = 'h-24' }: SeekBarProps) {
  const player = usePlayer();
  const time = usePlayerState((state) => state.currentTime);
  const max = usePlayerState(selectPlayableSeconds);
  const isLocked = usePlayerState((state) => selectPlayableSeconds(state) < state.duration);
  const isPreviewEnded = usePlayerState(selectIsPreviewEnded);
  const isBar = look === 'bar';
  const source = useWaveformSource(track, { chapters, isLocked, isPreviewWide: isBar });
  const limit = `Preview ends ${formatDuration(PREVIEW_SECONDS)}`;
  return (
    <Waveform
      source={source}
      time={time}
      max={max}
      onSeek={player.seek}
      barWidth={isBar ? 2 : 3}
      className={className}
      limitLabel={isPreviewEnded && !isBar ? limit : null}
    />
  );
}

type WaveformProps = {
  source: WaveformSource;
  /** Seconds into the playable part, and its length. */
  time: number;
  max: number;
  onSeek: (seconds: number) => void;
  barWidth?: number;
  className?: string;
  limitLabel?: string | null;
};

type Pointer = { seconds: number; share: number; isDragging: boolean };

/** The waveform as a slider. Dragging shows the target and seeks on release. */
function Waveform({ source, time, max, onSeek, ...look }: WaveformProps) {
  const [pointer, setPointer] = useState<Pointer | null>(null);
  const shown = pointer?.isDragging ? pointer.seconds : time;
  const openShare = source.preview && !source.isPreviewWide ? PREVIEW_SHARE : 1;

  function trackPointer(event: PointerEvent<HTMLElement>, isDragging: boolean): Pointer {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const share = Math.min(1, Math.max(0, (event.clientX - left) / Math.max(1, width)));
    const next = { share, seconds: Math.min(1, share / openShare) * max, isDragging };
    setPointer(next);
    return next;
  }

  function onPointerDown(event: PointerEvent<HTMLElement>): void {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    trackPointer(event, true);
  }

  function onPointerUp(event: PointerEvent<HTMLElement>): void {
    if (!pointer?.isDragging) return;
    onSeek(trackPointer(event, false).seconds);
    if (event.pointerType !== 'mouse') setPointer(null);
  }

  function onKeyDown(event: KeyboardEvent): void {
    const target = seekByKey(event.key, time, max);
    if (target === null || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    onSeek(target);
  }

  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label="Seek"
      aria-valuemin={0}
      aria-valuemax={Math.round(max)}
      aria-valuenow={Math.min(Math.round(max), Math.round(shown))}
      aria-valuetext={`${formatDuration(shown)} of ${formatDuration(max)}`}
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
      onPointerMove={(event) => trackPointer(event, pointer?.isDragging ?? false)}
      onPointerUp={onPointerUp}
      onPointerCancel={() => setPointer(null)}
      onPointerLeave={() => pointer?.isDragging || setPointer(null)}
      className="relative cursor-pointer touch-pan-y select-none"
    >
      <WaveformPicture
        {...look}
        source={source}
        played={max > 0 ? shown / max : 0}
        hasPlayhead={!look.limitLabel}
      />
      {pointer && (
        <span
          aria-hidden
          className="pointer-events-none absolute bottom-full z-10 mb-1 -translate-x-1/2 rounded-[4px] bg-action px-1.5 py-0.5 text-12 font-semibold tabular text-on-action"
          style={{ left: `${pointer.share * 100}%` }}
        >
          {formatDuration(pointer.seconds)}
        </span>
      )}
    </div>
  );
}

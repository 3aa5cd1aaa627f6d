import { useState, type KeyboardEvent, type PointerEvent } from 'react';
import { PREVIEW_SECONDS } from '#contract/rules/preview.ts';
import { formatDuration } from '#contract/rules/time.ts';
import type { Chapter, Track } from '#contract/tracks.ts';
import {
  positionInTrack,
  selectIsPreviewEnded,
  selectPlayableSeconds,
} from '#web/player/preview-limit.ts';
import { usePlayer, usePlayerState } from '#web/player/use-player.ts';
import { findChapter } from './current-chapter.ts';
import { LockedRest } from './locked-rest.tsx';
import { useWaveformSource } from './use-waveform-source.ts';
import { WaveformPicture } from './waveform-picture.tsx';
import { PREVIEW_SHARE, seekByKey, type WaveformSource } from './waveform-shape.ts';

type SeekBarProps = {
  /** The current track. */
  track: Track;
  chapters?: readonly Chapter[] | undefined;
  /** On a stage the locked rest of a mix is below its preview. */
  look: 'bar' | 'stage';
  /** Something else on the page says what is locked once the preview has ended. */
  isExplained?: boolean;
  className?: string;
};

/** For free users the full width is the preview, or the track if that is shorter. */
export function SeekBar({
  track,
  chapters,
  look,
  isExplained = false,
  className = 'h-24',
}: SeekBarProps) {
  const player = usePlayer();
  const time = usePlayerState((state) => state.currentTime);
  const max = usePlayerState(selectPlayableSeconds);
  const isLocked = usePlayerState((state) => selectPlayableSeconds(state) < state.duration);
  const isPreviewEnded = usePlayerState(selectIsPreviewEnded);
  const isBar = look === 'bar';
  // At its end the preview makes room for all that is locked behind it.
  const isAtLimit = isLocked && isPreviewEnded && !isBar;
  const source = useWaveformSource(track, {
    chapters,
    isLocked,
    scale: isAtLimit ? 'limit' : 'preview',
  });
  const seek = {
    source,
    track,
    chapters,
    time,
    max,
    onSeek: player.seek,
    barWidth: isBar ? 2 : 3,
    limitLabel: isAtLimit ? `Preview ends ${formatDuration(PREVIEW_SECONDS)}` : null,
  };
  if (isBar || !isLocked) return <Waveform {...seek} className={className} />;
  return (
    <div className={`flex flex-col ${className}`}>
      <Waveform {...seek} className={`flex-1 ${isAtLimit ? 'min-h-18' : 'min-h-11'}`} />
      {!(isAtLimit && isExplained) && (
        <LockedRest key={track.id} track={track} isPreviewEnded={isAtLimit} />
      )}
    </div>
  );
}

type WaveformProps = Pick<SeekBarProps, 'track' | 'chapters'> & {
  source: WaveformSource;
  /** Seconds into the playable part, and its length. */
  time: number;
  max: number;
  onSeek: (seconds: number) => void;
  barWidth?: number;
  className: string;
  limitLabel?: string | null;
};

/** `12:30 of 59:20, Umlazi Siren by Kasi Voltage` */
const describePosition = (seconds: number, max: number, chapter: Chapter | null): string =>
  `${formatDuration(seconds)} of ${formatDuration(max)}${chapter ? `, ${chapter.title}` : ''}${chapter?.artist ? ` by ${chapter.artist}` : ''}`;

type Pointer = {
  seconds: number;
  share: number;
  isDragging: boolean;
  /** It points at the locked part. */
  isLocked: boolean;
};

/** The waveform as a slider. Dragging shows the target and seeks on release. */
function Waveform(props: WaveformProps) {
  const { track, chapters = [], source, time, max, onSeek, className, ...look } = props;
  const [pointer, setPointer] = useState<Pointer | null>(null);
  const shown = pointer?.isDragging ? pointer.seconds : time;
  const openShare = source.preview && source.scale === 'limit' ? PREVIEW_SHARE : 1;

  function trackPointer(event: PointerEvent<HTMLElement>, isDragging: boolean): Pointer {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const share = Math.min(1, Math.max(0, (event.clientX - left) / Math.max(1, width)));
    const seconds = Math.min(1, share / openShare) * max;
    const next = { share, seconds, isDragging, isLocked: share > openShare };
    setPointer(next);
    return next;
  }

  function onPointerDown(event: PointerEvent<HTMLElement>): void {
    if (event.button !== 0) return;
    // What is locked can't be played, so a press there isn't a seek.
    if (trackPointer(event, false).isLocked) return;
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
      aria-valuetext={describePosition(
        shown,
        max,
        findChapter(chapters, positionInTrack(track, shown)),
      )}
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
      onPointerMove={(event) => trackPointer(event, pointer?.isDragging ?? false)}
      onPointerUp={onPointerUp}
      onPointerCancel={() => setPointer(null)}
      onPointerLeave={() => pointer?.isDragging || setPointer(null)}
      className={`relative touch-pan-y select-none ${pointer?.isLocked ? 'cursor-default' : 'cursor-pointer'} ${className}`}
    >
      <div className={`absolute inset-0 ${look.limitLabel ? 'top-7' : ''}`}>
        <WaveformPicture
          {...look}
          source={source}
          played={max > 0 ? shown / max : 0}
          hasPlayhead={!look.limitLabel}
          className="h-full"
        />
      </div>
      {pointer && (
        <span
          aria-hidden
          className="pointer-events-none absolute bottom-full z-10 mb-1 -translate-x-1/2 rounded-[4px] bg-action px-1.5 py-0.5 text-12 font-semibold tabular text-on-action"
          style={{ left: `${pointer.share * 100}%` }}
        >
          {pointer.isLocked ? 'Locked' : formatDuration(pointer.seconds)}
        </span>
      )}
    </div>
  );
}

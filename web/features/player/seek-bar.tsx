import { PREVIEW_SECONDS } from '#contract/rules/preview.ts';
import { formatDuration } from '#contract/rules/format.ts';
import type { Chapter, Track } from '#contract/tracks.ts';
import { selectIsPreviewEnded, selectPlayableSeconds } from '#web/player/preview-limit.ts';
import { usePlayer, usePlayerState } from '#web/player/use-player.ts';
import { useWaveformSource } from './use-waveform-source.ts';
import { Waveform } from './waveform.tsx';

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

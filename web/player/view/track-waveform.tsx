import type { Chapter, Track } from '#contract/tracks.ts';
import { usePlayerState } from '#web/player/use-player.ts';
import { SeekBar } from './seek-bar.tsx';
import { useWaveformSource } from './use-waveform-source.ts';
import { StillWaveform } from './waveform-picture.tsx';

type TrackWaveformProps = {
  track: Track;
  chapters?: readonly Chapter[];
  /** Something else on the page says what is locked once the preview has ended. */
  isExplained?: boolean;
  className?: string;
};

/** A slider once the track is in the player; until then a fully lit picture. */
export function TrackWaveform({ track, isExplained = false, ...rest }: TrackWaveformProps) {
  const current = usePlayerState((state) =>
    state.currentTrack?.id === track.id ? state.currentTrack : null,
  );
  if (!current) return <IdleWaveform track={track} {...rest} />;
  return <SeekBar track={current} look="stage" isExplained={isExplained} {...rest} />;
}

function IdleWaveform({ track, chapters, className = 'h-24' }: TrackWaveformProps) {
  const source = useWaveformSource(track, { chapters, isLocked: false });
  return <StillWaveform source={source} className={className} />;
}

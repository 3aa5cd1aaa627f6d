import { Suspense } from 'react';
import type { Chapter, Track } from '#contract/tracks.ts';
import { usePlayerState } from '#web/player/use-player.ts';
import { useWaveformSource } from './use-waveform-source.ts';
import { StillWaveform } from './waveform-picture.tsx';
import { lazyComponent } from '#web/lib/lazy-component.ts';

const SeekBar = lazyComponent(() => import('./seek-bar.tsx'), 'SeekBar');

type TrackWaveformProps = {
  track: Track;
  chapters?: readonly Chapter[];
  className?: string;
};

/** A slider once the track is in the player; until then a fully lit picture. */
export function TrackWaveform({ track, ...rest }: TrackWaveformProps) {
  const current = usePlayerState((state) =>
    state.currentTrack?.id === track.id ? state.currentTrack : null,
  );
  const idle = <IdleWaveform track={track} {...rest} />;
  if (!current) return idle;
  return (
    <Suspense fallback={idle}>
      <SeekBar track={current} look="stage" {...rest} />
    </Suspense>
  );
}

function IdleWaveform({ track, chapters, className = 'h-24' }: TrackWaveformProps) {
  const source = useWaveformSource(track, { chapters, isLocked: false });
  return <StillWaveform source={source} className={className} />;
}

import type { Track } from '#contract/tracks.ts';
import { isCutToPreview } from '#web/player/preview-limit.ts';
import { usePlayerState } from '#web/player/use-player.ts';
import { useMarks } from './api.ts';

const WIDTH = 1000;
const HEIGHT = 8;

/** Short bars that hang from the waveform; the reader's own are longer. One path, however many. */
export function MomentMarks({ track }: { track: Track }) {
  const { data } = useMarks(track.id);
  // The waveform of a preview that plays isn't that of the mix.
  const isCut = usePlayerState(
    ({ currentTrack }) => currentTrack?.id === track.id && isCutToPreview(currentTrack),
  );
  const marks = isCut ? [] : (data?.marks ?? []);
  const path = marks
    .map(({ at, own }) => {
      const x = Math.round(((at + 0.5) / Math.max(1, track.duration)) * WIDTH * 10) / 10;
      return `M${Math.min(WIDTH, x)} 0v${own ? HEIGHT : HEIGHT / 2}`;
    })
    .join('');
  return (
    <div aria-hidden className="h-2 shrink-0">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        fill="none"
        className="size-full overflow-visible"
      >
        <path d={path} className="stroke-week" strokeWidth={3} vectorEffect="non-scaling-stroke" />
      </svg>
    </div>
  );
}

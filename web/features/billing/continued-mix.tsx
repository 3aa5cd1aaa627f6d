import { Link } from 'wouter';
import { formatDuration } from '#contract/rules/duration.ts';
import { usePlayer, usePlayerState } from '#web/player/use-player.ts';
import { PlayButton } from '#web/ui/play-button.tsx';
import { Sleeve } from '#web/ui/art/sleeve.tsx';

/** The mix that was interrupted, going on; where the browser wants a gesture first, one button. */
export function ContinuedMix({ trackId, position }: { trackId: string; position: number }) {
  const player = usePlayer();
  const track = usePlayerState((state) => state.currentTrack);
  const isPlaying = usePlayerState((state) => state.isPlaying || state.isStarting);
  if (track?.id !== trackId) return null;
  const second = formatDuration(position);
  return (
    <section
      aria-label="The mix you were listening to"
      data-week={track.weekNumber}
      className="stage flex items-center gap-4 px-gutter py-5 md:gap-7 md:py-7"
    >
      <Sleeve week={track.weekNumber} coverUrl={track.coverUrl} className="w-24 shrink-0 md:w-40" />
      <div className="min-w-0 flex-1">
        <p className="type-kicker">Week {track.weekNumber}</p>
        <h2 className="type-title text-[34px] md:text-[56px]">
          <Link href={`/track/${track.id}`}>{track.title}</Link>
        </h2>
        <p role="status" className="mt-1.5 text-16 text-text-2">
          {isPlaying ? `Going on from ${second}, in full` : `Press play to go on from ${second}`}
        </p>
      </div>
      <PlayButton
        size="xl"
        label={isPlaying ? 'Pause' : `Go on from ${second}`}
        isPlaying={isPlaying}
        onClick={player.togglePlay}
      />
    </section>
  );
}

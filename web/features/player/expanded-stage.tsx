import { Link } from 'wouter';
import type { Track } from '#contract/tracks.ts';
import { usePlayer } from '#web/player/use-player.ts';
import { FullScreenTitle } from '#web/ui/overlays/full-screen.tsx';
import { Numeral } from '#web/ui/art/numeral.tsx';
import { PlayerSleeve } from './player-sleeve.tsx';

type ExpandedStageProps = {
  track: Track;
  isNextToQueue: boolean;
  /** The panel below then needs the room. */
  isPreviewEnded: boolean;
};

/** Cover, week number and texts. On a phone the number is next to the title. */
export function ExpandedStage({ track, isNextToQueue, isPreviewEnded }: ExpandedStageProps) {
  const size = numeralSize(isNextToQueue, isPreviewEnded);
  const columns = isPreviewEnded
    ? 'max-md:grid-cols-[minmax(0,1fr)_auto] md:grid-cols-[min(42vh,400px)_minmax(0,1fr)]'
    : 'md:grid-cols-[min(48vh,460px)_minmax(0,1fr)]';
  const info = isNextToQueue
    ? 'flex-col items-start gap-8'
    : 'flex-row-reverse items-end justify-between gap-8';
  return (
    <div
      className={`grid flex-1 content-center items-end gap-[18px] py-4 md:gap-12 md:pb-10 ${columns}`}
    >
      <PlayerSleeve
        track={track}
        className={isPreviewEnded ? '' : 'mx-auto w-[min(100%,42dvh)] md:mx-0 md:w-full'}
      />
      {isPreviewEnded && (
        <Numeral value={track.weekNumber} isDecorative size="262px" className="md:hidden" />
      )}
      <div
        className={`relative min-w-0 max-md:col-span-full md:flex ${info} ${isPreviewEnded ? '' : 'max-md:min-h-16'}`}
      >
        <Numeral value={track.weekNumber} isDecorative size={size} className="max-md:hidden" />
        {!isPreviewEnded && (
          <Numeral
            value={track.weekNumber}
            isDecorative
            size="92px"
            className="absolute right-0 bottom-1 md:hidden"
          />
        )}
        <TrackInfo track={track} hasNumeral={!isPreviewEnded} />
      </div>
    </div>
  );
}

function TrackInfo({ track, hasNumeral }: { track: Track; hasNumeral: boolean }) {
  const player = usePlayer();
  const facts = [track.genre, track.bpm && `${track.bpm} BPM`].filter(Boolean);
  return (
    <div className={`min-w-0 ${hasNumeral ? 'max-md:pr-[104px]' : ''}`}>
      <FullScreenTitle asChild>
        <h2 className="mb-1.5 type-display text-[42px] break-words md:mb-3 md:text-[72px]">
          <Link href={`/track/${track.id}`} onClick={player.toggleExpanded}>
            {track.title}
          </Link>
        </h2>
      </FullScreenTitle>
      <p className="type-meta">
        <b className="font-semibold text-text-2">Week {track.weekNumber}</b>
        {facts.map((fact) => ` · ${fact}`)}
      </p>
      {track.description && (
        <p className="mt-2 line-clamp-2 max-w-[52ch] text-text-2 md:line-clamp-3">
          {track.description}
        </p>
      )}
    </div>
  );
}

function numeralSize(isNextToQueue: boolean, isPreviewEnded: boolean): string {
  if (isNextToQueue) return 'min(40vh, 27vw, 392px)';
  return isPreviewEnded ? 'min(52vh, 36vw, 500px)' : 'min(62vh, 36vw, 560px)';
}

import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, type ReactNode } from 'react';
import { useLocation, Link } from 'wouter';
import { ChevronDown, ListMusic, X } from '#web/ui/icons.ts';
import { formatDuration } from '#contract/rules/format.ts';
import type { Chapter, Track } from '#contract/tracks.ts';
import { trackQuery } from '#web/features/tracks/api.ts';
import { positionInTrack, selectIsPreviewEnded } from '#web/player/preview-limit.ts';
import { usePlayer, usePlayerState } from '#web/player/use-player.ts';
import { FullScreen, FullScreenContent, FullScreenTitle } from '#web/ui/overlays/full-screen.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { useIsWide } from '#web/ui/use-is-wide.ts';
import { Numeral } from '#web/ui/art/numeral.tsx';
import { findChapter } from './current-chapter.ts';
import { ExpandedControls } from './expanded-controls.tsx';
import { PreviewEndedPanel } from './preview-ended-panel.tsx';
import { QUEUE_TITLE, QueueFooter, QueueHead, QueueList } from './queue-list.tsx';
import { SeekBar } from './seek-bar.tsx';
import { PlayerSleeve } from './player-sleeve.tsx';

type ExpandedPlayerProps = {
  open: boolean;
  track: Track;
  favorite: ReactNode;
  /** Another action for the queue. */
  queueAction?: ReactNode;
};

/** The player in the whole window. If there is room, the queue is next to it. */
export function ExpandedPlayer({ open, track, favorite, queueAction }: ExpandedPlayerProps) {
  const player = usePlayer();
  const isWide = useIsWide();
  const isQueueVisible = usePlayerState((state) => state.isQueueVisible);
  const isPreviewEnded = usePlayerState(selectIsPreviewEnded);
  const { data } = useQuery(trackQuery(track.id));
  const chapters = data?.chapters;
  const hasQueue = isWide && isQueueVisible;
  useMinimiseOnNavigation(open);
  return (
    <FullScreen open={open} onOpenChange={(next) => next !== open && player.toggleExpanded()}>
      <FullScreenContent
        aria-label="Player"
        data-week={track.weekNumber}
        className={`grid bg-bg ${hasQueue ? 'grid-cols-[minmax(0,1fr)_392px]' : 'grid-cols-1'}`}
      >
        <div className="stage flex min-w-0 flex-col overflow-y-auto overscroll-contain px-5 pt-1.5 pb-5 md:px-12 md:pt-[18px] md:pb-9">
          <Top />
          <ExpandedStage track={track} isNextToQueue={hasQueue} isPreviewEnded={isPreviewEnded} />
          <SeekBar
            track={track}
            chapters={chapters}
            look="stage"
            isExplained
            className="min-h-22 shrink-0 md:min-h-32"
          />
          <SeekTimes track={track} chapters={chapters} />
          {isPreviewEnded && <PreviewEndedPanel duration={track.duration} />}
          <ExpandedControls favorite={favorite} />
        </div>
        {hasQueue && <QueueAside action={queueAction} />}
      </FullScreenContent>
    </FullScreen>
  );
}

function Top() {
  const player = usePlayer();
  const isFull = usePlayerState((state) => state.isFullTrackAvailable);
  const isQueueVisible = usePlayerState((state) => state.isQueueVisible);
  return (
    <div className="flex min-h-11 shrink-0 items-center justify-between">
      <IconButton label="Minimise player" onClick={player.toggleExpanded}>
        <ChevronDown />
      </IconButton>
      <p className="type-kicker">{isFull ? 'Now playing' : 'Preview'}</p>
      <IconButton label="Queue" aria-expanded={isQueueVisible} onClick={player.toggleQueue}>
        <ListMusic />
      </IconButton>
    </div>
  );
}

type SeekTimesProps = { track: Track; chapters?: readonly Chapter[] | undefined };

/** Elapsed and total time, and the current chapter between them. */
function SeekTimes({ track, chapters = [] }: SeekTimesProps) {
  const time = usePlayerState((state) => Math.floor(state.currentTime));
  const duration = usePlayerState((state) => state.duration);
  const chapter = findChapter(chapters, positionInTrack(track, time));
  return (
    <div className="flex shrink-0 justify-between gap-4 pt-2 type-meta tabular">
      <span>{formatDuration(time)}</span>
      {chapter && <span className="truncate text-text-2">Now: {chapter.title}</span>}
      <span>{formatDuration(duration)}</span>
    </div>
  );
}

function QueueAside({ action }: { action: ReactNode }) {
  const player = usePlayer();
  return (
    <aside
      aria-label={QUEUE_TITLE}
      className="flex min-h-0 flex-col border-l border-line bg-overlay"
    >
      <div className="flex items-center gap-2.5 pt-[18px] pr-3.5 pb-3 pl-6">
        <h2 className="type-section">{QUEUE_TITLE}</h2>
        <QueueHead />
        <IconButton label="Close queue" onClick={player.toggleQueue}>
          <X />
        </IconButton>
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain">
        <QueueList />
      </div>
      <div className="border-t border-line px-6 py-3.5 text-13 text-text-2">
        <QueueFooter action={action} />
      </div>
    </aside>
  );
}

/** Someone who follows a link wants to see the page it opens. */
function useMinimiseOnNavigation(isOpen: boolean): void {
  const player = usePlayer();
  const [location] = useLocation();
  const openedAt = useRef(location);
  useEffect(() => {
    if (isOpen && openedAt.current !== location) player.toggleExpanded();
    openedAt.current = location;
  }, [isOpen, location, player]);
}

type ExpandedStageProps = {
  track: Track;
  isNextToQueue: boolean;
  /** The panel below then needs the room. */
  isPreviewEnded: boolean;
};

/** Cover, week number and texts. On a phone the number is next to the title. */
function ExpandedStage({ track, isNextToQueue, isPreviewEnded }: ExpandedStageProps) {
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

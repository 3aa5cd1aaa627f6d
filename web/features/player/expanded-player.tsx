import { useQuery } from '@tanstack/react-query';
import { ChevronDown, ListMusic, X } from '#web/ui/icons.ts';
import { useEffect, useRef, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { formatDuration } from '#contract/rules/format.ts';
import type { Chapter, Track } from '#contract/tracks.ts';
import { trackQuery } from '#web/features/tracks/api.ts';
import { positionInTrack, selectIsPreviewEnded } from '#web/player/preview-limit.ts';
import { usePlayer, usePlayerState } from '#web/player/use-player.ts';
import { FullScreen, FullScreenContent } from '#web/ui/overlays/full-screen.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { findChapter } from './current-chapter.ts';
import { ExpandedControls } from './expanded-controls.tsx';
import { ExpandedStage } from './expanded-stage.tsx';
import { PreviewEndedPanel } from './preview-ended-panel.tsx';
import { QUEUE_TITLE, QueueFooter, QueueHead, QueueList } from './queue-list.tsx';
import { SeekBar } from './seek-bar.tsx';
import { useIsWide } from '#web/ui/use-is-wide.ts';

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
            className={`h-16 shrink-0 md:h-28 ${isPreviewEnded ? 'mt-4' : ''}`}
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

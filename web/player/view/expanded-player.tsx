import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, type ReactNode } from 'react';
import { useLocation, Link } from 'wouter';
import { ChevronDown, ListMusic, X } from '#web/ui/icons.ts';
import { formatDuration } from '#contract/rules/time.ts';
import type { Chapter, Track } from '#contract/tracks.ts';
import { trackQuery } from '#web/features/tracks/api.ts';
import { positionInTrack, selectIsPreviewEnded } from '#web/player/preview-limit.ts';
import { boot } from '#web/lib/store/boot.ts';
import { useStore } from '#web/lib/store/store.ts';
import { stoppedElsewhere } from '#web/player/session/stopped-elsewhere.ts';
import { usePlayer, usePlayerState } from '#web/player/use-player.ts';
import { FullScreen, FullScreenContent, FullScreenTitle } from '#web/ui/overlays/full-screen.tsx';
import { ArtistLinks } from '#web/ui/artist-links.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { fitTitle } from '#web/ui/title-fit.ts';
import { ScrollArea } from '#web/ui/scroll-area.tsx';
import { useIsWide } from '#web/ui/use-is-wide.ts';
import { Numeral } from '#web/ui/art/numeral.tsx';
import { Sleeve } from '#web/ui/art/sleeve.tsx';
import { DataLine } from './data-line.tsx';
import { findChapter } from './current-chapter.ts';
import { describeEnd } from './describe-end.ts';
import { ExpandedControls } from './expanded-controls.tsx';
import { PreviewEndedPanel } from './preview-ended-panel.tsx';
import { QUEUE_TITLE, QueueFooter, QueueHead, QueueList } from './queue-list.tsx';
import { SeekBar } from './seek-bar.tsx';
import { StoppedElsewhereNote } from './stopped-elsewhere-note.tsx';

/** Description and chapters are asked for once, not each time that the player is expanded. */
const detailQuery = (id: string) => ({ ...trackQuery(id), staleTime: Infinity });

type ExpandedPlayerProps = {
  open: boolean;
  track: Track;
  favorite: ReactNode;
  share: ReactNode;
  /** Only for members. */
  clip: ReactNode;
  cast: ReactNode;
  /** Directly under the waveform. */
  marks: ReactNode;
  /** Under its times. */
  row: ReactNode;
  /** Another action for the queue. */
  queueAction?: ReactNode;
};

/** The player in the whole window. If there is room, the queue is next to it. */
export function ExpandedPlayer({
  open,
  track,
  favorite,
  share,
  clip,
  cast,
  marks,
  row,
  queueAction,
}: ExpandedPlayerProps) {
  const player = usePlayer();
  const isWide = useIsWide();
  const isQueueVisible = usePlayerState((state) => state.isQueueVisible);
  const isPreviewEnded = usePlayerState(selectIsPreviewEnded);
  const stopped = useStore(stoppedElsewhere);
  const { data } = useQuery(detailQuery(track.id));
  const chapters = data?.chapters;
  const hasQueue = isWide && isQueueVisible;
  useMinimiseOnNavigation(open);
  return (
    <FullScreen open={open} onOpenChange={(next) => next !== open && player.toggleExpanded()}>
      <FullScreenContent
        aria-label="Player"
        data-week={track.weekNumber}
        // Escape closes what is being written first.
        onEscapeKeyDown={(event) => {
          if (event.target instanceof Element && event.target.closest('form'))
            event.preventDefault();
        }}
        className={`grid bg-bg ${hasQueue ? 'grid-cols-[minmax(0,1fr)_392px]' : 'grid-cols-1'}`}
      >
        <div className="stage @container/expanded min-w-0 overflow-y-auto overscroll-contain">
          <div className="flex min-h-full flex-col px-5 pt-1.5 pb-5 @3xl/expanded:px-12 @3xl/expanded:pt-[18px] @3xl/expanded:pb-9">
            <Top share={share} cast={cast} />
            {stopped !== null && <StoppedElsewhereNote message={stopped} look="stage" />}
            <ExpandedStage track={track} isPreviewEnded={isPreviewEnded} />
            <SeekBar
              track={track}
              chapters={chapters}
              look="stage"
              isExplained
              className="min-h-22 shrink-0 @3xl/expanded:min-h-32 @double/expanded:min-h-48"
            />
            {marks}
            <SeekTimes track={track} chapters={chapters} />
            {row}
            {isPreviewEnded && <PreviewEndedPanel duration={track.duration} />}
            <ExpandedControls favorite={favorite} clip={clip} />
          </div>
        </div>
        {hasQueue && <QueueAside action={queueAction} />}
      </FullScreenContent>
    </FullScreen>
  );
}

function Top({ share, cast }: Pick<ExpandedPlayerProps, 'share' | 'cast'>) {
  const player = usePlayer();
  const isFull = usePlayerState((state) => state.isFullTrackAvailable);
  const isQueueVisible = usePlayerState((state) => state.isQueueVisible);
  return (
    <div className="grid min-h-11 shrink-0 grid-cols-[1fr_auto_1fr] items-center">
      <div className="flex">
        <IconButton label="Minimise player" onClick={player.toggleExpanded}>
          <ChevronDown />
        </IconButton>
        {/* Three buttons on one side would push the text out of a phone's centre. */}
        <span className="@3xl/expanded:hidden">{cast}</span>
      </div>
      <p className="type-kicker">{isFull ? 'Now playing' : 'Preview'}</p>
      <div className="flex justify-end">
        <span className="@max-3xl/expanded:hidden">{cast}</span>
        {share}
        <IconButton label="Queue" aria-expanded={isQueueVisible} onClick={player.toggleQueue}>
          <ListMusic />
        </IconButton>
      </div>
    </div>
  );
}

type SeekTimesProps = { track: Track; chapters?: readonly Chapter[] | undefined };

/** Elapsed and total time, and the current chapter between them. */
function SeekTimes({ track, chapters = [] }: SeekTimesProps) {
  const time = usePlayerState((state) => Math.floor(state.currentTime));
  const end = usePlayerState(describeEnd);
  const chapter = findChapter(chapters, positionInTrack(track, time));
  return (
    <div className="flex shrink-0 justify-between gap-4 pt-2 type-meta tabular">
      <span>{formatDuration(time)}</span>
      {chapter && <span className="truncate text-text-2">Now: {chapter.title}</span>}
      <span>{end}</span>
    </div>
  );
}

function QueueAside({ action }: { action: ReactNode }) {
  const player = usePlayer();
  return (
    <aside
      aria-label={QUEUE_TITLE}
      className="@container/sheet flex min-h-0 flex-col border-l border-line bg-overlay"
    >
      <div className="flex flex-wrap items-center gap-x-2.5 pt-[18px] pr-3.5 pb-3 pl-6">
        <h2 className="type-section">{QUEUE_TITLE}</h2>
        <QueueHead />
        <IconButton label="Close queue" className="ml-auto" onClick={player.toggleQueue}>
          <X />
        </IconButton>
      </div>
      <ScrollArea className="min-h-0 flex-1">
        <QueueList />
      </ScrollArea>
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
  /** The panel below then needs the room. */
  isPreviewEnded: boolean;
};

/** Cover, week number and texts. In a narrow player the number is next to the title. */
function ExpandedStage({ track, isPreviewEnded }: ExpandedStageProps) {
  const week = { value: track.weekNumber, isDecorative: true };
  const columns = isPreviewEnded
    ? '@max-3xl/expanded:grid-cols-[minmax(0,1fr)_auto] @3xl/expanded:grid-cols-[min(42vh,36cqi)_minmax(0,1fr)]'
    : '@3xl/expanded:grid-cols-[min(48vh,40cqi)_minmax(0,1fr)]';
  return (
    <div
      className={`grid flex-1 content-center items-end gap-[18px] py-4 @3xl/expanded:gap-8 @3xl/expanded:pb-10 @5xl/expanded:gap-12 ${columns}`}
    >
      <Sleeve
        week={track.weekNumber}
        trackId={track.id}
        coverUrl={track.coverUrl}
        className={`@3xl/expanded:w-full ${isPreviewEnded ? 'w-[min(100%,32dvh)]' : `mx-auto @3xl/expanded:mx-0 ${boot.hasMoments ? 'w-[min(100%,35dvh)]' : 'w-[min(100%,42dvh)]'}`}`}
      />
      {isPreviewEnded && <Numeral {...week} size="262px" className="@3xl/expanded:hidden" />}
      <div
        className={`relative min-w-0 @max-3xl/expanded:col-span-full @3xl/expanded:flex @3xl/expanded:flex-col @3xl/expanded:gap-8 @6xl/expanded:flex-row-reverse @6xl/expanded:items-end ${isPreviewEnded ? '' : '@max-3xl/expanded:min-h-16'}`}
      >
        <Numeral
          {...week}
          size={isPreviewEnded ? 'min(26vh, 30cqi, 392px)' : 'min(40vh, 37cqi, 392px)'}
          className="@max-3xl/expanded:hidden @6xl/expanded:hidden"
        />
        <Numeral
          {...week}
          size={isPreviewEnded ? 'min(52vh, 34cqi)' : 'min(62vh, 36cqi)'}
          className="@max-6xl/expanded:hidden"
        />
        {!isPreviewEnded && (
          <Numeral
            {...week}
            size="92px"
            className="absolute right-0 bottom-1 @max-xs/expanded:hidden @3xl/expanded:hidden"
          />
        )}
        <TrackInfo track={track} isNextToNumeral={!isPreviewEnded} />
      </div>
    </div>
  );
}

function TrackInfo({ track, isNextToNumeral }: { track: Track; isNextToNumeral: boolean }) {
  const player = usePlayer();
  const { data } = useQuery(detailQuery(track.id));
  const description = data?.description ?? (track.description || undefined);
  const room = isNextToNumeral ? '@xs/expanded:@max-3xl/expanded:pr-[104px]' : '';
  return (
    <div className={`@container min-w-0 flex-1 ${room}`}>
      <FullScreenTitle asChild>
        <h2
          style={fitTitle(track.title)}
          className="mb-1.5 type-display title-fit [--title-max:2.625rem] @3xl/expanded:mb-3 @3xl/expanded:[--title-max:4.5rem] @double/expanded:[--title-max:7rem]"
        >
          <Link href={`/track/${track.id}`} onClick={player.toggleExpanded}>
            {track.title}
          </Link>
        </h2>
      </FullScreenTitle>
      <p className="type-meta">
        <Facts>
          <b className="font-semibold text-text-2">Week {track.weekNumber}</b>
          {track.artists && <ArtistLinks artists={track.artists} />}
          {track.genre}
          {track.bpm && `${track.bpm} BPM`}
        </Facts>
      </p>
      <DataLine key={track.fileUrl} track={data ?? track} />
      {description !== '' && (
        <p
          // Until the text is there, it has the room of two lines.
          className={`mt-2 line-clamp-2 max-w-[52ch] text-text-2 @3xl/expanded:line-clamp-3 ${description ? '' : 'min-h-[2lh]'}`}
        >
          {description}
        </p>
      )}
    </div>
  );
}

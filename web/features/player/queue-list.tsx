import { X } from '#web/ui/icons.ts';
import { useLayoutEffect, useRef, type ReactNode } from 'react';
import { formatDuration } from '#contract/rules/format.ts';
import type { Track } from '#contract/tracks.ts';
import { usePlayer, usePlayerState } from '#web/player/use-player.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Equaliser } from '#web/ui/art/equaliser.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { PlayerSleeve } from './player-sleeve.tsx';

export const QUEUE_TITLE = 'Current Queue';

/** The number of tracks, and a button to clear them. */
export function QueueHead() {
  const player = usePlayer();
  const total = usePlayerState((state) => state.queue.length);
  return (
    <div className="flex flex-1 items-center">
      <Tag>
        {total} {total === 1 ? 'track' : 'tracks'}
      </Tag>
      {/* A disabled button would lose the focus. */}
      <Button
        variant="quiet"
        className="ml-auto"
        aria-disabled={total === 0}
        onClick={player.clear}
      >
        Clear
      </Button>
    </div>
  );
}

export function QueueFooter({ action }: { action?: ReactNode }) {
  const text = usePlayerState(({ currentTrackIndex, queue }) =>
    currentTrackIndex >= 0 ? `Now playing: ${currentTrackIndex + 1} of ${queue.length}` : 'None',
  );
  return (
    <div className="flex items-center justify-between gap-3">
      <p>{text}</p>
      {action}
    </div>
  );
}

export function QueueList() {
  const player = usePlayer();
  const queue = usePlayerState((state) => state.queue);
  const currentIndex = usePlayerState((state) => state.currentTrackIndex);
  const { frame, focusSoon } = useFocusAfterRemoval();
  const remove = (index: number) => {
    focusSoon(index);
    player.removeFromQueue(index);
  };
  return (
    <div ref={frame} tabIndex={-1} className="outline-none">
      {queue.length === 0 ? (
        <div className="px-6 py-5">
          <EmptyState
            title="Your queue is empty"
            text="Add tracks to your queue from the favorites or library page"
            headingLevel={3}
          />
        </div>
      ) : (
        <ol className="px-3 py-1">
          {queue.map((track, index) => (
            <QueueRow
              key={`${track.id} ${index}`}
              track={track}
              index={index}
              isCurrent={index === currentIndex}
              onRemove={() => remove(index)}
            />
          ))}
        </ol>
      )}
    </div>
  );
}

/**
 * Removing a row also removes the focused button, so the focus moves to the row that takes its
 * place: one row after another can be removed.
 */
function useFocusAfterRemoval() {
  const frame = useRef<HTMLDivElement>(null);
  const removedAt = useRef<number | null>(null);
  useLayoutEffect(() => {
    const index = removedAt.current;
    removedAt.current = null;
    if (index === null || !frame.current) return;
    const rows = [...frame.current.querySelectorAll('li')];
    const row = rows[Math.min(index, rows.length - 1)];
    const buttons = row?.querySelectorAll('button') ?? [];
    // The current row has no remove button, only the one that plays it.
    ([...buttons].at(-1) ?? frame.current).focus();
  });
  return { frame, focusSoon: (index: number) => (removedAt.current = index) };
}

type QueueRowProps = { track: Track; index: number; isCurrent: boolean; onRemove: () => void };

function QueueRow({ track, index, isCurrent, onRemove }: QueueRowProps) {
  const player = usePlayer();
  return (
    <li
      data-week={track.weekNumber}
      aria-current={isCurrent || undefined}
      className="grid min-h-[72px] grid-cols-[minmax(0,1fr)_44px] items-center rounded-lg pr-1 aria-[current=true]:bg-week-wash-2"
    >
      <button
        type="button"
        className="grid min-h-[72px] grid-cols-[28px_48px_minmax(0,1fr)_auto] items-center rounded-lg pr-2 text-left focus-visible:-outline-offset-2 md:grid-cols-[44px_48px_minmax(0,1fr)_auto]"
        onClick={() => player.playTrackAt(index)}
      >
        <span className="grid place-items-center tabular text-text-3">
          {isCurrent ? <PlayingMark /> : index + 1}
        </span>
        <PlayerSleeve track={track} />
        <span className="min-w-0 px-3">
          <span className={`block truncate font-semibold ${isCurrent ? 'text-week' : 'text-text'}`}>
            {track.title}
          </span>
          <span className="block truncate type-meta">{track.genre ?? 'Unknown Genre'}</span>
        </span>
        <span className="type-meta tabular">{formatDuration(track.duration)}</span>
      </button>
      {!isCurrent && (
        <IconButton label={`Remove ${track.title} from the queue`} onClick={onRemove}>
          <X />
        </IconButton>
      )}
    </li>
  );
}

function PlayingMark() {
  return <Equaliser isPlaying={usePlayerState((state) => state.isPlaying)} />;
}

import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatDuration } from '#contract/rules/duration.ts';
import type { Track } from '#contract/tracks.ts';
import { usePlayer, usePlayerState } from '#web/player/use-player.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Equaliser } from '#web/ui/equaliser.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { PlayerSleeve } from './player-sleeve.tsx';

export const QUEUE_TITLE = 'Current Queue';

/** How many tracks there are, and a way to be rid of them. */
export function QueueHead() {
  const player = usePlayer();
  const total = usePlayerState((state) => state.queue.length);
  return (
    <div className="flex flex-1 items-center">
      <Tag>
        {total} {total === 1 ? 'track' : 'tracks'}
      </Tag>
      <Button variant="quiet" className="ml-auto" disabled={total === 0} onClick={player.clear}>
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
  const queue = usePlayerState((state) => state.queue);
  const currentIndex = usePlayerState((state) => state.currentTrackIndex);
  if (queue.length === 0)
    return (
      <div className="px-6 py-5">
        <EmptyState title="Your queue is empty" headingLevel={3}>
          Add tracks to your queue from the favorites or library page
        </EmptyState>
      </div>
    );
  return (
    <ol className="px-3 py-1">
      {queue.map((track, index) => (
        <QueueRow
          key={`${track.id} ${index}`}
          track={track}
          index={index}
          isCurrent={index === currentIndex}
        />
      ))}
    </ol>
  );
}

type QueueRowProps = { track: Track; index: number; isCurrent: boolean };

function QueueRow({ track, index, isCurrent }: QueueRowProps) {
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
        <IconButton
          label={`Remove ${track.title} from the queue`}
          onClick={() => player.removeFromQueue(index)}
        >
          <X aria-hidden strokeWidth={1.75} />
        </IconButton>
      )}
    </li>
  );
}

function PlayingMark() {
  return <Equaliser isPlaying={usePlayerState((state) => state.isPlaying)} />;
}

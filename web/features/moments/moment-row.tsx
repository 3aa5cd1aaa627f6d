import { useEffect, useMemo, useRef, useState } from 'react';
import { minuteOf } from '#contract/rules/moments.ts';
import { formatDuration } from '#contract/rules/time.ts';
import type { Track } from '#contract/tracks.ts';
import { showErrorToast, showToast } from '#web/lib/store/toasts.ts';
import { positionInTrack } from '#web/player/preview-limit.ts';
import { usePlayer, usePlayerState } from '#web/player/use-player.ts';
import { Button } from '#web/ui/button.tsx';
import { MessageSquare } from '#web/ui/icons.ts';
import { useMarks, useMomentActions } from './api.ts';
import { MomentForm } from './moment-form.tsx';
import { choosePassing, findPassing } from './passing.ts';

/** The line that passes while the mix plays, and the way to leave one at this second. */
export function MomentRow({ track }: { track: Track }) {
  const player = usePlayer();
  const { data } = useMarks(track.id);
  const { leave, remove } = useMomentActions(track.id);
  const [openedAt, setOpenedAt] = useState<number | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(false);
  useEffect(() => {
    // The form had the focus, and the button comes back in its place.
    if (wasOpen.current && openedAt === null) button.current?.focus({ preventScroll: true });
    wasOpen.current = openedAt !== null;
  }, [openedAt]);
  const isCurrent = usePlayerState((state) => state.currentTrack?.id === track.id);
  if (data && !data.isOn) return null;
  const marks = data?.marks ?? [];
  const canLeave = data !== undefined && data.obstacle === null && isCurrent;

  function open(): void {
    const { currentTrack, currentTime } = player.store.get();
    if (currentTrack?.id !== track.id) return;
    const second = Math.floor(positionInTrack(currentTrack, currentTime));
    setOpenedAt(Math.max(0, Math.min(second, Math.ceil(track.duration) - 1)));
  }

  async function submit(at: number, text: string): Promise<void> {
    const { id } = await leave(at, text);
    showToast({
      title: `Moment left at ${formatDuration(at)}`,
      undo: { run: () => remove(id), plural: 'moments left' },
    });
  }

  const offerToLeave = (at: number, text: string): void =>
    showToast({
      title: 'Your moment isn’t left yet',
      description: text,
      isPersistent: true,
      action: {
        label: 'Leave it',
        onSelect: () =>
          submit(at, text).catch((error: unknown) =>
            showErrorToast(error, 'Couldn’t save your moment. Check your connection.'),
          ),
      },
    });

  if (openedAt !== null) {
    const minute = minuteOf(openedAt);
    const taken = marks.find(({ at, own }) => own && minuteOf(at) === minute);
    return (
      <div className="shrink-0 pt-3">
        <MomentForm
          at={openedAt}
          note={taken && `You already left one in this minute, at ${formatDuration(taken.at)}.`}
          onSubmit={(text) => submit(openedAt, text)}
          onClose={() => setOpenedAt(null)}
          onInterrupted={(text) => offerToLeave(openedAt, text)}
        />
      </div>
    );
  }
  return (
    <div className="flex min-h-11 shrink-0 items-center justify-between gap-4 pt-1.5">
      <PassingLine track={track} />
      {canLeave && (
        <Button ref={button} variant="line" size="sm" onClick={open}>
          <MessageSquare />
          Leave a moment
        </Button>
      )}
    </div>
  );
}

/** Screen readers have the list instead: a voice over the music would be no help. */
function PassingLine({ track }: { track: Track }) {
  const { data } = useMarks(track.id);
  const passing = useMemo(() => choosePassing(data?.marks ?? []), [data]);
  const id = usePlayerState(({ currentTrack, currentTime }) =>
    currentTrack?.id === track.id
      ? (findPassing(passing, positionInTrack(currentTrack, currentTime))?.id ?? null)
      : null,
  );
  const line = passing.find((mark) => mark.id === id);
  return (
    <p aria-live="off" className="line-clamp-2 min-w-0 flex-1 leading-[1.35] wrap-anywhere">
      {line && (
        <span key={line.id} className="animate-fade-in">
          <bdi className="font-medium">{line.text}</bdi>{' '}
          <span className="type-meta">
            <span className="sr-only">by </span>
            {line.own ? 'you' : line.username}
          </span>
        </span>
      )}
    </p>
  );
}

import { useState } from 'react';
import { formatDuration } from '#contract/rules/time.ts';
import type { Track } from '#contract/tracks.ts';
import { copyLink } from './copy-link.ts';
import { positionInTrack } from '#web/player/preview-limit.ts';
import { usePlayer } from '#web/player/use-player.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { Copy, Share2 } from '#web/ui/icons.ts';
import { buildTrackUrl, parseStartSecond } from './share-link.ts';

/** What is wrong with a start; undefined if it is a second of the track. */
function findProblem(second: number | null, duration: number): string | undefined {
  if (second === null) return 'Enter a time like 12:34.';
  return second < duration ? undefined : `This mix ends at ${formatDuration(duration)}.`;
}

/** Where the player is in this track when the dialog opens. */
function useCurrentSecond(track: Track): number {
  const player = usePlayer();
  const [second] = useState(() => {
    const { currentTrack, currentTime } = player.store.get();
    return currentTrack?.id === track.id ? positionInTrack(currentTrack, currentTime) : 0;
  });
  return second;
}

/** The link to a track, from its start or from a second. */
export function ShareAddress({ track }: { track: Track }) {
  const current = useCurrentSecond(track);
  const [hasStart, setHasStart] = useState(false);
  const [start, setStart] = useState(formatDuration(current));
  const second = parseStartSecond(start);
  const problem = hasStart ? findProblem(second, track.duration) : undefined;
  const isAtSecond = hasStart && problem === undefined;
  const url = buildTrackUrl(window.location.origin, track.id, isAtSecond ? second : null);
  return (
    <>
      <Field label="Link" value={url} readOnly onFocus={(event) => event.target.select()} />
      <label className="mt-2 flex min-h-11 w-fit items-center gap-2.5 font-medium">
        <input
          type="checkbox"
          className="size-5 accent-(--action)"
          checked={hasStart}
          onChange={(event) => setHasStart(event.target.checked)}
        />
        Start at {formatDuration(second ?? current)}
      </label>
      {hasStart && (
        <Field
          label="Start time"
          error={problem}
          value={start}
          autoComplete="off"
          maxLength={10}
          onChange={(event) => setStart(event.target.value)}
        />
      )}
      <div className="mt-4 flex flex-wrap gap-2">
        <Button disabled={problem !== undefined} onClick={() => void copyLink(url)}>
          <Copy />
          Copy link
        </Button>
        {'share' in navigator && (
          <Button
            variant="line"
            disabled={problem !== undefined}
            onClick={() => void openShareSheet(track, url)}
          >
            <Share2 />
            Share with…
          </Button>
        )}
      </div>
    </>
  );
}

/** The device's own list of apps. Copies the link if the device can't show it. */
async function openShareSheet(
  { title, weekNumber }: Pick<Track, 'title' | 'weekNumber'>,
  url: string,
): Promise<void> {
  try {
    await navigator.share({ title: `${title}, week ${weekNumber}`, url });
  } catch (error) {
    const isClosed = error instanceof DOMException && error.name === 'AbortError';
    if (!isClosed) await copyLink(url);
  }
}

import { useState } from 'react';
import { formatDuration } from '#contract/rules/time.ts';
import type { Track } from '#contract/tracks.ts';
import { positionInTrack } from '#web/player/preview-limit.ts';
import { usePlayer } from '#web/player/use-player.ts';
import { Field } from '#web/ui/forms/field.tsx';
import { ShareActions } from './share-actions.tsx';
import { parseStartSecond } from './share-link.ts';
import { shareTrack, urlOf } from './share-sheet.ts';

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
  const [start, setStart] = useState(current > 0 ? formatDuration(current) : '');
  const second = parseStartSecond(start);
  const isEmpty = start.trim() === '';
  const problem = hasStart && !isEmpty ? findProblem(second, track.duration) : undefined;
  const isAtSecond = hasStart && problem === undefined;
  const shared = shareTrack(track, isAtSecond ? second : null);
  return (
    <>
      <Field
        label="Link"
        value={urlOf(shared)}
        readOnly
        onFocus={(event) => event.target.select()}
      />
      <label className="mt-2 flex min-h-11 w-fit items-center gap-2.5 font-medium">
        <input
          type="checkbox"
          className="size-5"
          checked={hasStart}
          onChange={(event) => setHasStart(event.target.checked)}
        />
        Start at {second === null ? 'a time you choose' : formatDuration(second)}
      </label>
      {hasStart && (
        <Field
          label="Start time"
          {...(problem === undefined ? { hint: 'Like 12:34.' } : { error: problem })}
          value={start}
          autoComplete="off"
          maxLength={10}
          onChange={(event) => setStart(event.target.value)}
        />
      )}
      <ShareActions shared={shared} isDisabled={problem !== undefined} />
    </>
  );
}

import { useEffect, useState } from 'react';
import type { Track } from '#contract/tracks.ts';
import { useIsRendered } from '#web/lib/format/now.ts';
import { selectIsSmall } from '#web/player/preview-limit.ts';
import { usePlayerState } from '#web/player/use-player.ts';

/** Only the server, which needs no lazy code, has them while it renders. */
export const serverWords: { describeData?: (track: Track) => string } = {};

/**
 * What Play uses in data, and what that costs. Give it the address of the file as its key. The server writes the
 * line, so that no page waits for its code, which only loads where a browser may have other words.
 */
export function DataLine({ track, className = '' }: { track: Track; className?: string }) {
  const isDataSaver = usePlayerState((state) => selectIsSmall(state, track.id));
  const isRendered = useIsRendered();
  const [text, setText] = useState('');
  useEffect(() => {
    if (isRendered && track.access === 'preview') return;
    let isCurrent = true;
    import('./data-use.ts')
      .then(({ describeDataHere }) => describeDataHere(track, isDataSaver))
      .then(
        (found) => isCurrent && setText(found),
        // Without its code the line of the server stays, or the page has none.
        () => undefined,
      );
    return () => void (isCurrent = false);
  }, [isRendered, track, isDataSaver]);
  return (
    <span
      suppressHydrationWarning
      className={`block min-h-[1lh] type-meta tabular text-balance ${className}`}
    >
      {serverWords.describeData?.(track) ?? text}
    </span>
  );
}

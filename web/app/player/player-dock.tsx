import { lazy, Suspense, useEffect, useState } from 'react';
import type { User } from '#contract/accounts.ts';
import { usePlayerState } from '#web/player/use-player.ts';
import { ErrorBoundary } from '../error-boundary.tsx';

const Dock = lazy(() => import('./dock.tsx').then((module) => ({ default: module.Dock })));
const PlayerShortcuts = lazy(() =>
  import('./player-shortcuts.tsx').then((module) => ({ default: module.PlayerShortcuts })),
);

/** What stands at the bottom of every page once there is something to hear; its code arrives then. */
export function PlayerDock({ user }: { user: User | null }) {
  const track = usePlayerState((state) => state.currentTrack);
  const [helpPress, setHelpPress] = useState<KeyboardEvent | null>(null);
  const hasTrack = track !== null;
  useEffect(() => {
    if (hasTrack || helpPress) return;
    // Without a track the help is all that the keyboard has to offer.
    const onKeyDown = (event: KeyboardEvent) => event.key === '?' && setHelpPress(event);
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [hasTrack, helpPress]);
  return (
    <ErrorBoundary {...(track && { resetKey: track.id })}>
      <Suspense fallback={null}>
        {track && <Dock track={track} user={user} />}
        {!track && helpPress && <PlayerShortcuts firstPress={helpPress} />}
      </Suspense>
    </ErrorBoundary>
  );
}

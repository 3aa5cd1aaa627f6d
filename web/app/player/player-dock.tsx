import { lazy, Suspense, useDeferredValue, useEffect, useState } from 'react';
import type { User } from '#contract/accounts.ts';
import { runAfterFirstPaint } from '#web/lib/run-after-first-paint.ts';
import { usePlayerState } from '#web/player/use-player.ts';
import { ErrorBoundary } from '#web/ui/error-boundary.tsx';
import { useIsIdle } from '../use-is-idle.ts';

const loadDock = () => import('./dock.tsx').then((module) => ({ default: module.Dock }));
const Dock = lazy(loadDock);
const PlayerShortcuts = lazy(() =>
  import('./player-shortcuts.tsx').then((module) => ({ default: module.PlayerShortcuts })),
);

/** What stands at the bottom of every page once there is something to hear. */
export function PlayerDock({ user }: { user: User | null }) {
  const track = usePlayerState((state) => state.currentTrack);
  const [helpPress, setHelpPress] = useState<KeyboardEvent | null>(null);
  const hasTrack = track !== null;
  // Drawing the bar may wait; the request for the sound begins only when the press is dealt with.
  const isDue = useDeferredValue(hasTrack);
  const isSettled = useIsIdle();
  useEffect(() => {
    // Asked for with the first press, its code would stand in line before the sound.
    if (!isSettled) return;
    return runAfterFirstPaint(() => void loadDock().catch(() => undefined));
  }, [isSettled]);
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
        {track && isDue && <Dock track={track} user={user} />}
        {!track && helpPress && <PlayerShortcuts firstPress={helpPress} />}
      </Suspense>
    </ErrorBoundary>
  );
}

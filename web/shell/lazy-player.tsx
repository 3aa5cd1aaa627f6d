import { lazy, Suspense, useDeferredValue, useEffect, useState } from 'react';
import type { User } from '#contract/accounts.ts';
import { hasFullAccess } from '#web/lib/api/current-user.ts';
import { afterHydration } from '#web/lib/schedule/schedule.ts';
import { PREVIEW_ENDED_EVENT } from '#web/player/browser-player.ts';
import { usePlayerState } from '#web/player/use-player.ts';
import { ErrorBoundary } from '#web/ui/error-boundary.tsx';
import { reloadableLazy } from '#web/lib/schedule/lazy-component.ts';
import { watchHelpKey } from '#web/lib/schedule/early-press.ts';
import { PremiumPrompt } from './premium-prompt.tsx';

const loadPlayer = () =>
  import('./player.tsx').then((module) => ({ default: module.PlayerWithPanels }));
const PlayerWithPanels = lazy(loadPlayer);
const help = reloadableLazy(() => import('./open-help.tsx'), 'OpenHelp');

/** The player at the bottom of every page, once there is a current track. */
export function LazyPlayer({ user }: { user: User | null }) {
  const track = usePlayerState((state) => state.currentTrack);
  const [helpPress, setHelpPress] = useState<KeyboardEvent | null>(null);
  // The prompt loads with the first preview that ends, and listens itself from then on.
  const [hasPreviewEnded, setPreviewEnded] = useState(false);
  const isFull = hasFullAccess(user);
  const hasTrack = track !== null;
  // Rendering the bar can wait: the audio request starts only after the click is handled.
  const isDue = useDeferredValue(hasTrack);
  // Requested with the first click, its code would delay the audio.
  useEffect(() => afterHydration(() => void loadPlayer().catch(() => undefined)), []);
  useEffect(() => {
    if (hasPreviewEnded || isFull) return;
    const onPreviewEnded = () => setPreviewEnded(true);
    window.addEventListener(PREVIEW_ENDED_EVENT, onPreviewEnded);
    return () => window.removeEventListener(PREVIEW_ENDED_EVENT, onPreviewEnded);
  }, [hasPreviewEnded, isFull]);
  // Each press counts, also while the page or the code of the help is still loading.
  useEffect(() => watchHelpKey(setHelpPress), []);
  return (
    <>
      <ErrorBoundary {...(track && { resetKey: track.id })}>
        <Suspense fallback={null}>
          {track && isDue && <PlayerWithPanels track={track} user={user} />}
        </Suspense>
      </ErrorBoundary>
      {helpPress && (
        <ErrorBoundary
          fallback={null}
          resetKey={String(helpPress.timeStamp)}
          onError={() => help.reload()}
        >
          <Suspense fallback={null}>
            <help.Part press={helpPress} />
          </Suspense>
        </ErrorBoundary>
      )}
      <ErrorBoundary fallback={null}>
        <Suspense fallback={null}>
          {hasPreviewEnded && <PremiumPrompt user={user} isOpen />}
        </Suspense>
      </ErrorBoundary>
    </>
  );
}

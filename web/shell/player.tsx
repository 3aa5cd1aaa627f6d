import { Suspense, useEffect, useRef, useState, type ReactNode } from 'react';
import type { User } from '#contract/accounts.ts';
import type { Track } from '#contract/tracks.ts';
import { NewAchievements } from '#web/features/achievements/new-achievements.tsx';
import { FavoriteButton } from '#web/features/favorites/favorite-button.tsx';
import { useFavorite } from '#web/features/favorites/use-favorite.ts';
import { PlayerBar } from '#web/player/view/player-bar.tsx';
import { StoppedElsewhereNote } from '#web/player/view/stopped-elsewhere-note.tsx';
import { SaveTracksButton } from '#web/features/playlists/save-tracks-button.tsx';
import { listChosen } from '#web/player/machine/queue-edits.ts';
import { watchSignals } from '#web/lib/api/live.ts';
import { useStore } from '#web/lib/store/store.ts';
import { watchShortcuts } from '#web/player/session/shortcuts.ts';
import { stoppedElsewhere } from '#web/player/session/stopped-elsewhere.ts';
import { usePlayer, usePlayerState } from '#web/player/use-player.ts';
import { lazyComponent } from '#web/lib/schedule/lazy-component.ts';
import { ErrorBoundary } from '#web/ui/error-boundary.tsx';
import { lazyPanel } from '#web/ui/overlays/lazy-overlay.tsx';

const Expanded = lazyPanel(() => import('./expanded.tsx'), 'Expanded');
const CastButton = lazyComponent(() => import('#web/player/view/cast-button.tsx'), 'CastButton');
const QueueSheet = lazyPanel(() => import('#web/player/view/queue-sheet.tsx'), 'QueueSheet');

/** The player bar, and the panels that open from it. */
export function PlayerWithPanels({ track, user }: { track: Track; user: User | null }) {
  const isQueueVisible = usePlayerState((state) => state.isQueueVisible);
  const isExpanded = usePlayerState((state) => state.isExpanded);
  const stopped = useStore(stoppedElsewhere);
  const hasOpenedQueue = useWasTrue(isQueueVisible);
  const hasExpanded = useWasTrue(isExpanded);
  const { toggleExpanded, toggleQueue } = usePlayer();
  const { toggle } = useFavorite(track, user);
  const favorite = <FavoriteButton track={track} user={user} />;
  const saveQueue = user && <SaveQueueButton />;
  const cast = <CastSlot />;
  usePlayerShortcuts(toggle);
  usePlayerSpace();
  useReportOnSignal(user !== null);
  return (
    <>
      <PlayerBar track={track} favorite={favorite} cast={cast} />
      {stopped !== null && !isExpanded && <StoppedElsewhereNote message={stopped} look="bar" />}
      {hasExpanded && (
        <Expanded
          open={isExpanded}
          onFail={toggleExpanded}
          track={track}
          favorite={favorite}
          user={user}
          cast={cast}
          queueAction={saveQueue}
        />
      )}
      {hasOpenedQueue && (
        <QueueSheet
          open={isQueueVisible}
          onFail={toggleQueue}
          isExpanded={isExpanded}
          action={saveQueue}
        />
      )}
      {user && <NewAchievements key={user.id} />}
    </>
  );
}

/** They work on every page while there is a track. */
function usePlayerShortcuts(toggleFavorite: () => void): void {
  const player = usePlayer();
  const latest = useRef(toggleFavorite);
  useEffect(() => {
    latest.current = toggleFavorite;
  });
  useEffect(
    () => watchShortcuts(window, player, { toggleFavorite: () => latest.current() }),
    [player],
  );
}

/** Looks for other devices once something plays, in a browser that can. */
function CastSlot() {
  const hasPlayed = useWasTrue(usePlayerState((state) => state.isPlaying));
  const canCast =
    'remote' in HTMLMediaElement.prototype ||
    'webkitShowPlaybackTargetPicker' in HTMLMediaElement.prototype;
  if (!hasPlayed || !canCast) return null;
  return (
    <Extra>
      <CastButton />
    </Extra>
  );
}

/** The bar works without it. If its code doesn't load, nothing else fails. */
const Extra = ({ children }: { children: ReactNode }) => (
  <ErrorBoundary fallback={null}>
    <Suspense fallback={null}>{children}</Suspense>
  </ErrorBoundary>
);

function SaveQueueButton() {
  const queue = usePlayerState((state) => state.queue);
  const currentTrackIndex = usePlayerState((state) => state.currentTrackIndex);
  const source = usePlayerState((state) => state.source);
  const queuedIds = usePlayerState((state) => state.queuedIds);
  const picks = listChosen({ queue, currentTrackIndex, source, queuedIds });
  return (
    <SaveTracksButton
      label="Save as playlist"
      tracks={queue}
      // The current track alone wasn't chosen: it came with its list.
      {...(picks.length > 1 && { picks })}
      variant="quiet"
      size="sm"
      className="-mx-3 -my-2"
    />
  );
}

/** The answer to a report says whether it is this device that stops. */
function useReportOnSignal(isLoggedIn: boolean): void {
  const { reportListening } = usePlayer();
  useEffect(() => {
    if (!isLoggedIn) return;
    return watchSignals((topic) => {
      if (topic === 'me/streams' || topic === 'all') reportListening();
    });
  }, [isLoggedIn, reportListening]);
}

/** Overlays stay mounted once they have opened, so that closing can be animated. */
function useWasTrue(value: boolean): boolean {
  const [wasTrue, setWasTrue] = useState(value);
  if (value && !wasTrue) setWasTrue(true);
  return wasTrue;
}

/** Pages and toasts leave room for the bar. */
function usePlayerSpace(): void {
  useEffect(() => {
    document.documentElement.toggleAttribute('data-player', true);
    return () => void document.documentElement.toggleAttribute('data-player', false);
  }, []);
}

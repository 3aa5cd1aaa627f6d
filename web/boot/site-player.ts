import type { QueryClient } from '@tanstack/react-query';
import { refreshListening } from '#web/features/history/api.ts';
import { ApiError, call } from '#web/lib/api/api.ts';
import { boot } from '#web/lib/store/boot.ts';
import { outageStore } from '#web/lib/api/outage.ts';
import { createBrowserPlayer } from '#web/player/browser-player.ts';
import type { Player } from '#web/player/create-player.ts';
import { stoppedElsewhere } from '#web/player/session/stopped-elsewhere.ts';
import { outageWatch } from '../shell/outages.ts';
import { createTrackRefresher } from './track-refresher.ts';

/** The server has what was listened to, and says that the account listens on too many other devices. */
export function stopForOtherDevice(
  { store, pause }: Pick<Player, 'store' | 'pause'>,
  error: unknown,
) {
  if (!(error instanceof ApiError) || error.code !== 'stream_elsewhere') throw error;
  const { isPlaying, isStarting } = store.get();
  if (!isPlaying && !isStarting) return;
  pause();
  stoppedElsewhere.set(error.message);
}

/** The player of this page, connected to the server. The page creates one and keeps it. */
export function createSitePlayer(client: QueryClient): Player {
  const refreshTracks = createTrackRefresher({
    fetchTrack: (id) => call('GET /api/tracks/:id', { params: { id } }),
    deliver: (track) => player.refreshTrack(track),
    log: (message, cause) => console.warn(message, cause),
  });
  const player = createBrowserPlayer({
    siteName: boot.siteName,
    // What isn't saved plays all the same.
    isServerAway: () => (outageStore.get() ?? 'saving') !== 'saving',
    recordPlay(track) {
      void import('#web/player/view/data-use.ts').then(
        ({ measureListening }) => measureListening(player),
        // Nothing is counted without its code.
        () => undefined,
      );
      return call('POST /api/tracks/:id/play', { params: { id: track.id } });
    },
    sendHeartbeat: (playId, body) =>
      // The last one is sent while the page is closing.
      call(
        'POST /api/plays/:playId/heartbeat',
        { params: { playId }, body },
        { keepalive: true },
      ).catch((error: unknown) => stopForOtherDevice(player, error)),
    onReported: (track) => void refreshListening(client, track.id),
    async requestFreshTracks(tracks, hasFailed) {
      // Before the file is tried again, so that a mix waits for a server that is away.
      if (hasFailed) await outageWatch.reportFailedRequest({ outage: 'playing' });
      refreshTracks(tracks);
    },
    announceFailure: (failure) =>
      void import('#web/shell/playback-failures.ts').then(
        ({ reportFailure }) => reportFailure(failure),
        // Without the code there is no connection, and the rest of the page says so.
        () => undefined,
      ),
  });
  return player;
}

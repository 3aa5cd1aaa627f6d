import { call } from '#web/lib/api.ts';
import { boot } from '#web/lib/boot.ts';
import { createBrowserPlayer } from '#web/player/browser-player.ts';
import type { Player } from '#web/player/create-player.ts';
import { createTrackRefresher } from './track-refresher.ts';

/** The player of this page, with the server at its back. The page makes one and keeps it. */
export function createSitePlayer(): Player {
  const player = createBrowserPlayer({
    siteName: boot.siteName,
    recordPlay: (track) => call('POST /api/tracks/:id/play', { params: { id: track.id } }),
    sendHeartbeat: (playId, body) =>
      // The last one is sent by a page that is about to go.
      call('POST /api/plays/:playId/heartbeat', { params: { playId }, body }, { keepalive: true }),
    requestFreshTracks: createTrackRefresher({
      fetchTrack: (id) => call('GET /api/tracks/:id', { params: { id } }),
      deliver: (track) => player.refreshTrack(track),
      log: (message, cause) => console.warn(message, cause),
    }),
  });
  return player;
}

import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { createRouter } from '../../http/route/route.ts';
import { limitTeasers } from '../tracks/service.ts';
import {
  deletePlaylist,
  listDeletedPlaylists,
  restorePlaylist,
  createPlaylist,
  getPlaylist,
  getPlaylistTeaser,
  listOwnPlaylists,
  updateDetails,
  getSharedPlaylist,
  sharePlaylist,
  unsharePlaylist,
} from './service.ts';
import { addTracks, moveTrack, removeTrack } from './playlist-tracks.ts';

export function registerPlaylistRoutes(app: FastifyInstance, deps: Deps) {
  const router = createRouter(app, deps);
  router.user('GET /api/playlists', ({ viewer, query }) => listOwnPlaylists(deps, viewer, query));
  router.user('POST /api/playlists', ({ viewer, body }) => createPlaylist(deps, viewer, body));
  router.user('GET /api/playlists/:id', ({ viewer, params }) =>
    getPlaylist(deps, viewer, params.id),
  );
  router.user('PATCH /api/playlists/:id', ({ viewer, params, body }) =>
    updateDetails(deps, viewer, params.id, body),
  );
  router.user('DELETE /api/playlists/:id', ({ viewer, params }) =>
    deletePlaylist(deps, viewer, params.id),
  );
  router.user('POST /api/playlists/:id/restore', ({ viewer, params }) =>
    restorePlaylist(deps, viewer, params.id),
  );
  router.user('GET /api/deleted-playlists', ({ viewer }) => listDeletedPlaylists(deps, viewer));
  router.user('POST /api/playlists/:id/tracks', ({ viewer, params, body }) =>
    addTracks(deps, viewer, params.id, body),
  );
  router.user('DELETE /api/playlists/:id/tracks', ({ viewer, params, query }) =>
    removeTrack(deps, viewer, params.id, query.trackId),
  );
  router.user('PUT /api/playlists/:id/order', ({ viewer, params, body }) =>
    moveTrack(deps, viewer, params.id, body),
  );
  router.user('PUT /api/playlists/:id/share', ({ viewer, params }) =>
    sharePlaylist(deps, viewer, params.id),
  );
  router.user('DELETE /api/playlists/:id/share', ({ viewer, params }) =>
    unsharePlaylist(deps, viewer, params.id),
  );
  router.user('GET /api/shared-playlists/:token', ({ viewer, params }) =>
    getSharedPlaylist(deps, viewer, params.token),
  );
  router.public(
    'GET /api/shared-playlists/:token/teaser',
    { rateLimits: limitTeasers },
    ({ params }) => getPlaylistTeaser(deps, params.token),
  );
}

import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { route } from '../../http/route.ts';
import { deletePlaylist, listDeletedPlaylists, restorePlaylist } from './deleted-playlists.ts';
import { createPlaylist, getPlaylist, listOwnPlaylists, updateDetails } from './service.ts';
import { getSharedPlaylist, sharePlaylist, unsharePlaylist } from './sharing.ts';
import { addTracks, moveTrack, removeTrack } from './playlist-tracks.ts';

export function registerPlaylistRoutes(app: FastifyInstance, deps: Deps) {
  route(app, deps, 'GET /api/playlists', {
    guard: 'user',
    handler: async ({ viewer, query }) => listOwnPlaylists(deps, viewer, query),
  });
  route(app, deps, 'POST /api/playlists', {
    guard: 'user',
    handler: async ({ viewer, body }) => createPlaylist(deps, viewer, body),
  });
  route(app, deps, 'GET /api/playlists/:id', {
    guard: 'user',
    handler: async ({ viewer, params }) => getPlaylist(deps, viewer, params.id),
  });
  route(app, deps, 'PATCH /api/playlists/:id', {
    guard: 'user',
    handler: async ({ viewer, params, body }) => updateDetails(deps, viewer, params.id, body),
  });
  route(app, deps, 'DELETE /api/playlists/:id', {
    guard: 'user',
    handler: async ({ viewer, params }) => deletePlaylist(deps, viewer, params.id),
  });
  route(app, deps, 'POST /api/playlists/:id/restore', {
    guard: 'user',
    handler: async ({ viewer, params }) => restorePlaylist(deps, viewer, params.id),
  });
  route(app, deps, 'GET /api/deleted-playlists', {
    guard: 'user',
    handler: async ({ viewer }) => listDeletedPlaylists(deps, viewer),
  });
  route(app, deps, 'POST /api/playlists/:id/tracks', {
    guard: 'user',
    handler: async ({ viewer, params, body }) => addTracks(deps, viewer, params.id, body),
  });
  route(app, deps, 'DELETE /api/playlists/:id/tracks', {
    guard: 'user',
    handler: async ({ viewer, params, query }) =>
      removeTrack(deps, viewer, params.id, query.trackId),
  });
  route(app, deps, 'PUT /api/playlists/:id/order', {
    guard: 'user',
    handler: async ({ viewer, params, body }) => moveTrack(deps, viewer, params.id, body),
  });
  route(app, deps, 'PUT /api/playlists/:id/share', {
    guard: 'user',
    handler: async ({ viewer, params }) => sharePlaylist(deps, viewer, params.id),
  });
  route(app, deps, 'DELETE /api/playlists/:id/share', {
    guard: 'user',
    handler: async ({ viewer, params }) => unsharePlaylist(deps, viewer, params.id),
  });
  route(app, deps, 'GET /api/shared-playlists/:token', {
    guard: 'user',
    handler: async ({ viewer, params }) => getSharedPlaylist(deps, viewer, params.token),
  });
}

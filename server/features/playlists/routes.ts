import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { route } from '../../http/route.ts';
import { deletePlaylist, readDeleted, restorePlaylist } from './deletion.ts';
import { createPlaylist, describePlaylist, readPlaylist, readPlaylists } from './service.ts';
import { readShared, sharePlaylist, unsharePlaylist } from './sharing.ts';
import { addTracks, moveTrack, removeTrack } from './track-service.ts';

export function registerPlaylistRoutes(app: FastifyInstance, deps: Deps) {
  route(app, deps, 'GET /api/playlists', {
    guard: 'member',
    handler: async ({ actor, query }) => readPlaylists(deps, actor, query),
  });
  route(app, deps, 'POST /api/playlists', {
    guard: 'member',
    handler: async ({ actor, body }) => createPlaylist(deps, actor, body),
  });
  route(app, deps, 'GET /api/playlists/:id', {
    guard: 'member',
    handler: async ({ actor, params }) => readPlaylist(deps, actor, params.id),
  });
  route(app, deps, 'PATCH /api/playlists/:id', {
    guard: 'member',
    handler: async ({ actor, params, body }) => describePlaylist(deps, actor, params.id, body),
  });
  route(app, deps, 'DELETE /api/playlists/:id', {
    guard: 'member',
    handler: async ({ actor, params }) => deletePlaylist(deps, actor, params.id),
  });
  route(app, deps, 'POST /api/playlists/:id/restore', {
    guard: 'member',
    handler: async ({ actor, params }) => restorePlaylist(deps, actor, params.id),
  });
  route(app, deps, 'GET /api/deleted-playlists', {
    guard: 'member',
    handler: async ({ actor }) => readDeleted(deps, actor),
  });
  route(app, deps, 'POST /api/playlists/:id/tracks', {
    guard: 'member',
    handler: async ({ actor, params, body }) => addTracks(deps, actor, params.id, body),
  });
  route(app, deps, 'DELETE /api/playlists/:id/tracks', {
    guard: 'member',
    handler: async ({ actor, params, query }) => removeTrack(deps, actor, params.id, query.trackId),
  });
  route(app, deps, 'PUT /api/playlists/:id/order', {
    guard: 'member',
    handler: async ({ actor, params, body }) => moveTrack(deps, actor, params.id, body),
  });
  route(app, deps, 'PUT /api/playlists/:id/share', {
    guard: 'member',
    handler: async ({ actor, params }) => sharePlaylist(deps, actor, params.id),
  });
  route(app, deps, 'DELETE /api/playlists/:id/share', {
    guard: 'member',
    handler: async ({ actor, params }) => unsharePlaylist(deps, actor, params.id),
  });
  route(app, deps, 'GET /api/shared-playlists/:token', {
    guard: 'member',
    handler: async ({ actor, params }) => readShared(deps, actor, params.token),
  });
}

import type { FastifyInstance } from 'fastify';
import { MAX_COVER_BYTES } from '#contract/admin/uploads.ts';
import type { Deps } from '../../deps.ts';
import { createRouter } from '../../http/route/route.ts';
import { limitTeasers } from '../tracks/service.ts';
import {
  deleteArtist,
  editArtist,
  getAdminArtist,
  listAdminArtists,
  mergeArtists,
  removePicture,
  replacePicture,
} from './edit-artists.ts';
import { getArtist, getArtistTeaser } from './service.ts';

export function registerArtistRoutes(app: FastifyInstance, deps: Deps) {
  const router = createRouter(app, deps);
  router.viewer(
    'GET /api/artists/:id',
    { sharing: { isShared: () => true } },
    ({ viewer, params }) => getArtist(deps, viewer, params.id),
  );
  router.public('GET /api/artists/:id/teaser', { rateLimits: limitTeasers }, ({ params }) =>
    getArtistTeaser(deps, params.id),
  );
  router.helper('GET /api/admin/artists', ({ query }) => listAdminArtists(deps, query));
  router.helper('GET /api/admin/artists/:id', ({ params }) => getAdminArtist(deps, params.id));
  router.helper('PATCH /api/admin/artists/:id', ({ viewer, params, body }) =>
    editArtist(deps, viewer, params.id, body),
  );
  router.helper(
    'PUT /api/admin/artists/:id/picture',
    { bodyLimit: MAX_COVER_BYTES },
    ({ viewer, params, body }) => replacePicture(deps, viewer, params.id, body),
  );
  router.helper('DELETE /api/admin/artists/:id/picture', ({ viewer, params }) =>
    removePicture(deps, viewer, params.id),
  );
  router.helper('POST /api/admin/artists/:id/merge', ({ viewer, params, body }) =>
    mergeArtists(deps, viewer, params.id, body),
  );
  router.helper('DELETE /api/admin/artists/:id', ({ viewer, params }) =>
    deleteArtist(deps, viewer, params.id),
  );
}

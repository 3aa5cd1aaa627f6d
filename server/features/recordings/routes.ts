import type { FastifyInstance } from 'fastify';
import { MAX_RECORDINGS_BYTES } from '#contract/admin/recordings.ts';
import type { Deps } from '../../deps.ts';
import { createRouter } from '../../http/route/route.ts';
import {
  correctRecording,
  listAllRecordings,
  mergeRecordings,
  readTrackRecordings,
  saveTrackRecordings,
} from './edit-recordings.ts';

export function registerRecordingRoutes(app: FastifyInstance, deps: Deps) {
  const router = createRouter(app, deps);
  router.helper('GET /api/admin/tracks/:id/recordings', ({ params }) =>
    readTrackRecordings(deps, params.id),
  );
  router.helper(
    'PUT /api/admin/tracks/:id/recordings',
    { bodyLimit: MAX_RECORDINGS_BYTES },
    ({ viewer, params, body }) => saveTrackRecordings(deps, viewer, params.id, body),
  );
  router.helper('GET /api/admin/recordings', ({ query }) => listAllRecordings(deps, query));
  router.helper('PATCH /api/admin/recordings/:id', ({ viewer, params, body }) =>
    correctRecording(deps, viewer, params.id, body),
  );
  router.helper('POST /api/admin/recordings/:id/merge', ({ viewer, params, body }) =>
    mergeRecordings(deps, viewer, params.id, body),
  );
}

import type { FastifyInstance } from 'fastify';
import { MAX_IMPORT_BYTES } from '#contract/admin/member-imports.ts';
import type { Deps } from '../../deps.ts';
import { createRouter } from '../../http/route/route.ts';
import { checkFile, getImport, listImportLines, listImports, startImport } from './service.ts';

export function registerMemberImportRoutes(app: FastifyInstance, deps: Deps) {
  const router = createRouter(app, deps);
  router.admin('GET /api/admin/member-imports', ({ query }) => listImports(deps, query));
  router.admin(
    'POST /api/admin/member-imports',
    { bodyLimit: MAX_IMPORT_BYTES },
    ({ viewer, query, body }) => checkFile(deps, viewer, body, query),
  );
  router.admin('GET /api/admin/member-imports/:id', ({ params }) => getImport(deps, params.id));
  router.admin('GET /api/admin/member-imports/:id/lines', ({ params, query }) =>
    listImportLines(deps, params.id, query),
  );
  router.admin(
    'POST /api/admin/member-imports/:id/start',
    { needsConfirmation: true },
    ({ viewer, params }) => startImport(deps, viewer, params.id),
  );
}

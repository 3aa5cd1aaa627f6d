import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { toFileName } from '../../http/attachment.ts';
import { createRouter } from '../../http/route.ts';
import { getCreditNote, getMemberInvoice } from '../billing/invoices/service.ts';
import { sendCsv } from '../../http/csv.ts';

const loadTotals = () => import('./totals.ts');

export function registerBookRoutes(app: FastifyInstance, deps: Deps) {
  const router = createRouter(app, deps);
  router.admin('GET /api/admin/books', async () => {
    const { listMonths } = await loadTotals();
    return { months: await listMonths(deps) };
  });
  router.admin('GET /api/admin/books/:month', async ({ params }) =>
    (await loadTotals()).readTotals(deps, params.month),
  );
  router.admin('GET /api/admin/books/:month/payouts', async ({ params }) =>
    (await loadTotals()).readPayouts(deps, params.month),
  );
  router.admin('GET /api/admin/books/:month/:sheet.csv', async ({ params, reply }) => {
    const { openSheet } = await import('./sheets.ts');
    const sheet = await openSheet(deps, params.month, params.sheet);
    const name = toFileName([deps.config.siteName, sheet.title, params.month], 'csv');
    return sendCsv(reply, name, sheet);
  });
  router.admin('GET /api/admin/invoices/:id', ({ params }) => getMemberInvoice(deps, params.id));
  router.admin('GET /api/admin/credit-notes/:id', ({ params }) =>
    getCreditNote(deps, 'anyone', params.id),
  );
}

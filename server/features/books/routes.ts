import type { FastifyInstance } from 'fastify';
import { parsePeriod } from '#contract/admin/book-periods.ts';
import type { Deps } from '../../deps.ts';
import { toFileName } from '../../http/send/attachment.ts';
import { createRouter } from '../../http/route/route.ts';
import { getCreditNote, getMemberInvoice } from '../billing/ledger/service.ts';
import { sendCsv } from '../../http/send/csv.ts';

const loadMonths = () => import('./months.ts');

export function registerBookRoutes(app: FastifyInstance, deps: Deps) {
  const router = createRouter(app, deps);
  router.admin('GET /api/admin/books', async () => (await loadMonths()).readMonths(deps));
  router.admin('POST /api/admin/books/close', async ({ viewer, body }) =>
    (await loadMonths()).closeMonth(deps, viewer, body.month),
  );
  router.admin('POST /api/admin/books/reopen', async ({ viewer, body }) =>
    (await loadMonths()).reopenMonth(deps, viewer, body),
  );
  router.admin('GET /api/admin/books/:period', async ({ params }) => {
    const { readTotals } = await import('./totals.ts');
    return readTotals(deps, parsePeriod(params.period));
  });
  router.admin('GET /api/admin/books/:period/payouts', async ({ params }) => {
    const { readPayouts } = await import('./payouts.ts');
    return readPayouts(deps, parsePeriod(params.period));
  });
  router.admin('GET /api/admin/books/:period/:sheet.csv', async ({ params, reply }) => {
    const { openSheet } = await import('./sheets.ts');
    const sheet = await openSheet(deps, parsePeriod(params.period), params.sheet);
    const name = toFileName([deps.config.siteName, sheet.title, params.period], 'csv');
    return sendCsv(reply, name, sheet);
  });
  router.admin('GET /api/admin/invoices/:id', ({ params }) => getMemberInvoice(deps, params.id));
  router.admin('GET /api/admin/credit-notes/:id', ({ params }) =>
    getCreditNote(deps, 'anyone', params.id),
  );
}

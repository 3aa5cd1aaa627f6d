import type { FastifyInstance } from 'fastify';
import { dayOf } from '#contract/rules/days.ts';
import type { Deps } from '../../deps.ts';
import { toFileName } from '../../http/send/attachment.ts';
import { sendCsv } from '../../http/send/csv.ts';
import { createRouter } from '../../http/route/route.ts';
import { endSubscriptionOf, refundPayment } from '../billing/admin/service.ts';
import { listInvoicesOf } from '../billing/ledger/service.ts';
import { exportSubscribers } from './export-subscribers.ts';
import {
  addHelper,
  changeAdmin,
  changeDisabled,
  removeHelper,
  sendMailAgain,
  turnOffPodcastFeed,
  logOutEverywhere,
} from './service.ts';
import { listPlaysOf } from './read-subscribers.ts';
import { readSubscriber, readSubscribers, requireSubscriber } from './read-subscribers.ts';

export function registerSubscriberRoutes(app: FastifyInstance, deps: Deps) {
  const router = createRouter(app, deps);
  router.admin('GET /api/admin/subscribers', ({ query }) => readSubscribers(deps, query));
  router.admin('GET /api/admin/subscribers.csv', async ({ viewer, query, reply }) => {
    const day = dayOf(deps.clock.now(), deps.config.timeZone);
    const name = toFileName([deps.config.siteName, 'Members', day], 'csv');
    return sendCsv(reply, name, await exportSubscribers(deps, viewer, query));
  });
  router.admin('GET /api/admin/subscribers/:id', ({ params }) => readSubscriber(deps, params.id));
  router.admin('GET /api/admin/subscribers/:id/plays', ({ params, query }) =>
    listPlaysOf(deps, params.id, query),
  );
  router.admin('GET /api/admin/subscribers/:id/invoices', async ({ params, query }) => {
    await requireSubscriber(deps, params.id);
    return listInvoicesOf(deps, params.id, query);
  });
  router.admin(
    'PUT /api/admin/subscribers/:id/admin',
    { needsConfirmation: true },
    ({ viewer, params, body }) => changeAdmin(deps, viewer, params.id, body),
  );
  router.admin('POST /api/admin/helpers', { needsConfirmation: true }, ({ viewer, body }) =>
    addHelper(deps, viewer, body),
  );
  router.admin('DELETE /api/admin/helpers/:id', ({ viewer, params }) =>
    removeHelper(deps, viewer, params.id),
  );
  router.admin('PUT /api/admin/subscribers/:id/disabled', ({ viewer, params, body }) =>
    changeDisabled(deps, viewer, params.id, body),
  );
  router.admin(
    'POST /api/admin/subscribers/:id/refund',
    { needsConfirmation: true },
    async ({ viewer, params, body }) => {
      await requireSubscriber(deps, params.id);
      await refundPayment(deps, viewer, params.id, body);
      return readSubscriber(deps, params.id);
    },
  );
  router.admin('POST /api/admin/subscribers/:id/end', async ({ viewer, params, body }) => {
    await requireSubscriber(deps, params.id);
    await endSubscriptionOf(deps, viewer, params.id, body);
    return readSubscriber(deps, params.id);
  });
  router.admin('DELETE /api/admin/subscribers/:id/podcast-feed', ({ viewer, params }) =>
    turnOffPodcastFeed(deps, viewer, params.id),
  );
  router.admin('DELETE /api/admin/subscribers/:id/refused-mail', ({ viewer, params }) =>
    sendMailAgain(deps, viewer, params.id),
  );
  router.admin('DELETE /api/admin/subscribers/:id/sessions', ({ viewer, params }) =>
    logOutEverywhere(deps, viewer, params.id),
  );
}

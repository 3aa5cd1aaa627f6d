import Fastify, { LogController, type FastifyInstance } from 'fastify';
import type { Deps } from './deps.ts';
import { registerAchievementRoutes } from './features/achievements/routes.ts';
import {
  registerAvatarFiles,
  registerAccountRoutes,
  registerSecurityRoutes,
} from './features/accounts/routes.ts';
import { registerPasskeyRoutes } from './features/accounts/login/passkey-routes.ts';
import { recordProxy } from './features/accounts/service.ts';
import { registerArtistRoutes } from './features/artists/routes.ts';
import { countFailedAnswers } from './features/attention/failed-answers.ts';
import { registerAppPasswordRoutes } from './features/app-passwords/routes.ts';
import { registerAuditRoutes } from './features/audit/routes.ts';
import { registerBillingAdminRoutes, registerBillingRoutes } from './features/billing/routes.ts';
import { registerBookRoutes } from './features/books/routes.ts';
import { registerWebhooks } from './features/billing/checkout/webhook-routes.ts';
import { registerCastRoutes } from './features/casting/routes.ts';
import { registerNotificationRoutes } from './features/notifications/routes.ts';
import { registerScrobblingRoutes } from './features/scrobbling/routes.ts';
import { registerDownloadFiles, registerDownloadRoutes } from './features/downloads/routes.ts';
import { registerCatalogueRoutes } from './features/catalogue/routes.ts';
import { findClipHead } from './features/clips/clip-head.ts';
import { registerClipRoutes } from './features/clips/routes.ts';
import { registerChartRoutes } from './features/charts/routes.ts';
import { registerAnalyticsRoutes } from './features/analytics/routes.ts';
import { registerEmbeds } from './features/embeds/routes.ts';
import { registerFavoriteRoutes } from './features/favorites/routes.ts';
import { registerHistoryRoutes } from './features/history/routes.ts';
import { registerJobRoutes } from './features/jobs/routes.ts';
import { registerLetterFeed, registerLetterRoutes } from './features/letters/routes.ts';
import { registerLookRoutes } from './features/look/routes.ts';
import { registerLegalRoutes } from './features/legal/routes.ts';
import { registerLiveRoutes } from './features/live/routes.ts';
import { registerMomentRoutes } from './features/moments/routes.ts';
import { registerUsageRoutes } from './features/usage/routes.ts';
import { registerMetrics } from './features/metrics/routes.ts';
import { registerMailPreviewRoutes } from './features/mail-previews/routes.ts';
import { registerOutboxRoutes } from './features/outbox/routes.ts';
import { registerPaymentIssueRoutes } from './features/payment-issues/routes.ts';
import { registerPageFonts } from './http/pages/page-fonts.ts';
import { registerMailWebhook } from './features/returned-mail/routes.ts';
import { registerPlaylistRoutes } from './features/playlists/routes.ts';
import { registerPlayRoutes } from './features/plays/routes.ts';
import { registerPodcastFeeds, registerPodcastRoutes } from './features/podcasts/routes.ts';
import { registerPreferenceRoutes } from './features/preferences/routes.ts';
import { registerUnsubscribePages } from './features/preferences/unsubscribe-routes.ts';
import { registerPrivacyRoutes } from './features/privacy/routes.ts';
import { registerPublicPages } from './features/public-pages/routes.ts';
import { findPublicPage } from './features/public-pages/service.ts';
import { registerReleaseCalendar } from './features/releases/routes.ts';
import { registerRecordingRoutes } from './features/recordings/routes.ts';
import { registerReportRoutes } from './features/reports/routes.ts';
import { registerWeekRoutes } from './features/week/routes.ts';
import { registerYearRoutes } from './features/years/routes.ts';
import { registerSandboxPages } from './features/sandbox-checkout/routes.ts';
import { registerSearchRoutes } from './features/search/routes.ts';
import { registerSessionRoutes } from './features/sessions/routes.ts';
import { registerSettingRoutes } from './features/settings/routes.ts';
import { registerSetupPages } from './features/setup/routes.ts';
import { registerMemberImportRoutes } from './features/member-import/routes.ts';
import { registerSubscriberRoutes } from './features/subscribers/routes.ts';
import { failCall, registerSubsonic } from './features/subsonic/routes.ts';
import { registerSystemRoutes } from './features/system/routes.ts';
import { findEdition } from './features/tracks/service.ts';
import { registerTrackMedia } from './features/tracks/media-routes.ts';
import { registerTrackRoutes } from './features/tracks/routes.ts';
import { basicUploadForm, registerBasicUpload } from './features/uploads/basic-upload.ts';
import { registerUploadRoutes } from './features/uploads/routes.ts';
import { registerTusRoutes } from './features/uploads/tus-routes.ts';
import { registerUsageReportRoutes } from './features/usage-reports/routes.ts';
import {
  handleClientErrors,
  handleErrors,
  sendError,
  handleUnknownPaths,
} from './http/route/error-handler.ts';
import { watchForProxies } from './http/route/address.ts';
import { rejectCrossOriginWrites } from './http/route/cross-origin.ts';
import { closeConnectionsOnShutdown } from './http/load/end-connections.ts';
import { limitConnections } from './http/load/limit-connections.ts';
import { shedLoad } from './http/load/shed-load.ts';
import { addSlowRequestTimeout } from './http/load/slow-request-timeout.ts';
import { logRequests, newRequestId } from './log/log.ts';
import { acceptJson, JSON_BODY_LIMIT } from './http/route/body-parsers.ts';
import { assertEveryRouteRegistered } from './http/route/route.ts';
import { addSecurityHeaders, securityHeaders } from './http/send/security-headers.ts';
import { serveWebApp } from './http/pages/web-app.ts';

/** Our routes check and write with the contract; Fastify would load two libraries for its own schemas. */
function refuseSchemas(): never {
  throw new Error('Routes have no Fastify schemas: declare them in the contract.');
}
const unusedCompilers = { buildValidator: refuseSchemas, buildSerializer: refuseSchemas };

function createServer({ config, log }: Deps): FastifyInstance {
  return Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: JSON_BODY_LIMIT,
    schemaController: { compilersFactory: unusedCompilers },
    // `addSlowRequestTimeout` does this, with another limit for uploads.
    requestTimeout: 0,
    trustProxy: config.trustProxy > 0 && ((_address, hop) => hop < config.trustProxy),
    // A client could forge an id to hide a request in the logs.
    requestIdHeader: false,
    genReqId: newRequestId,
    // A logger per request would cost more than the few error lines that use it.
    childLoggerFactory: (logger) => logger,
    clientErrorHandler: handleClientErrors(config),
    // Keep answering while the server closes.
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => {
      reply.headers(securityHeaders(config)).header('x-request-id', request.id);
      // An address that can't be decoded reaches no route, and so no error handler of one.
      const send = request.url.startsWith('/rest/') ? failCall : sendError(config);
      return send(error, request, reply);
    },
  }) as unknown as FastifyInstance;
}

/** The table of contents: registers everything that the server answers. */
export async function buildApp(deps: Deps): Promise<FastifyInstance> {
  const { config } = deps;
  const app = createServer(deps);
  const slowRequests = addSlowRequestTimeout(app.server);
  // Node would answer an unknown `Expect` header with an empty 417; the standard lets us ignore it.
  app.server.on('checkExpectation', (request, response) =>
    app.server.emit('request', request, response),
  );
  app.addHook('preClose', async () => slowRequests.endUploads());
  app.decorate('registeredRoutes', new Map());
  app.decorateRequest('viewer', null);

  closeConnectionsOnShutdown(app);
  limitConnections(app.server);
  logRequests(app);
  countFailedAnswers(app, deps);
  watchForProxies(app, config, () => recordProxy(deps));
  addSecurityHeaders(app, config);
  shedLoad(app, deps);
  rejectCrossOriginWrites(app, config);
  acceptJson(app);
  handleErrors(app, config);
  const setFallback = handleUnknownPaths(app);

  registerSystemRoutes(app, deps);
  registerMetrics(app, deps);
  registerAccountRoutes(app, deps);
  registerSecurityRoutes(app, deps);
  registerSessionRoutes(app, deps);
  registerPasskeyRoutes(app, deps);
  registerAppPasswordRoutes(app, deps);
  registerPreferenceRoutes(app, deps);
  registerUnsubscribePages(app, deps);
  registerPrivacyRoutes(app, deps);
  registerAvatarFiles(app, deps);
  registerAchievementRoutes(app, deps);
  registerTrackRoutes(app, deps);
  registerArtistRoutes(app, deps);
  const watchSignals = registerLiveRoutes(app, deps);
  registerTrackMedia(app, deps, watchSignals);
  registerSubsonic(app, deps, watchSignals);
  registerClipRoutes(app, deps);
  registerCastRoutes(app, deps, watchSignals);
  registerScrobblingRoutes(app, deps);
  registerNotificationRoutes(app, deps);
  registerPublicPages(app, deps);
  registerEmbeds(app, deps);
  registerPlayRoutes(app, deps);
  registerFavoriteRoutes(app, deps);
  registerMomentRoutes(app, deps);
  registerUsageRoutes(app, deps);
  registerAnalyticsRoutes(app, deps);
  registerDownloadRoutes(app, deps);
  registerDownloadFiles(app, deps, watchSignals);
  registerHistoryRoutes(app, deps);
  registerLegalRoutes(app, deps);
  registerLetterRoutes(app, deps);
  registerLetterFeed(app, deps);
  registerLookRoutes(app, deps);
  registerChartRoutes(app, deps);
  registerPlaylistRoutes(app, deps);
  registerPodcastRoutes(app, deps);
  registerPodcastFeeds(app, deps, watchSignals);
  registerReportRoutes(app, deps);
  registerWeekRoutes(app, deps);
  registerYearRoutes(app, deps);
  registerReleaseCalendar(app, deps);
  registerSearchRoutes(app, deps);
  registerBillingRoutes(app, deps);
  registerSandboxPages(app, deps);
  registerBillingAdminRoutes(app, deps);
  registerPageFonts(app);
  registerWebhooks(app, deps);
  registerMailWebhook(app, deps);
  registerBookRoutes(app, deps);
  registerUsageReportRoutes(app, deps);
  registerPaymentIssueRoutes(app, deps);
  registerAuditRoutes(app, deps);
  registerCatalogueRoutes(app, deps);
  registerRecordingRoutes(app, deps);
  registerTusRoutes(app, deps);
  registerUploadRoutes(app, deps);
  registerBasicUpload(app, deps);
  registerSubscriberRoutes(app, deps);
  registerMemberImportRoutes(app, deps);
  registerJobRoutes(app, deps);
  registerSettingRoutes(app, deps);
  registerMailPreviewRoutes(app, deps);
  registerOutboxRoutes(app, deps);
  registerSetupPages(app, deps);
  assertEveryRouteRegistered(app);

  setFallback(
    serveWebApp(
      app,
      deps,
      {
        findHead: async (path) => (await findClipHead(deps, path)) ?? findPublicPage(deps, path),
        findEdition: () => findEdition(deps),
      },
      { '/admin/upload-old': basicUploadForm },
    ),
  );
  await app.ready();
  return app;
}

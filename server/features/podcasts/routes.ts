import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { HOUR } from '#contract/rules/time.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/route/app-error.ts';
import { type PlainPage, sendPlainPage } from '../../http/pages/plain-page.ts';
import { defineRateLimit, limitPerUser } from '../../http/route/rate-limit.ts';
import { createRouter } from '../../http/route/route.ts';
import { sendFile } from '../../http/send/send-file.ts';
import { endWhenTakenDown, openTrackFile } from '../tracks/service.ts';
import type { WatchSignals } from '../live/service.ts';
import { createArtwork } from './artwork.ts';
import { feedAddresses } from './build-feed.ts';
import { compressOnce, readTemplate, sendFeed } from './feed-template.ts';
import {
  endFeed,
  getFeeds,
  openFeedFile,
  readFeed,
  readFeedChapters,
  renewFeed,
} from './service.ts';
import { listPodcastApps } from '#contract/clients/podcast-apps.ts';
import { escapeHtml } from '../../http/send/escape-html.ts';

/** What a person sees who opens the address of a feed in a browser: most do with a phone's camera. */
function buildAddressPage({ url, siteName }: { url: string; siteName: string }): PlainPage {
  const apps = listPodcastApps(url)
    .map(({ name, href }) => `<li><a href="${escapeHtml(href)}">Open in ${name}</a></li>`)
    .join('\n');
  return {
    siteName,
    title: 'Podcast feed',
    heading: `${siteName} in your podcast app`,
    body: `<p>This is the address of a podcast feed. Choose your app, or paste the address where it adds a podcast by URL.</p>
<ul>
${apps}
</ul>
<code>${escapeHtml(url)}</code>`,
  };
}

const renewals = defineRateLimit({
  name: 'podcast-renew',
  what: 'New podcast addresses for one user',
  limit: 20,
  periodMs: HOUR,
});

export function registerPodcastRoutes(app: FastifyInstance, deps: Deps) {
  const router = createRouter(app, deps);
  router.user('GET /api/me/podcast-feed', ({ viewer }) => getFeeds(deps, viewer));
  router.user('POST /api/me/podcast-feed', { rateLimits: limitPerUser(renewals) }, ({ viewer }) =>
    renewFeed(deps, viewer),
  );
  router.user('DELETE /api/me/podcast-feed', ({ viewer }) => endFeed(deps, viewer));
}

const PUBLIC = 'public, max-age=600';
/** The address itself is the permission, so no shared cache may keep what it gives. */
const PRIVATE = 'private, no-cache';

/** Players on other sites may read what an address gives: no cookie is involved. */
const allowOtherSites = (reply: FastifyReply) =>
  reply.headers({
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
    'x-robots-tag': 'noindex',
  });

/** Browsers say so when someone opens an address. Apps and feed readers never do. */
const isOpenedByPerson = ({ headers }: FastifyRequest): boolean =>
  headers['sec-fetch-dest'] === 'document';

/** An app loads a file from its start once; the rest of it, and what it only looks at, is no new play. */
const isFromStart = ({ method, headers: { range } }: FastifyRequest): boolean =>
  method === 'GET' && (range === undefined || /^\s*bytes=0-/.test(range));

const Id = z.string().regex(/^[\w.-]{1,64}$/);
const TrackParams = z.object({ id: Id });
const FeedParams = z.object({ token: z.string() });
const FeedQuery = z.object({
  page: z
    .string()
    .regex(/^[1-9]\d{0,3}$/)
    .default('1')
    .transform(Number),
});
const FileName = z.enum(['full', 'saver', 'best', 'chapters']);
const FileParams = z.object({ token: z.string(), id: Id, file: FileName });
/** `full.mp3`, as in feeds that apps have kept. */
const OldFileParams = FileParams.extend({
  file: z
    .string()
    .regex(/^(?:(?:full|saver|best)\.\w+|chapters\.json)$/)
    .transform((file) => file.replace(/\..*$/, ''))
    .pipe(FileName),
});

function parse<S extends z.ZodType>(schema: S, params: unknown): z.output<S> {
  const parsed = schema.safeParse(params);
  if (!parsed.success) throw new AppError('not_found');
  return parsed.data;
}

/** What podcast apps load, without a session. */
export function registerPodcastFeeds(app: FastifyInstance, deps: Deps, watchSignals: WatchSignals) {
  const { getSiteArtwork, getOwnArtwork, getCover } = createArtwork(deps);
  const method = ['GET', 'HEAD'];
  const sendAddressPage = (reply: FastifyReply, url: string) =>
    sendPlainPage(
      reply.header('referrer-policy', 'no-referrer'),
      buildAddressPage({ url, siteName: deps.config.siteName }),
    );

  app.get('/feed.xml', async (request, reply) => {
    reply.header('vary', 'accept-encoding, sec-fetch-dest');
    if (isOpenedByPerson(request)) return sendAddressPage(reply, `${deps.site.origin}/feed.xml`);
    const { page } = parse(FeedQuery, request.query);
    const template = await readTemplate(deps, { kind: 'previews', isDataSaver: false, page }, null);
    const { text, version, modifiedAt } = template;
    const feed = { fill: () => text, etag: `"${version}"`, modifiedAt };
    reply.header('access-control-allow-origin', '*');
    return sendFeed(request, reply, feed, {
      cacheControl: PUBLIC,
      compress: (encoding) => compressOnce(template, encoding),
    });
  });

  app.get('/feed/artwork.png', async (request, reply) =>
    reply
      .type('image/png')
      .header('cache-control', 'public, max-age=86400')
      .send(await getSiteArtwork(request)),
  );

  app.get('/feed/artwork.jpg', async (request, reply) => {
    const picture = await getOwnArtwork(request);
    if (!picture) throw new AppError('not_found');
    return reply.type('image/jpeg').header('cache-control', 'public, max-age=86400').send(picture);
  });

  app.get<{ Params: { file: string } }>('/feed/covers/:file', async (request, reply) => {
    const [, name] = /^([a-z0-9]{1,64})\.jpg$/.exec(request.params.file) ?? [];
    const cover = name === undefined ? null : await getCover(request, name);
    if (!cover) throw new AppError('not_found');
    return reply
      .type('image/jpeg')
      .header('cache-control', 'public, max-age=31536000, immutable')
      .send(cover);
  });

  const sendPreview = async (request: FastifyRequest, reply: FastifyReply) => {
    const { id } = parse(TrackParams, request.params);
    const file = await openTrackFile(deps, null, { id, rendition: 'preview' });
    allowOtherSites(reply);
    const { modifiedAt } = file;
    return sendFile(deps, request, reply, file, {
      cacheControl: PUBLIC,
      isForCdn: true,
      ...(modifiedAt !== undefined && { modifiedAt }),
    });
  };
  // The last part of an address is only for people and programs that save the file under its name.
  app.route({ method, url: '/feed/public/:id/preview/:name', handler: sendPreview });
  // As in feeds that apps have kept.
  app.route({ method, url: '/feed/public/:id/preview.mp3', handler: sendPreview });

  const sendOwnFeed =
    (address: keyof typeof feedAddresses) =>
    async (request: FastifyRequest, reply: FastifyReply) => {
      const { token } = parse(FeedParams, request.params);
      const { page } = parse(FeedQuery, request.query);
      const isDataSaver = address === 'dataSaver';
      const feed = await readFeed(deps, { token, isDataSaver, page, address: request.ip });
      reply.header('vary', 'accept-encoding, sec-fetch-dest');
      if (isOpenedByPerson(request))
        return sendAddressPage(reply, deps.site.origin + feedAddresses[address](token));
      allowOtherSites(reply);
      return sendFeed(request, reply, feed, { cacheControl: PRIVATE });
    };
  app.get('/feed/:token', sendOwnFeed('standard'));
  // Some apps, and people who type an address, end it with a slash.
  app.get('/feed/:token/', sendOwnFeed('standard'));
  app.get('/feed/:token/data-saver', sendOwnFeed('dataSaver'));

  const sendOwnFile = async (
    { file, ...asked }: z.infer<typeof FileParams>,
    request: FastifyRequest,
    reply: FastifyReply,
  ) => {
    const from = { ...asked, address: request.ip };
    allowOtherSites(reply);
    if (file === 'chapters')
      return reply
        .type('application/json+chapters; charset=utf-8')
        .header('cache-control', PRIVATE)
        .send(JSON.stringify(await readFeedChapters(deps, from)));
    const { countPlay, ...audio } = await openFeedFile(deps, { ...from, name: file });
    const { modifiedAt } = audio;
    endWhenTakenDown(deps, watchSignals, asked.id, reply.raw);
    const options = { cacheControl: PRIVATE, modifiedAt, isForCdn: true };
    const sent = sendFile(deps, request, reply, audio, options);
    // That the app has the file already is known at once.
    if (isFromStart(request) && reply.statusCode !== 304) countPlay();
    return sent;
  };
  app.route({
    method,
    url: '/feed/:token/:id/:file/:name',
    handler: (request, reply) => sendOwnFile(parse(FileParams, request.params), request, reply),
  });
  app.route({
    method,
    url: '/feed/:token/:id/:file',
    handler: (request, reply) => sendOwnFile(parse(OldFileParams, request.params), request, reply),
  });
}

import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import { acceptsGzip } from '../send-json.ts';
import type { WebPage } from './web-page.ts';

/** The darkest background of the dark theme, which is the default. */
const BACKGROUND = '#100c09';

/** The web app manifest, with which phones and desktops install the site. */
export const buildManifest = ({ siteName }: Pick<Config, 'siteName'>) => ({
  id: '/',
  name: siteName,
  short_name: siteName.slice(0, 12).trim(),
  start_url: '/',
  scope: '/',
  display: 'standalone',
  lang: 'en-ZA',
  categories: ['music'],
  theme_color: BACKGROUND,
  background_color: BACKGROUND,
  icons: [
    { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
    { src: '/icon-512.png', sizes: '512x512', type: 'image/png' },
    { src: '/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    { src: '/icon.svg', sizes: 'any', type: 'image/svg+xml' },
  ],
  shortcuts: [
    { name: 'Downloads', url: '/downloads' },
    { name: 'Top 20', url: '/top-20' },
  ],
});

const hashText = (text: string): string =>
  createHash('sha256').update(text).digest('base64url').slice(0, 27);

type Text = { body: string; gzipped: Buffer; etag: string; type: string };

const prepare = (body: string, type: string): Text => ({
  body,
  gzipped: gzipSync(body, { level: 9 }),
  etag: `"${hashText(body)}"`,
  type,
});

function send({ body, gzipped, etag, type }: Text, request: FastifyRequest, reply: FastifyReply) {
  // Revalidated each time, because an old worker would keep serving an old app.
  reply.headers({ etag, 'cache-control': 'no-cache', vary: 'accept-encoding' });
  if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send();
  reply.type(type);
  return acceptsGzip(request.headers['accept-encoding']?.toString())
    ? reply.header('content-encoding', 'gzip').send(gzipped)
    : reply.send(body);
}

const WORKER = 'service-worker.js';

/** The server fills in this file itself: it contains the version of the page. */
export const isInstalledAppFile = (name: string): boolean => name === WORKER;

/** Prepares the text again only when the page changes, which it does with the settings. */
function prepareFor(readPage: () => WebPage, prepareText: (page: WebPage) => Text): () => Text {
  let cached: { page: WebPage; text: Text } | null = null;
  return () => {
    const page = readPage();
    if (cached?.page !== page) cached = { page, text: prepareText(page) };
    return cached.text;
  };
}

export function serveInstalledApp(app: FastifyInstance, config: Config, readPage: () => WebPage) {
  const readManifest = prepareFor(readPage, () =>
    prepare(JSON.stringify(buildManifest(config)), 'application/manifest+json'),
  );
  app.get('/manifest.webmanifest', (request, reply) => send(readManifest(), request, reply));
  const path = join(config.webRoot, WORKER);
  if (readPage().status !== 200 || !existsSync(path)) return;
  const template = readFileSync(path, 'utf8');
  const readWorker = prepareFor(readPage, (page) => {
    // The worker fetches its cached page again when this revision changes.
    const revision = hashText(`${page.html}\n${page.policy}`);
    const script = template.replaceAll('__SHELL_REVISION__', () => revision);
    return prepare(script, 'text/javascript; charset=utf-8');
  });
  const readShell = prepareFor(readPage, ({ html }) => prepare(html, 'text/html; charset=utf-8'));
  app.get('/app-shell.html', (request, reply) => {
    reply.header('content-security-policy', readPage().policy);
    return send(readShell(), request, reply);
  });
  app.get(`/${WORKER}`, (request, reply) => {
    reply.header('content-security-policy', readPage().policy);
    return send(readWorker(), request, reply);
  });
}

import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { takesGzip } from './send-json.ts';
import type { WebPage } from './web-page.ts';

/** The darkest ground of the dark theme, which is the default one. */
const GROUND = '#100c09';

/** What a phone or a desktop needs to keep the site beside its other apps. */
export const describeApp = ({ siteName }: Pick<Config, 'siteName'>) => ({
  id: '/',
  name: siteName,
  short_name: siteName.slice(0, 12).trim(),
  start_url: '/',
  scope: '/',
  display: 'standalone',
  lang: 'en-ZA',
  categories: ['music'],
  theme_color: GROUND,
  background_color: GROUND,
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
  // Asked again each time: an old worker would keep an old app alive.
  reply.headers({ etag, 'cache-control': 'no-cache', vary: 'accept-encoding' });
  if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send();
  reply.type(type);
  return takesGzip(request.headers['accept-encoding']?.toString())
    ? reply.header('content-encoding', 'gzip').send(gzipped)
    : reply.send(body);
}

const WORKER = 'service-worker.js';

/** These are the server's own work: the name of the site and the version of its page stand in them. */
export const isInstalledAppFile = (name: string): boolean => name === WORKER;

/** Prepared once for each page that the server would send: both change with the settings. */
function prepareFor(readPage: () => WebPage, prepareText: (page: WebPage) => Text): () => Text {
  let kept: { page: WebPage; text: Text } | null = null;
  return () => {
    const page = readPage();
    if (kept?.page !== page) kept = { page, text: prepareText(page) };
    return kept.text;
  };
}

export function serveInstalledApp(app: FastifyInstance, config: Config, readPage: () => WebPage) {
  const readManifest = prepareFor(readPage, () =>
    prepare(JSON.stringify(describeApp(config)), 'application/manifest+json'),
  );
  app.get('/manifest.webmanifest', (request, reply) => send(readManifest(), request, reply));
  const path = join(config.webRoot, WORKER);
  if (readPage().status !== 200 || !existsSync(path)) return;
  const template = readFileSync(path, 'utf8');
  const readWorker = prepareFor(readPage, (page) => {
    // The page that the worker keeps is fetched anew whenever the server would send another one.
    const revision = hashText(`${page.html}\n${page.policy}`);
    const script = template.replaceAll('__SHELL_REVISION__', () => revision);
    return prepare(script, 'text/javascript; charset=utf-8');
  });
  app.get(`/${WORKER}`, (request, reply) => {
    reply.header('content-security-policy', readPage().policy);
    return send(readWorker(), request, reply);
  });
}

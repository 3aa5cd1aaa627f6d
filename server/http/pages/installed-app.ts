import { gzipSync } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { iconPath } from '#contract/look.ts';
import { findOffers } from '#contract/rules/allowed-files.ts';
import type { Config } from '../../config.ts';
import type { Deps } from '../../deps.ts';
import { hashContent, sendWebFile, type WebFile } from './web-files.ts';
import type { WebPage } from './web-page.ts';

/** The darkest background of the dark theme, which is the default. */
const BACKGROUND = '#100c09';

/** The web app manifest, with which phones and desktops install the site. */
const buildManifest = (
  { siteName, look }: Pick<Config, 'siteName' | 'look'>,
  hasDownloads: boolean,
) => ({
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
  ...(look.sentence && { description: look.sentence }),
  icons: [
    { src: iconPath(look, '192'), sizes: '192x192', type: 'image/png' },
    { src: iconPath(look, '512'), sizes: '512x512', type: 'image/png' },
    { src: iconPath(look, 'maskable'), sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    ...(look.icon ? [] : [{ src: '/icon.svg', sizes: 'any', type: 'image/svg+xml' }]),
  ],
  shortcuts: [
    ...(hasDownloads ? [{ name: 'Downloads', url: '/downloads' }] : []),
    { name: 'Top 20', url: '/top-20' },
  ],
});

const toFile = (text: string, type: string): WebFile => ({
  type,
  etag: `"${hashContent(text)}"`,
  bytes: Buffer.from(text),
  gzipped: gzipSync(text, { level: 9 }),
  brotli: undefined,
});

/** Browsers ask for it again each time, because an old worker would keep serving an old app. */
function sendRevalidated(file: WebFile, request: FastifyRequest, reply: FastifyReply) {
  reply.header('cache-control', 'no-cache');
  return sendWebFile(file, request, reply);
}

const WORKER = 'service-worker.js';

/** The server fills in this file itself: it contains the version of the page. */
export const isInstalledAppFile = (name: string): boolean => name === WORKER;

/** Prepares the file again only when the page changes, which it does with the settings. */
function prepareFor(
  readPage: () => WebPage,
  prepareFile: (page: WebPage) => WebFile,
): () => WebFile {
  let cached: { page: WebPage; file: WebFile } | null = null;
  return () => {
    const page = readPage();
    if (cached?.page !== page) cached = { page, file: prepareFile(page) };
    return cached.file;
  };
}

export function serveInstalledApp(
  app: FastifyInstance,
  { config, clock }: Pick<Deps, 'config' | 'clock'>,
  readPage: () => WebPage,
  files: ReadonlyMap<string, WebFile>,
) {
  const [readManifest, readManifestOfStreams] = [true, false].map((hasDownloads) =>
    prepareFor(readPage, () =>
      toFile(JSON.stringify(buildManifest(config, hasDownloads)), 'application/manifest+json'),
    ),
  ) as [() => WebFile, () => WebFile];
  app.get('/manifest.webmanifest', (request, reply) => {
    const { mp3, saving } = findOffers(config.fileEnds, clock.now());
    const file = mp3 || saving ? readManifest() : readManifestOfStreams();
    return sendRevalidated(file, request, reply);
  });
  const template = files.get(WORKER)?.bytes.toString();
  if (readPage().status !== 200 || template === undefined) return;
  const readWorker = prepareFor(readPage, (page) => {
    // The worker fetches its cached page again when this revision changes.
    const revision = hashContent(`${page.html}\n${page.policy}`);
    const script = template.replaceAll('__SHELL_REVISION__', () => revision);
    return toFile(script, 'text/javascript; charset=utf-8');
  });
  const readShell = prepareFor(readPage, ({ html }) => toFile(html, 'text/html; charset=utf-8'));
  app.get('/app-shell.html', (request, reply) => {
    reply.header('content-security-policy', readPage().policy);
    return sendRevalidated(readShell(), request, reply);
  });
  app.get(`/${WORKER}`, (request, reply) => {
    reply.header('content-security-policy', readPage().policy);
    return sendRevalidated(readWorker(), request, reply);
  });
}

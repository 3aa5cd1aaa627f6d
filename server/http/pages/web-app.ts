import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { isHelperPath } from '#contract/admin/helper-paths.ts';
import { isStaff } from '#contract/rules/access.ts';
import { cleanPath, isPagePath, type PagePath } from '#contract/page-paths.ts';
import { findSharedSubject } from '#contract/rules/shared-links.ts';
import type { Deps } from '../../deps.ts';
import { findOutage } from '../../outage.ts';
import { AppError } from '../route/app-error.ts';
import { isInstalledAppFile, serveInstalledApp } from './installed-app.ts';
import type { Fallback } from '../route/error-handler.ts';
import { enforceGuard } from '../route/guards.ts';
import { readSessionToken } from '../route/sessions.ts';
import { addPreloads, readPageFiles } from './page-files.ts';
import { hideFromSearch, insertHead, type PageHead } from './page-head.ts';
import { createPageRenderer } from './render-page.ts';
import { encodePage, sendPage, type SentPage } from './sent-page.ts';
import { readWebFiles, sendWebFile, type WebFile } from './web-files.ts';
import { addContent, watchPage, type WebPage } from './web-page.ts';

/** Browsers ask for HTML by name. Clients that accept anything get the page too. */
const wantsPage = ({ headers: { accept } }: FastifyRequest): boolean =>
  accept === undefined || accept.includes('text/html') || accept.includes('*/*');

/** A missing script or icon must not be a page. */
const isFile = (path: string): boolean => /\.\w+$/.test(path);

function serveFiles(app: FastifyInstance, files: ReadonlyMap<string, WebFile>) {
  app.get<{ Params: { '*': string } }>('/assets/*', (request, reply) => {
    const file = files.get(`assets/${request.params['*']}`);
    if (!file) throw new AppError('not_found');
    // Its name changes with its content, so that browsers never ask for it again.
    reply.header('cache-control', 'public, max-age=31536000, immutable');
    return sendWebFile(file, request, reply);
  });
  for (const [name, file] of files) {
    if (/^(?:assets\/|index\.html$)/.test(name) || isInstalledAppFile(name)) continue;
    app.get(`/${name}`, (request, reply) => {
      reply.header('cache-control', 'public, max-age=300');
      return sendWebFile(file, request, reply);
    });
  }
}

/** `missing` if visitors find nothing at this address; null if the page is not for search engines. */
export type FoundHead = PageHead | 'missing' | null;

/** Finds what search engines and link previews see of a page, which is the same for every viewer. */
type FindHead = (path: string) => Promise<FoundHead>;

/** Changes with everything that visitors see; undefined if that isn't known. */
type FindEdition = () => Promise<string | undefined>;

type SiteContent = { findHead: FindHead; findEdition: FindEdition };

/** HTML for pages that also work without scripts, by path, and its styles. */
export type PlainPages = Record<string, { html: string; style: string }>;

/** As its `main`, which is not allowed inside `noscript` by that name. */
const addPlainPage = (html: string, plain: string, style = ''): string =>
  html
    .replace(
      /<noscript>[\s\S]*?<\/noscript>/,
      () => `<noscript><div role="main">${plain}</div></noscript>`,
    )
    .replace('</head>', () =>
      style ? `<noscript><style>${style}</style></noscript>\n</head>` : '</head>',
    );

const NOT_FOUND =
  '<h1>Page not found</h1><p>The link may be mistyped, or the page has moved.</p><p><a href="/">Go home</a></p>';

/** Pages that arrive with their content. The browser renders all others itself. */
const RENDERED: PagePath[] = [
  '/',
  '/about',
  '/artist/:id',
  '/clip/:id',
  '/contact',
  '/copyright',
  '/landing',
  '/library',
  '/login',
  '/pricing',
  '/privacy',
  '/refunds',
  '/register',
  '/shared/:token',
  '/terms',
  '/top-20',
  '/track/:id',
];

/** Serves the built web app, and its page for every path of the web app. */
export function serveWebApp(
  app: FastifyInstance,
  deps: Deps,
  { findHead, findEdition }: SiteContent,
  plainPages: PlainPages = {},
): Fallback {
  const { config, clock } = deps;
  const files = readWebFiles(config.webRoot);
  const template = files.get('index.html')?.bytes.toString() ?? null;
  const readPage = watchPage(template, config);
  const render = createPageRenderer(app, { config, clock });
  const findPageFiles = readPageFiles(config.webRoot);
  if (template !== null) serveFiles(app, files);
  serveInstalledApp(app, deps, readPage, files);

  const shareHead = shareForAMoment<FoundHead>(clock, findEdition);
  /** Undefined if it can't be found now: the page works without its head. */
  const findSharedHead = (request: FastifyRequest, path: string): Promise<FoundHead | undefined> =>
    shareHead(path, () => findHead(path)).catch((error: unknown) => {
      request.log.error({ err: error }, 'Building the head of a page failed.');
      return undefined;
    });

  /** The login page shows what the link was about that led there, so links to it do too. */
  async function findHeadOf(request: FastifyRequest, path: string): Promise<FoundHead | undefined> {
    const next = isEntryPath(path) ? readSharedPath(request.url) : null;
    const head = next && (await findSharedHead(request, next));
    return head && head !== 'missing' ? head : findSharedHead(request, path);
  }

  function addHead(page: WebPage, head: FoundHead | undefined, isMissing: boolean): WebPage {
    if (head === undefined) return page;
    const title = isMissing ? `Page not found · ${config.siteName}` : config.siteName;
    const html =
      head === null || head === 'missing'
        ? hideFromSearch(page.html, title)
        : insertHead(page.html, head);
    return { ...page, html, status: isMissing && page.status === 200 ? 404 : page.status };
  }

  async function buildPage(request: FastifyRequest, path: string, isRendered: boolean) {
    const [head, content] = await Promise.all([
      findHeadOf(request, path),
      isRendered ? render(request, path) : null,
    ]);
    // Trust the rendered status; on failure never send 404 to members who may see more than visitors.
    const isMemberPage = isRendered && !content && !isVisitor(request) && !isSharedLink(path);
    const isMissing =
      (content?.html && !content.redirectedTo) || isMemberPage
        ? content?.isMissing === true
        : head === 'missing';
    const preloads = findPageFiles(content?.redirectedTo?.split('?', 1)[0] ?? path);
    let page = addHead(addPreloads(readPage(), preloads), head, isMissing);
    if (content) page = addContent(page, content);
    const own = plainPages[path];
    const plain = own?.html ?? (content?.html ? undefined : findPlain(head, isMissing));
    return plain === undefined
      ? page
      : { ...page, html: addPlainPage(page.html, plain, own?.style) };
  }

  function buildNotFound(): WebPage {
    const page = addHead(readPage(), 'missing', true);
    return { ...page, html: addPlainPage(page.html, NOT_FOUND) };
  }

  const isVisitor = (request: FastifyRequest) => readSessionToken(config, request) === null;
  const sharePage = shareForAMoment<SentPage>(clock, findEdition);

  /** Every visitor sees the same page. A query string could be anything, so its pages aren't shared. */
  function findPage(request: FastifyRequest): Promise<SentPage> {
    const path = pathOf(request);
    const build = async () => encodePage(await buildPage(request, path, true));
    const isSame = isVisitor(request) && path === request.url && !isSharedLink(path);
    return isSame ? sharePage(path, build) : build();
  }

  for (const path of RENDERED)
    app.get(path, async (request, reply) => sendPage(await findPage(request), request, reply));

  /** What administrators see doesn't exist for others; visitors are then asked to log in. */
  async function isHidden(request: FastifyRequest, reply: FastifyReply, path: string) {
    if (!/^\/admin(?:\/|$)/i.test(cleanPath(path))) return false;
    try {
      const viewer = await enforceGuard('viewer', deps, request, reply);
      if (!viewer || !isStaff(viewer.user)) return true;
      return viewer.user.is_admin !== 1 && !isHelperPath(path);
    } catch (error) {
      // Nobody knows who asks. The page itself is empty, and says what is wrong with the site.
      if (findOutage(error)) return false;
      throw error;
    }
  }

  return async (request, reply) => {
    const isPage = request.method === 'GET' || request.method === 'HEAD';
    const path = pathOf(request);
    const isWebAppPath = !/^\/(?:api|assets|media)(?:\/|$)/.test(path);
    const isKnown = isPagePath(path);
    if (!isPage || !isWebAppPath || !wantsPage(request) || (!isKnown && isFile(path))) return false;
    // The URL gives access to the account, so don't send it to other sites.
    if (/^\/+(?:reset-password|setup)\//.test(path)) reply.header('referrer-policy', 'no-referrer');
    const isFound = isKnown && !(await isHidden(request, reply, path));
    const page = isFound ? await buildPage(request, path, false) : buildNotFound();
    await sendPage(encodePage(page), request, reply);
    return true;
  };
}

function findPlain(head: FoundHead | undefined, isMissing: boolean): string | undefined {
  if (isMissing) return NOT_FOUND;
  return head && head !== 'missing' ? head.plain : undefined;
}

/** The link of a playlist is the same for everyone, and can be turned off at any moment. */
const isSharedLink = (path: string): boolean => /^\/shared\//i.test(path);

const isEntryPath = (path: string): boolean => path === '/login' || path === '/register';

/** What members share, as the `next` of this address; null if that is something else. */
function readSharedPath(url: string): string | null {
  const next = new URLSearchParams(url.split('?', 2)[1]).get('next');
  return next !== null && findSharedSubject(next) ? (/^[^?#]+/.exec(next)?.[0] ?? null) : null;
}

const pathOf = (request: FastifyRequest): string => request.url.split('?', 1)[0] ?? '';

/**
 * What is the same for everyone is built once for all who ask, until the catalogue changes. What else
 * it shows, such as play counts, is never older than this, unless the database doesn't answer.
 */
const SHARED_MS = 2_000;
const MAX_SHARED = 200;

function shareForAMoment<T>(clock: Deps['clock'], findEdition: FindEdition) {
  const shared = new LRUCache<string, { edition: string; until: number; value: Promise<T> }>({
    max: MAX_SHARED,
  });
  return async (key: string, build: () => Promise<T>): Promise<T> => {
    const edition = await findEdition().catch((error: unknown) =>
      findOutage(error) ? 'outage' : undefined,
    );
    const known = shared.get(key);
    if (edition === 'outage' && known) return known.value;
    if (edition === undefined || edition === 'outage') return build();
    if (known?.edition === edition && known.until > clock.now()) return known.value;
    const value = build();
    shared.set(key, { edition, until: clock.now() + SHARED_MS, value });
    value.catch(() => shared.delete(key));
    return value;
  };
}

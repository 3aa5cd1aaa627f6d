import { hashKey, type InfiniteData, type QueryClient } from '@tanstack/react-query';
import { cleanPath } from '#contract/page-paths.ts';
import { currentUserQuery, isStaff } from '#web/lib/api/current-user.ts';
import { formatDate } from '#web/lib/format/format.ts';
import { keepFresh } from '#web/lib/api/fresh-for-a-moment.ts';
import { loadSleevePainter } from '#web/ui/art/sleeve.tsx';
import { findPage, type Address, type FoundPage } from './find-page.ts';
import { findRedirect } from './guard.ts';
import type { PageQuery, Visit } from './route.ts';

/**
 * A pointer or a focus that only passes by doesn't mean that the user wants to open the page. A
 * touch that starts to scroll is cancelled by then, also on a slow phone.
 */
const REST_MS = 80;

/** Loads a page's code and data when its link is hovered, focused or pressed. */
export function prefetchOnIntent(client: QueryClient, page: Window = window): void {
  const { document } = page;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const forget = () => clearTimeout(timer);
  const prefetch = (target: EventTarget | null, delay: number) => {
    forget();
    const link = findLink(target, page.location);
    if (link) timer = setTimeout(() => void prefetchPage(client, link), delay);
  };
  const listen = (name: 'pointerover' | 'pointerdown', handle: (event: PointerEvent) => void) =>
    document.addEventListener(name, handle, { passive: true });
  // A finger hovers only when it presses.
  listen('pointerover', (event) => {
    if (event.pointerType !== 'touch') prefetch(event.target, REST_MS);
  });
  listen('pointerdown', (event) =>
    prefetch(event.target, event.pointerType === 'touch' ? REST_MS : 0),
  );
  document.addEventListener('pointercancel', forget);
  document.addEventListener('focusin', (event) => {
    // A press moves the focus too, but is not about to pass by.
    if (!document.querySelector('a:active')) prefetch(event.target, REST_MS);
  });
}

/** Not if the line is dear or slow. */
export async function prefetchPage(client: QueryClient, address: Address): Promise<void> {
  const found = await findPage(address);
  if (!found) return;
  void loadSleevePainter();
  if (isLineGood(navigator)) await loadData(client, address, found);
  // The first date format of a visit takes long. A page with a date finds it ready.
  formatDate(Date.now());
}

/** The link to another page of this site at this point of the page. */
function findLink(target: EventTarget | null, here: Location): HTMLAnchorElement | undefined {
  const link = target instanceof Element ? target.closest('a[href]') : null;
  if (!(link instanceof HTMLAnchorElement) || link.origin !== here.origin) return undefined;
  const isHere = link.pathname === here.pathname && link.search === here.search;
  return isHere ? undefined : link;
}

/** Loads a page's data, unless the user would be sent elsewhere. */
export async function loadData(
  client: QueryClient,
  { pathname, search }: Address,
  { route, page, params }: FoundPage,
): Promise<void> {
  const user = client.getQueryData(currentUserQuery.queryKey);
  if (user === undefined) return;
  if (findRedirect({ path: cleanPath(pathname), search }, user !== null)) return;
  if (route.access === 'admins' && (!isStaff(user) || user?.adminGrace?.isOver)) return;
  const read: Visit['read'] = (key) => client.getQueryData(key);
  const visit = { params, search: new URLSearchParams(search), user, read };
  const list = () => page.listQueries?.(visit).filter(({ enabled }) => enabled !== false) ?? [];
  const asked = new Set<string>();
  // What depends on other data is listed once that has come.
  for (let next = list(); next.length > 0;) {
    for (const { queryKey } of next) asked.add(hashKey(queryKey));
    await Promise.all(next.map((query) => loadAhead(client, query)));
    next = list().filter(({ queryKey }) => !asked.has(hashKey(queryKey)));
  }
}

/** Loads what is missing or stale, so that the page doesn't ask again. */
async function loadAhead(client: QueryClient, query: PageQuery): Promise<void> {
  const { queryKey } = query;
  const before = client.getQueryState(queryKey);
  // A list that was scrolled through would be loaded again as a whole.
  if (isInfinite(before?.data) && before.data.pages.length > 1) return;
  const load =
    'initialPageParam' in query ? client.fetchInfiniteQuery(query) : client.fetchQuery(query);
  // The page asks again, and says what is wrong.
  await load.catch(() => undefined);
  const after = client.getQueryState(queryKey);
  if (after?.status === 'success' && after.dataUpdatedAt !== before?.dataUpdatedAt)
    keepFresh(client, queryKey);
}

const isInfinite = (data: unknown): data is InfiniteData<unknown> =>
  typeof data === 'object' && data !== null && 'pages' in data && Array.isArray(data.pages);

type Line = { onLine: boolean; connection?: { saveData?: boolean; effectiveType?: string } };

const isLineGood = ({ onLine, connection }: Line): boolean =>
  onLine && !connection?.saveData && !connection?.effectiveType?.endsWith('2g');

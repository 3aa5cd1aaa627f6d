import { cleanPath } from '#contract/page-paths.ts';

const PUBLIC_PATH =
  /^\/((top-20|login|register|forgot-password|terms|privacy|refunds|contact|give)?$|(give|reset-password|confirm-email|undo-email-change)\/)/;

const isPublicPath = (path: string): boolean => PUBLIC_PATH.test(cleanPath(path));

export const isAdminPath = (path: string): boolean => /^\/admin(\/|$)/.test(cleanPath(path));

type PageAddress = {
  path: string;
  /** As the browser has it: encoded, with the question mark. */
  search: string;
};

/** The path to redirect to, or null to stay. */
export function findRedirect({ path, search }: PageAddress, isLoggedIn: boolean): string | null {
  const clean = cleanPath(path);
  if (!isLoggedIn && !isPublicPath(clean)) return withNext('/login', clean + search);
  if (isLoggedIn && isEntryPath(clean)) return readNext(search);
  return clean === path ? null : clean + search;
}

/** Pages for logging in and registering; a logged-in user is sent on. */
const isEntryPath = (path: string): boolean => path === '/login' || path === '/register';

const KEEPS_NEXT = ['/login', '/register', '/forgot-password', '/landing'];

/** Adds where to go after logging in or registering. Home is the default. */
export const withNext = (path: string, next: string): string =>
  next === '/' ? path : `${path}?next=${encodeURIComponent(next)}`;

/** Plans and prices for visitors, who can't open /pricing. */
export const plansPath = (next: string): string => `${withNext('/landing', next)}#plans`;

/** Where a visitor returns to from this page: to the page itself, or to the `next` it already has. */
export function findNext({ path, search }: PageAddress): string {
  const clean = cleanPath(path);
  return KEEPS_NEXT.includes(clean) ? readNext(search) : clean + search;
}

const readNext = (search: string): string => safeNext(new URLSearchParams(search).get('next'));

/** After login, only redirects to paths of this site; anything else goes to Home. */
export function safeNext(next: string | null): string {
  if (!next || !next.startsWith('/')) return '/';
  const base = 'https://this.invalid';
  try {
    const url = new URL(next, base);
    const path = cleanPath(url.pathname);
    return url.origin === base && !isEntryPath(path) ? path + url.search : '/';
  } catch {
    return '/';
  }
}

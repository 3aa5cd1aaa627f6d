import { cleanPath } from '#contract/page-paths.ts';

export type PageAddress = {
  path: string;
  /** As the browser has it: encoded, with the question mark. */
  search: string;
};

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

export const readNext = (search: string): string =>
  safeNext(new URLSearchParams(search).get('next'));

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

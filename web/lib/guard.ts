const PUBLIC_PATHS = ['/', '/top-20', '/login', '/register', '/forgot-password'];
const PUBLIC_PREFIXES = ['/reset-password/'];

/** Collapses repeated slashes and drops a trailing one. */
export function cleanPath(path: string): string {
  const collapsed = path.replace(/\/{2,}/g, '/');
  return collapsed.length > 1 ? collapsed.replace(/\/$/, '') : collapsed;
}

const isPublicPath = (path: string): boolean => {
  const clean = cleanPath(path);
  return PUBLIC_PATHS.includes(clean) || PUBLIC_PREFIXES.some((prefix) => clean.startsWith(prefix));
};

export const isAdminPath = (path: string): boolean => /^\/admin(\/|$)/.test(cleanPath(path));

type PageAddress = {
  path: string;
  /** As the browser has it: encoded, with the question mark. */
  search: string;
};

/** The path to redirect to, or null to stay. */
export function findRedirect({ path, search }: PageAddress, isLoggedIn: boolean): string | null {
  const clean = cleanPath(path);
  if (!isLoggedIn && !isPublicPath(clean)) return loginPath(clean + search);
  return clean === path ? null : clean + search;
}

export const loginPath = (next: string): string =>
  next === '/' ? '/login' : `/login?next=${encodeURIComponent(next)}`;

/** After login, only redirects to paths of this site; anything else goes to Home. */
export function safeNext(next: string | null): string {
  if (!next || !next.startsWith('/')) return '/';
  const base = 'https://this.invalid';
  try {
    const url = new URL(next, base);
    return url.origin === base ? cleanPath(url.pathname) + url.search : '/';
  } catch {
    return '/';
  }
}

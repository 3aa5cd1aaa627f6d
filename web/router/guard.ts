import { cleanPath } from '#contract/page-paths.ts';
import { boot } from '#web/lib/store/boot.ts';
import { readNext, withNext, type PageAddress } from '#web/lib/location/next-path.ts';
import { findRoute } from './find-page.ts';

/** The path to redirect to, or null to stay. */
export function findRedirect({ path, search }: PageAddress, isLoggedIn: boolean): string | null {
  const clean = cleanPath(path);
  const { access } = findRoute(clean).route;
  if (isLoggedIn && access === 'visitors') return readNext(search);
  const isOpen =
    isLoggedIn ||
    access === 'everyone' ||
    access === 'visitors' ||
    (access === 'readers' && boot.look.about === 'everyone');
  if (!isOpen) return withNext('/login', clean + search);
  return clean === path ? null : clean + search;
}

import { cleanPath } from '../page-paths.ts';

/** The admin pages that a helper opens, each with those below it. */
const HELPER_PATHS = [
  '/admin/tracks',
  '/admin/track-management',
  '/admin/series',
  '/admin/artists',
  '/admin/clips',
  '/admin/letters',
  '/admin/moments',
  '/admin/upload',
  '/admin/simple-upload',
  '/admin/upload-old',
  '/admin/reports',
  '/admin/rights',
];

const isBelow = (path: string, parent: string): boolean => `${path}/`.startsWith(`${parent}/`);

/** Below those, but with money or members. */
const ADMIN_PATHS = ['/admin/reports/list', '/admin/rights/reports'];

/** Whether a helper may see an admin page; the others don’t exist for them. */
export function isHelperPath(path: string): boolean {
  const clean = cleanPath(path).toLowerCase();
  const isIn = (paths: readonly string[]) => paths.some((each) => isBelow(clean, each));
  return isIn(HELPER_PATHS) && !isIn(ADMIN_PATHS);
}

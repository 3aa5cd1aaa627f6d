import { LEGAL_PAGES } from './legal-pages.ts';
import { cleanPath } from './rules/clean-path.ts';

/** Pages for everyone, which search engines list. */
export const PUBLIC_PATHS = [
  '/',
  '/top-20',
  '/landing',
  '/login',
  '/register',
  ...LEGAL_PAGES.map((name) => `/${name}` as const),
] as const;

/** Pages that people open from a link, and for which a link shows a picture. */
const LINKED_PATHS = ['/track/:id', '/shared/:token'] as const;

/** Pages for members, and those of the way to an account. */
export const MEMBER_PATHS = [
  '/forgot-password',
  '/reset-password/:token',
  '/library',
  '/search',
  '/pricing',
  '/recently-played',
  '/favorites',
  '/downloads',
  '/playlists',
  '/playlist/:id',
  '/profile',
  '/achievements',
  '/subscription',
  '/subscription/invoices/:id',
  '/subscription/credit-notes/:id',
  '/subscription-success',
  '/gift/:token',
  '/settings',
  '/loading-demo',
] as const;

const ADMIN_PATHS = [
  '/admin',
  '/admin/tracks',
  '/admin/track-management',
  '/admin/tracks/edit/:id',
  '/admin/subscribers',
  '/admin/subscribers/:id',
  '/admin/payments',
  '/admin/prices',
  '/admin/coupons',
  '/admin/jobs',
  '/admin/audit',
  '/admin/outbox',
  '/admin/legal',
  '/admin/settings',
  '/admin/upload',
  '/admin/simple-upload',
  '/admin/upload-old',
  '/admin/reports',
  '/admin/reports/list',
  '/admin/books',
  '/admin/invoices/:id',
  '/admin/credit-notes/:id',
] as const;

/** Every page of the web app, whose routes take only these paths. The server answers 404 for others. */
export const PAGE_PATHS = [
  ...PUBLIC_PATHS,
  ...LINKED_PATHS,
  ...MEMBER_PATHS,
  ...ADMIN_PATHS,
] as const;
export type PagePath = (typeof PAGE_PATHS)[number];

const patterns = PAGE_PATHS.map((path) => path.slice(1).replaceAll(/:\w+/g, '[^/]+'));
const pagePattern = new RegExp(`^/(?:${patterns.join('|')})/?$`, 'i');

/** Whether the web app has a page at this path. Like its routes, this ignores case. */
export const isPagePath = (path: string): boolean => pagePattern.test(cleanPath(path));

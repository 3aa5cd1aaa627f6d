/** Pages for everyone, which search engines list. */
export const PUBLIC_PATHS = [
  '/',
  '/top-20',
  '/landing',
  '/login',
  '/register',
  '/terms',
  '/privacy',
  '/refunds',
  '/contact',
  '/copyright',
] as const;

/** Pages that people open from a link, and for which a link shows a picture if everyone may see them. */
const LINKED_PATHS = [
  '/about',
  '/letters',
  '/letters/:id',
  '/track/:id',
  '/artist/:id',
  '/shared/:token',
  '/clip/:id',
] as const;

/** Pages for members, and those of the way to an account. */
export const MEMBER_PATHS = [
  '/forgot-password',
  '/reset-password/:token',
  '/confirm-email/:token',
  '/undo-email-change/:token',
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
  '/year/:year',
  '/subscription',
  '/subscription/invoices/:id',
  '/subscription/credit-notes/:id',
  '/subscription-success',
  '/gift/:token',
  '/give',
  '/give/:reference',
  '/give/:reference/invoice',
  '/settings',
  '/loading-demo',
] as const;

const ADMIN_PATHS = [
  '/admin',
  '/admin/tracks',
  '/admin/track-management',
  '/admin/tracks/edit/:id',
  '/admin/tracks/:id/rights',
  '/admin/rights',
  '/admin/rights/take-downs',
  '/admin/series',
  '/admin/artists',
  '/admin/artists/:id',
  '/admin/clips',
  '/admin/letters',
  '/admin/letters/:id',
  '/admin/moments',
  '/admin/subscribers',
  '/admin/subscribers/import',
  '/admin/subscribers/:id',
  '/admin/payments',
  '/admin/prices',
  '/admin/coupons',
  '/admin/streaming',
  '/admin/jobs',
  '/admin/audit',
  '/admin/outbox',
  '/admin/legal',
  '/admin/mails',
  '/admin/settings',
  '/admin/settings/releases',
  '/admin/settings/seller',
  '/admin/settings/system',
  '/admin/upload',
  '/admin/simple-upload',
  '/admin/upload-old',
  '/admin/reports',
  '/admin/reports/list',
  '/admin/books',
  '/admin/rights/reports',
  '/admin/rights/reports/:id',
  '/admin/invoices/:id',
  '/admin/credit-notes/:id',
] as const;

export type PagePath =
  | (typeof PUBLIC_PATHS)[number]
  | (typeof LINKED_PATHS)[number]
  | (typeof MEMBER_PATHS)[number]
  | (typeof ADMIN_PATHS)[number];

/** Every page of the web app, whose routes take only these paths. The server answers 404 for others. */
export const listPagePaths = (): PagePath[] => [
  ...PUBLIC_PATHS,
  ...LINKED_PATHS,
  ...MEMBER_PATHS,
  ...ADMIN_PATHS,
];

/** Collapses repeated slashes and drops a trailing one. */
export function cleanPath(path: string): string {
  const collapsed = path.replace(/\/{2,}/g, '/');
  return collapsed.length > 1 ? collapsed.replace(/\/$/, '') : collapsed;
}

/** Built on the server only: browsers need no list of all pages. */
let pagePattern: RegExp | undefined;

function buildPattern(): RegExp {
  const patterns = listPagePaths().map((path) => path.slice(1).replaceAll(/:\w+/g, '[^/]+'));
  return new RegExp(`^/(?:${patterns.join('|')})/?$`, 'i');
}

/** Whether the web app has a page at this path. Like its routes, this ignores case. */
export const isPagePath = (path: string): boolean =>
  (pagePattern ??= buildPattern()).test(cleanPath(path));

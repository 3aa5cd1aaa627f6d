import type { User } from '#contract/accounts.ts';
import { isHelperPath } from '#contract/admin/helper-paths.ts';
import { WEEKDAYS } from '#contract/admin/release-time.ts';
import { boot } from '#web/lib/store/boot.ts';

export type AdminPlace = {
  label: string;
  /** A query in it is part of the address: `/admin/reports?report=churn` isn't `/admin/reports`. */
  href: string;
  /** Pages under other paths that belong to it. */
  others?: string[];
  /** Everyone on the admin pages sees it, unless this says who does. */
  isFor?: (user: User) => boolean;
};

/** With views, its pages share a heading and a switch between them. */
export type AdminEntry = AdminPlace & { views?: AdminPlace[] };

type AdminGroup = { title: string; entries: AdminEntry[] };

/** The admin menu. A page needs one line here, or in `others` of the entry that it belongs to. */
const groups: AdminGroup[] = [
  {
    title: 'This week',
    entries: [
      { label: WEEKDAYS[boot.releaseDay] ?? 'Friday', href: '/admin' },
      {
        label: 'Mixes',
        href: '/admin/tracks',
        views: [
          { label: 'Figures', href: '/admin/tracks' },
          { label: 'Bulk edit', href: '/admin/track-management' },
          { label: 'Artists', href: '/admin/artists' },
          { label: 'Series', href: '/admin/series' },
          { label: 'Clips', href: '/admin/clips' },
        ],
      },
      {
        label: 'Upload',
        href: '/admin/upload',
        others: ['/admin/simple-upload', '/admin/upload-old'],
      },
      { label: 'Letters', href: '/admin/letters' },
      { label: 'Moments', href: '/admin/moments' },
    ],
  },
  {
    title: 'People',
    entries: [
      { label: 'Members', href: '/admin/subscribers' },
      {
        label: 'Who left and why',
        href: '/admin/reports?report=leaving',
        isFor: ({ isAdmin }) => isAdmin,
      },
    ],
  },
  {
    title: 'Money',
    entries: [
      { label: 'Payments', href: '/admin/payments' },
      {
        label: 'Prices',
        href: '/admin/prices',
        views: [
          { label: 'Prices', href: '/admin/prices' },
          { label: 'Codes', href: '/admin/coupons' },
          { label: 'Streaming only', href: '/admin/streaming' },
        ],
      },
      {
        label: 'Books',
        href: '/admin/books',
        others: ['/admin/invoices', '/admin/credit-notes'],
      },
      { label: 'Usage reports', href: '/admin/rights/reports' },
    ],
  },
  {
    title: 'Figures',
    entries: [
      { label: 'Reports', href: '/admin/reports' },
      {
        label: 'Rights',
        href: '/admin/rights',
        views: [
          { label: 'Recordings', href: '/admin/rights' },
          { label: 'Take-downs', href: '/admin/rights/take-downs' },
        ],
      },
    ],
  },
  {
    title: 'Site',
    entries: [
      { label: 'Look', href: '/admin/settings' },
      {
        label: 'Releases and mail',
        href: '/admin/settings/releases',
        views: [
          { label: 'Releases', href: '/admin/settings/releases' },
          { label: 'E-mails', href: '/admin/mails' },
        ],
      },
      {
        label: 'Seller, VAT and legal',
        href: '/admin/settings/seller',
        views: [
          { label: 'Seller and VAT', href: '/admin/settings/seller' },
          { label: 'Legal pages', href: '/admin/legal' },
        ],
      },
      {
        label: 'System',
        href: '/admin/jobs',
        views: [
          { label: 'Jobs', href: '/admin/jobs' },
          { label: 'Audit log', href: '/admin/audit' },
          { label: 'Outbox', href: '/admin/outbox', isFor: () => boot.demo },
          { label: 'Settings', href: '/admin/settings/system' },
        ],
      },
    ],
  },
];

const pick = (places: readonly AdminPlace[], user: User): AdminPlace[] =>
  places.filter(
    ({ href, isFor }) =>
      (user.isAdmin || isHelperPath(splitAddress(href)[0])) && (isFor?.(user) ?? true),
  );

/** What this user sees of it. */
export const listAdminGroups = (user: User): AdminGroup[] =>
  groups
    .map(({ title, entries }) => ({
      title,
      entries: pick(entries, user).map(({ views, ...entry }: AdminEntry) => ({
        ...entry,
        ...(views && { views: pick(views, user) }),
      })),
    }))
    .filter(({ entries }) => entries.length > 0);

const splitAddress = (address: string): [path: string, query: URLSearchParams] => {
  const [path = '', query] = address.split('?');
  return [path, new URLSearchParams(query)];
};

/** How much of an address a link names; 0 if it leads elsewhere. */
function measureMatch(address: string, href: string): number {
  const [path, query] = splitAddress(href);
  const [current, asked] = splitAddress(address);
  const isInside = current === path || (path !== '/admin' && current.startsWith(`${path}/`));
  const hasQuery = [...query].every(([name, value]) => asked.get(name) === value);
  return isInside && hasQuery ? href.length : 0;
}

const measurePlace = (address: string, { href, others = [], views = [] }: AdminEntry): number =>
  Math.max(
    ...[href, ...others].map((each) => measureMatch(address, each)),
    ...views.map((view) => measurePlace(address, view)),
  );

/** The place that this address, a path with its query, belongs to. */
export function findPlace<P extends AdminEntry>(
  address: string,
  places: readonly P[],
): P | undefined {
  const [best] = places
    .map((place) => ({ place, match: measurePlace(address, place) }))
    .filter(({ match }) => match > 0)
    .toSorted((a, b) => b.match - a.match);
  return best?.place;
}

import { weekOf } from '#contract/rules/weeks.ts';
import { golden } from './e2e-tracks.ts';
import type { Role } from './fixtures.ts';

/**
 * Every route of section 2 of the specification, with its title. Not derived from the table in
 * `web/router/routes.ts`: a change of that table by mistake must fail here.
 */
export type SiteRoute = {
  path: string;
  title: RegExp;
  /** The heading in the page itself; the title comes from the table of routes. */
  heading: string | RegExp;
  /** A field that shows what the address asks for. */
  field?: { name: string; value: string };
  /** Who sees the page. Visitors are otherwise sent to /login, users to Home or the not-found page. */
  audience: 'everyone' | 'visitors' | 'users' | 'admins';
  /** Shows a free member what Premium has more: another page than a subscriber sees. */
  hasOffers?: true;
  /** Shows skeletons permanently. */
  hasSkeletons?: true;
  /** Visitors see and hear what it is about on the login page. */
  isHeardByVisitors?: true;
  /** Says that there is no such thing, as `/track/some-id` does. */
  isMissing?: true;
};

const routeFor =
  (audience: SiteRoute['audience']) =>
  (path: string, title: RegExp, heading: SiteRoute['heading']): SiteRoute => ({
    path,
    title,
    heading,
    audience,
  });
const everyone = routeFor('everyone');
const visitors = routeFor('visitors');
const users = routeFor('users');
const admins = routeFor('admins');

const missing = (route: SiteRoute): SiteRoute => ({ ...route, isMissing: true });
const withOffers = (route: SiteRoute): SiteRoute => ({ ...route, hasOffers: true });

/** When the newest test track came out. */
const thisYear = String(weekOf(Date.now(), 'Africa/Johannesburg').year);

export const homeRoute = withOffers(everyone('/', /a dj mix every week/i, golden.title));
export const loginRoute = visitors('/login', /login/i, 'Login');
export const notFoundRoute = users('/no/such-page', /not found/i, 'Page not found');

export const siteRoutes: SiteRoute[] = [
  homeRoute,
  loginRoute,
  visitors('/register', /register/i, 'Register'),
  everyone('/forgot-password', /forgot password/i, 'Forgot password'),
  everyone('/reset-password/some-token', /reset password/i, 'New password'),
  everyone('/confirm-email/some-token', /confirm e-mail/i, 'Confirm e-mail'),
  everyone('/undo-email-change/some-token', /undo change/i, 'Undo change'),
  withOffers(everyone('/top-20', /top 20/i, 'Top 20')),
  everyone('/terms', /terms/i, 'Terms'),
  everyone('/privacy', /privacy policy/i, 'Privacy Policy'),
  everyone('/refunds', /refund policy/i, 'Refund Policy'),
  everyone('/contact', /contact/i, 'Contact'),
  everyone('/copyright', /copyright complaints/i, 'Copyright complaints'),
  everyone('/about', /about/i, 'Weekender'),
  everyone('/letters', /letters/i, 'Letters'),
  missing(everyone('/letters/some-id', /letter/i, 'Letter')),
  missing(everyone('/clip/some-id', /clip/i, 'Clip')),
  everyone('/landing', /one mix a week/i, 'One mix a week.'),
  withOffers(users('/library', /library/i, 'Library')),
  users('/search', /search/i, 'Search'),
  withOffers(users('/search?q=12', /search/i, 'Search')),
  {
    ...withOffers(users(`/track/${golden.id}`, new RegExp(golden.title), golden.title)),
    isHeardByVisitors: true,
  },
  users('/track/some-id', /track/i, 'Track'),
  missing(users('/artist/some-id', /artist/i, 'Artist')),
  withOffers(users('/pricing', /pricing/i, 'Hear the whole year')),
  users('/recently-played', /recently played/i, 'Recently Played'),
  withOffers(users('/favorites', /favorites/i, 'Favorites')),
  withOffers(users('/downloads', /downloads/i, 'Downloads')),
  users('/playlists', /playlists/i, 'Playlists'),
  missing(users('/playlist/some-id', /playlist/i, 'Playlist')),
  missing(users('/shared/some-token', /shared playlist/i, 'Shared playlist')),
  withOffers(users('/profile', /profile/i, 'Profile')),
  users(`/year/${thisYear}`, /year/i, thisYear),
  missing(users('/year/some-id', /year/i, 'Year')),
  users('/achievements', /achievements/i, 'Achievements'),
  withOffers(users('/subscription', /subscription/i, 'Subscription')),
  missing(users('/subscription/invoices/some-id', /invoice/i, 'Invoice')),
  missing(users('/subscription/credit-notes/some-id', /credit note/i, 'Credit note')),
  withOffers(
    users('/subscription-success', /subscription/i, /^(You have Premium|No payment yet)$/),
  ),
  users(
    '/subscription-success?reference=some-reference',
    /subscription/i,
    /^(You have Premium|No payment yet)$/,
  ),
  missing(users('/gift/some-token', /gift/i, 'Gift')),
  everyone('/give', /give premium/i, 'Give Premium'),
  missing(everyone('/give/some-reference', /your gift/i, 'Your gift')),
  missing(everyone('/give/some-reference/invoice', /invoice/i, 'Invoice')),
  withOffers(users('/settings', /settings/i, 'Settings')),
  { ...users('/loading-demo', /loading demo/i, 'Loading demo'), hasSkeletons: true },
  notFoundRoute,
  admins('/admin', /admin dashboard/i, 'Friday'),
  admins('/admin/tracks', /mixes/i, 'Mixes'),
  admins('/admin/track-management', /bulk edit/i, 'Mixes'),
  {
    ...admins(`/admin/tracks/edit/${golden.id}`, /edit mix/i, 'Edit mix'),
    field: { name: 'Title', value: golden.title },
  },
  missing(admins('/admin/tracks/edit/some-id', /edit mix/i, 'Edit mix')),
  admins(`/admin/tracks/${golden.id}/rights`, /what was played/i, 'What was played'),
  missing(admins('/admin/tracks/some-id/rights', /what was played/i, 'What was played')),
  admins('/admin/rights', /rights/i, 'Rights'),
  admins('/admin/rights/take-downs', /take-downs/i, 'Rights'),
  admins('/admin/series', /series/i, 'Mixes'),
  admins('/admin/artists', /artists/i, 'Mixes'),
  admins('/admin/clips', /clips/i, 'Mixes'),
  missing(admins('/admin/artists/some-id', /edit artist/i, 'Edit artist')),
  admins('/admin/letters', /letters/i, 'Letters'),
  missing(admins('/admin/letters/some-id', /letter/i, 'Letter')),
  admins('/admin/moments', /moments/i, 'Moments'),
  admins('/admin/subscribers', /members/i, 'Members'),
  admins('/admin/subscribers/import', /import members/i, 'Import members'),
  missing(admins('/admin/subscribers/some-id', /member/i, 'Member')),
  admins('/admin/payments', /payments/i, 'Payments'),
  admins('/admin/books', /books/i, 'Books'),
  admins('/admin/rights/reports', /usage reports/i, 'Usage reports'),
  missing(admins('/admin/rights/reports/some-id', /usage report/i, 'Usage report')),
  admins('/admin/prices', /prices/i, 'Prices'),
  missing(admins('/admin/invoices/some-id', /invoice/i, 'Invoice')),
  missing(admins('/admin/credit-notes/some-id', /credit note/i, 'Credit note')),
  admins('/admin/coupons', /codes/i, 'Prices'),
  admins('/admin/streaming', /streaming only/i, 'Prices'),
  admins('/admin/legal', /legal pages/i, 'Seller, VAT and legal'),
  admins('/admin/settings', /look/i, 'Look'),
  admins('/admin/settings/releases', /releases and mail/i, 'Releases and mail'),
  admins('/admin/mails', /e-mails/i, 'Releases and mail'),
  admins('/admin/settings/seller', /seller and vat/i, 'Seller, VAT and legal'),
  admins('/admin/settings/system', /system settings/i, 'System'),
  admins('/admin/jobs', /jobs/i, 'System'),
  admins('/admin/audit', /audit log/i, 'System'),
  admins('/admin/outbox', /outbox/i, 'System'),
  admins('/admin/upload', /upload/i, 'Upload'),
  admins('/admin/simple-upload', /simple upload/i, 'Simple upload'),
  admins('/admin/upload-old', /basic upload/i, 'Basic upload'),
  admins('/admin/reports', /reports/i, 'Reports'),
  admins('/admin/reports/list?report=subscribers&figure=active', /reports/i, 'Reports'),
];

/** What an address shows: its page, or where it leads instead. */
export type Outcome = 'page' | 'login' | 'home' | 'not-found';

export function expectedOutcome(role: Role, { audience }: SiteRoute): Outcome {
  if (audience === 'everyone') return 'page';
  if (audience === 'visitors') return role === 'visitor' ? 'page' : 'home';
  if (role === 'visitor') return 'login';
  return audience === 'admins' && role !== 'admin' ? 'not-found' : 'page';
}

/**
 * Members see the pages for everyone as visitors do, free members most pages as subscribers do, and
 * so do administrators: what each has more is in the shell around every page.
 */
export function differsFor(role: Role, { audience, hasOffers }: SiteRoute): boolean {
  if (role === 'admin') return audience === 'admins';
  if (role === 'free') return hasOffers === true;
  return role === 'visitor' || audience !== 'everyone' || hasOffers === true;
}

import { golden } from './e2e-tracks.ts';

/** Every route of section 2 of the specification, with its title. */
export type SiteRoute = {
  path: string;
  title: RegExp;
  /** What only this page shows: a heading, or the value of a field. */
  shows?: { heading: string } | { field: string; value: string };
  /** Who sees the page. Visitors are otherwise sent to /login, users to Home or the not-found page. */
  audience: 'everyone' | 'visitors' | 'users' | 'admins';
  /** Shows skeletons permanently. */
  hasSkeletons?: true;
};

const everyone = (path: string, title: RegExp): SiteRoute => ({
  path,
  title,
  audience: 'everyone',
});
const users = (path: string, title: RegExp): SiteRoute => ({ path, title, audience: 'users' });
const admins = (path: string, title: RegExp): SiteRoute => ({ path, title, audience: 'admins' });

const visitors = (path: string, title: RegExp): SiteRoute => ({
  path,
  title,
  audience: 'visitors',
});

export const NOT_FOUND_TITLE = /not found/i;

export const siteRoutes: SiteRoute[] = [
  everyone('/', /home/i),
  visitors('/login', /login/i),
  visitors('/register', /register/i),
  everyone('/forgot-password', /forgot password/i),
  everyone('/reset-password/some-token', /reset password/i),
  everyone('/top-20', /top 20/i),
  everyone('/landing', /./),
  users('/library', /library/i),
  users('/search', /search/i),
  users('/search?q=12', /search/i),
  {
    ...users(`/track/${golden.id}`, new RegExp(golden.title)),
    shows: { heading: golden.title },
  },
  users('/track/some-id', /track/i),
  users('/pricing', /pricing/i),
  users('/recently-played', /recently played/i),
  users('/favorites', /favorites/i),
  users('/downloads', /downloads/i),
  users('/playlists', /playlists/i),
  users('/playlist/some-id', /playlist/i),
  users('/shared/some-token', /shared playlist/i),
  users('/profile', /profile/i),
  users('/achievements', /achievements/i),
  users('/subscription', /subscription/i),
  users('/subscription/invoices/some-id', /invoice/i),
  users('/subscription-success', /subscription/i),
  users('/subscription-success?reference=some-reference', /subscription/i),
  users('/gift/some-token', /gift/i),
  users('/settings', /settings/i),
  { ...users('/loading-demo', /loading demo/i), hasSkeletons: true },
  users('/no/such-page', NOT_FOUND_TITLE),
  admins('/admin', /admin dashboard/i),
  admins('/admin/tracks', /tracks/i),
  admins('/admin/track-management', /track management/i),
  {
    ...admins(`/admin/tracks/edit/${golden.id}`, /edit track/i),
    shows: { field: 'Title', value: golden.title },
  },
  admins('/admin/tracks/edit/some-id', /edit track/i),
  admins('/admin/subscribers', /subscribers/i),
  admins('/admin/subscribers/some-id', /subscriber/i),
  admins('/admin/coupons', /coupons/i),
  admins('/admin/settings', /site settings/i),
  admins('/admin/jobs', /jobs/i),
  admins('/admin/audit', /audit log/i),
  admins('/admin/outbox', /outbox/i),
  admins('/admin/upload', /upload/i),
  admins('/admin/simple-upload', /upload/i),
  admins('/admin/upload-old', /upload/i),
  admins('/admin/reports', /reports/i),
  admins('/admin/reports/list?report=subscribers&figure=active', /reports/i),
];

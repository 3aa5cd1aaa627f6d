/** Every route of the specification's section 2, with what its title must say. */
export type SiteRoute = {
  path: string;
  title: RegExp;
  /** Who gets the page itself: others are sent to /login (visitors) or shown the not-found page. */
  audience: 'everybody' | 'members' | 'admins';
  /** Shows stand-ins for what is loading, always. */
  hasSkeletons?: true;
};

const everybody = (path: string, title: RegExp): SiteRoute => ({
  path,
  title,
  audience: 'everybody',
});
const members = (path: string, title: RegExp): SiteRoute => ({ path, title, audience: 'members' });
const admins = (path: string, title: RegExp): SiteRoute => ({ path, title, audience: 'admins' });

export const NOT_FOUND_TITLE = /not found/i;

export const siteRoutes: SiteRoute[] = [
  everybody('/', /home/i),
  everybody('/login', /login/i),
  everybody('/register', /register/i),
  everybody('/forgot-password', /forgot password/i),
  everybody('/reset-password/some-token', /reset password/i),
  everybody('/top-20', /top 20/i),
  everybody('/landing', /./),
  members('/library', /library/i),
  members('/search', /search/i),
  members('/search?q=12', /search/i),
  members('/track/some-id', /track/i),
  members('/pricing', /pricing/i),
  members('/recently-played', /recently played/i),
  members('/favorites', /favorites/i),
  members('/downloads', /downloads/i),
  members('/playlists', /playlists/i),
  members('/playlist/some-id', /playlist/i),
  members('/shared/some-token', /shared playlist/i),
  members('/profile', /profile/i),
  members('/achievements', /achievements/i),
  members('/subscription', /subscription/i),
  members('/subscription/invoices/some-id', /invoice/i),
  members('/subscription-success', /subscription/i),
  members('/subscription-success?reference=some-reference', /subscription/i),
  members('/gift/some-token', /gift/i),
  members('/settings', /settings/i),
  { ...members('/loading-demo', /loading demo/i), hasSkeletons: true },
  members('/no/such-page', NOT_FOUND_TITLE),
  admins('/admin', /admin dashboard/i),
  admins('/admin/tracks', /tracks/i),
  admins('/admin/track-management', /track management/i),
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

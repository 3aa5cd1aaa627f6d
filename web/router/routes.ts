import { legalTitles } from '#contract/legal-pages.ts';
import { route, type Route } from './route.ts';

/**
 * Every page of the product: its path, its title, who may open it, its shape while its code loads,
 * and its code. That says what data it needs (`listQueries`). The first match counts.
 */
export const routes: Route[] = [
  route('/', 'A DJ mix every week', 'everyone', 'stage', () => import('#web/pages/home/home.tsx')),
  route('/login', 'Login', 'visitors', 'form', () => import('#web/pages/account/login.tsx')),
  route(
    '/register',
    'Register',
    'visitors',
    'form',
    () => import('#web/pages/account/register.tsx'),
  ),
  route('/library', 'Library', 'members', 'rows', () => import('#web/pages/library/library.tsx')),
  route('/top-20', 'Top 20', 'everyone', 'rows', () => import('#web/pages/top-20/top-20.tsx')),
  route('/search', 'Search', 'members', 'rows', () => import('#web/pages/search/search.tsx')),
  route('/track/:id', 'Track', 'members', 'stage', () => import('#web/pages/track/track.tsx')),
  route('/pricing', 'Pricing', 'members', 'text', () => import('#web/pages/pricing/pricing.tsx')),
  route(
    '/recently-played',
    'Recently Played',
    'members',
    'rows',
    () => import('#web/pages/recently-played/recently-played.tsx'),
  ),
  route(
    '/favorites',
    'Favorites',
    'members',
    'rows',
    () => import('#web/pages/favorites/favorites.tsx'),
  ),
  route(
    '/downloads',
    'Downloads',
    'members',
    'rows',
    () => import('#web/pages/downloads/downloads.tsx'),
  ),
  route(
    '/playlists',
    'Playlists',
    'members',
    'rows',
    () => import('#web/pages/playlists/playlists.tsx'),
  ),
  route(
    '/playlist/:id',
    'Playlist',
    'members',
    'rows',
    () => import('#web/pages/playlists/playlist.tsx'),
  ),
  route(
    '/subscription',
    'Subscription',
    'members',
    'text',
    () => import('#web/pages/subscription/subscription.tsx'),
  ),
  route(
    '/subscription-success',
    'Subscription',
    'members',
    'text',
    () => import('#web/pages/subscription/subscription-success.tsx'),
  ),
  route(
    '/settings',
    'Settings',
    'members',
    'text',
    () => import('#web/pages/settings/settings.tsx'),
  ),
  // Pages that people open from a link in an e-mail, or once in a while.
  route(
    '/forgot-password',
    'Forgot password',
    'everyone',
    'form',
    () => import('#web/pages/account/forgot-password.tsx'),
  ),
  route(
    '/achievements',
    'Achievements',
    'members',
    'rows',
    () => import('#web/pages/achievements/achievements.tsx'),
  ),
  route('/year/:year', 'Year', 'members', 'rows', () => import('#web/pages/year/year.tsx')),
  route('/profile', 'Profile', 'members', 'form', () => import('#web/pages/profile/profile.tsx')),
  route(
    '/reset-password/:token',
    'Reset password',
    'everyone',
    'form',
    () => import('#web/pages/account/reset-password.tsx'),
  ),
  route(
    '/confirm-email/:token',
    'Confirm e-mail',
    'everyone',
    'form',
    () => import('#web/pages/account/confirm-email.tsx'),
  ),
  route(
    '/undo-email-change/:token',
    'Undo change',
    'everyone',
    'form',
    () => import('#web/pages/account/undo-email-change.tsx'),
  ),
  route(
    '/shared/:token',
    'Shared playlist',
    'members',
    'rows',
    () => import('#web/pages/playlists/shared-playlist.tsx'),
  ),
  route(
    '/subscription/invoices/:id',
    'Invoice',
    'members',
    'text',
    () => import('#web/pages/subscription/invoice.tsx'),
  ),
  route(
    '/subscription/credit-notes/:id',
    'Credit note',
    'members',
    'text',
    () => import('#web/pages/subscription/credit-note.tsx'),
  ),
  route(
    '/terms',
    legalTitles.terms,
    'everyone',
    'text',
    () => import('#web/pages/legal/legal.tsx'),
  ),
  route(
    '/privacy',
    legalTitles.privacy,
    'everyone',
    'text',
    () => import('#web/pages/legal/legal.tsx'),
  ),
  route(
    '/refunds',
    legalTitles.refunds,
    'everyone',
    'text',
    () => import('#web/pages/legal/legal.tsx'),
  ),
  route(
    '/contact',
    legalTitles.contact,
    'everyone',
    'text',
    () => import('#web/pages/legal/legal.tsx'),
  ),
  route(
    '/copyright',
    legalTitles.copyright,
    'everyone',
    'text',
    () => import('#web/pages/legal/legal.tsx'),
  ),
  route('/about', 'About', 'readers', 'text', () => import('#web/pages/about/about.tsx')),
  route('/clip/:id', 'Clip', 'everyone', 'stage', () => import('#web/pages/clip/clip.tsx')),
  route('/letters', 'Letters', 'everyone', 'rows', () => import('#web/pages/letters/letters.tsx')),
  route(
    '/letters/:id',
    'Letter',
    'everyone',
    'text',
    () => import('#web/pages/letters/letter.tsx'),
  ),
  route('/artist/:id', 'Artist', 'members', 'rows', () => import('#web/pages/artist/artist.tsx')),
  route('/gift/:token', 'Gift', 'members', 'text', () => import('#web/pages/gift/gift.tsx')),
  route('/give', 'Give Premium', 'everyone', 'form', () => import('#web/pages/gift/give.tsx')),
  route(
    '/give/:reference',
    'Your gift',
    'everyone',
    'text',
    () => import('#web/pages/gift/bought-gift.tsx'),
  ),
  route(
    '/give/:reference/invoice',
    'Invoice',
    'everyone',
    'text',
    () => import('#web/pages/gift/gift-invoice.tsx'),
  ),
  route(
    '/loading-demo',
    'Loading demo',
    'members',
    'stage',
    () => import('#web/pages/loading-demo/loading-demo.tsx'),
  ),
];

/** Outside of the shell: it has no sidebar and no player. */
export const landingRoute = route(
  '/landing',
  'One mix a week',
  'everyone',
  'text',
  () => import('#web/pages/landing/landing.tsx'),
);

/** The admin pages have their own table, which only administrators load. */
export const adminRoute = route(
  '/admin/*?',
  '',
  'admins',
  'rows',
  () => import('#web/admin/admin-routes.tsx'),
);

/** For every other path. Visitors log in first, so that nobody learns from outside what there is. */
export const notFoundRoute = route(
  '*',
  'Page not found',
  'members',
  'text',
  () => import('#web/pages/not-found/not-found.tsx'),
);

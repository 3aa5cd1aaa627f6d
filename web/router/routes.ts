import { route, type Route } from './route.ts';

/** Every page of the product, in the order of the specification. All load lazily. */
export const shellRoutes: Route[] = [
  route('/', 'A DJ mix every week', 'stage', () => import('#web/pages/home/home.tsx')),
  route('/login', 'Login', 'form', () => import('#web/pages/account/login.tsx')),
  route('/register', 'Register', 'form', () => import('#web/pages/account/register.tsx')),
  route('/library', 'Library', 'rows', () => import('#web/pages/library/library.tsx')),
  route('/top-20', 'Top 20', 'rows', () => import('#web/pages/top-20/top-20.tsx')),
  route('/search', 'Search', 'rows', () => import('#web/pages/search/search.tsx')),
  route('/track/:id', 'Track', 'stage', () => import('#web/pages/track/track.tsx')),
  route('/pricing', 'Pricing', 'text', () => import('#web/pages/pricing/pricing.tsx')),
  route(
    '/recently-played',
    'Recently Played',
    'rows',
    () => import('#web/pages/recently-played/recently-played.tsx'),
  ),
  route('/favorites', 'Favorites', 'rows', () => import('#web/pages/favorites/favorites.tsx')),
  route('/downloads', 'Downloads', 'rows', () => import('#web/pages/downloads/downloads.tsx')),
  route('/playlists', 'Playlists', 'rows', () => import('#web/pages/playlists/playlists.tsx')),
  route('/playlist/:id', 'Playlist', 'rows', () => import('#web/pages/playlists/playlist.tsx')),
  route(
    '/subscription',
    'Subscription',
    'text',
    () => import('#web/pages/subscription/subscription.tsx'),
  ),
  route(
    '/subscription-success',
    'Subscription',
    'text',
    () => import('#web/pages/subscription/subscription-success.tsx'),
  ),
  route('/settings', 'Settings', 'text', () => import('#web/pages/settings/settings.tsx')),
];

/** The admin pages have their own table, which only administrators load. */
export const adminRoute = route(
  '/admin/*?',
  '',
  'rows',
  () => import('#web/admin/admin-routes.tsx'),
);

export const landingRoute = route(
  '/landing',
  'One mix a week',
  'text',
  () => import('#web/pages/landing/landing.tsx'),
);

/** Pages that are rarely opened have their own table, with the page for unknown paths. */
export const rareRoute = route('*', '', 'text', () => import('#web/router/rare-routes.tsx'));

import { route, type Route } from './route.ts';

/** Every page of the product, in the order of the specification. All load lazily. */
export const shellRoutes: Route[] = [
  route('/', 'A DJ mix every week', 'stage', () => import('./pages/home/home.tsx')),
  route('/login', 'Login', 'form', () => import('./pages/account/login.tsx')),
  route('/register', 'Register', 'form', () => import('./pages/account/register.tsx')),
  route('/library', 'Library', 'rows', () => import('./pages/library/library.tsx')),
  route('/top-20', 'Top 20', 'rows', () => import('./pages/top-20/top-20.tsx')),
  route('/search', 'Search', 'rows', () => import('./pages/search/search.tsx')),
  route('/track/:id', 'Track', 'stage', () => import('./pages/track/track.tsx')),
  route('/pricing', 'Pricing', 'text', () => import('./pages/subscription/pricing.tsx')),
  route('/recently-played', 'Recently Played', 'rows', () => import('./pages/recently-played.tsx')),
  route('/favorites', 'Favorites', 'rows', () => import('./pages/favorites.tsx')),
  route('/downloads', 'Downloads', 'rows', () => import('./pages/downloads/downloads.tsx')),
  route('/playlists', 'Playlists', 'rows', () => import('./pages/playlists/playlists.tsx')),
  route('/playlist/:id', 'Playlist', 'rows', () => import('./pages/playlists/playlist.tsx')),
  route(
    '/subscription',
    'Subscription',
    'text',
    () => import('./pages/subscription/subscription.tsx'),
  ),
  route(
    '/subscription-success',
    'Subscription',
    'text',
    () => import('./pages/subscription/subscription-success.tsx'),
  ),
  route('/settings', 'Settings', 'text', () => import('./pages/account/settings.tsx')),
];

/** The admin pages have their own table, which only administrators load. */
export const adminRoute = route(
  '/admin/*?',
  '',
  'rows',
  () => import('./pages/admin/admin-routes.tsx'),
);

export const landingRoute = route(
  '/landing',
  'One mix a week',
  'text',
  () => import('./pages/landing/landing.tsx'),
);

/** Pages that are rarely opened have their own table, with the page for unknown paths. */
export const rareRoute = route('*', '', 'text', () => import('./rare-routes.tsx'));

import type { ComponentType } from 'react';
import { reloadableLazy, type ReloadableLazy } from './reloadable-lazy.ts';

type PageModule = Record<string, ComponentType>;
export type SkeletonKind = 'stage' | 'rows' | 'form' | 'text';

export type Route = ReloadableLazy<object> & {
  path: string;
  title: string;
  /** Shown in the page's place while its code arrives. */
  skeleton: SkeletonKind;
};

function route<M extends PageModule>(
  path: string,
  title: string,
  skeleton: SkeletonKind,
  load: () => Promise<M>,
  name: keyof M & string,
): Route {
  const lazily = reloadableLazy(async () => {
    const page = (await load())[name];
    if (!page) throw new Error(`The page module for ${path} has no ${name}.`);
    return page;
  });
  return { path, title, skeleton, ...lazily };
}

/** Every page of the product, in the order of the specification. All of them load lazily. */
export const shellRoutes: Route[] = [
  route('/', 'Home', 'stage', () => import('./pages/home.tsx'), 'HomePage'),
  route('/login', 'Login', 'form', () => import('./pages/login.tsx'), 'LoginPage'),
  route('/register', 'Register', 'form', () => import('./pages/register.tsx'), 'RegisterPage'),
  route(
    '/forgot-password',
    'Forgot password',
    'form',
    () => import('./pages/forgot-password.tsx'),
    'ForgotPasswordPage',
  ),
  route(
    '/reset-password/:token',
    'Reset password',
    'form',
    () => import('./pages/reset-password.tsx'),
    'ResetPasswordPage',
  ),
  route('/library', 'Library', 'rows', () => import('./pages/library.tsx'), 'LibraryPage'),
  route('/top-20', 'Top 20', 'rows', () => import('./pages/top-20.tsx'), 'Top20Page'),
  route('/search', 'Search', 'rows', () => import('./pages/search.tsx'), 'SearchPage'),
  route('/track/:id', 'Track', 'stage', () => import('./pages/track.tsx'), 'TrackPage'),
  route('/pricing', 'Pricing', 'text', () => import('./pages/pricing.tsx'), 'PricingPage'),
  route(
    '/recently-played',
    'Recently Played',
    'rows',
    () => import('./pages/recently-played.tsx'),
    'RecentlyPlayedPage',
  ),
  route('/favorites', 'Favorites', 'rows', () => import('./pages/favorites.tsx'), 'FavoritesPage'),
  route('/downloads', 'Downloads', 'rows', () => import('./pages/downloads.tsx'), 'DownloadsPage'),
  route('/playlists', 'Playlists', 'rows', () => import('./pages/playlists.tsx'), 'PlaylistsPage'),
  route('/profile', 'Profile', 'form', () => import('./pages/profile.tsx'), 'ProfilePage'),
  route(
    '/achievements',
    'Achievements',
    'rows',
    () => import('./pages/achievements.tsx'),
    'AchievementsPage',
  ),
  route(
    '/subscription',
    'Subscription',
    'text',
    () => import('./pages/subscription.tsx'),
    'SubscriptionPage',
  ),
  route(
    '/subscription-success',
    'Subscription',
    'text',
    () => import('./pages/subscription-success.tsx'),
    'SubscriptionSuccessPage',
  ),
  route('/settings', 'Settings', 'form', () => import('./pages/settings.tsx'), 'SettingsPage'),
  route(
    '/loading-demo',
    'Loading demo',
    'stage',
    () => import('./pages/loading-demo.tsx'),
    'LoadingDemoPage',
  ),
];

export const adminRoutes: Route[] = [
  route(
    '/admin',
    'Admin Dashboard',
    'rows',
    () => import('./pages/admin/dashboard.tsx'),
    'AdminDashboardPage',
  ),
  route(
    '/admin/tracks',
    'Tracks',
    'rows',
    () => import('./pages/admin/tracks.tsx'),
    'AdminTracksPage',
  ),
  route(
    '/admin/track-management',
    'Track management',
    'rows',
    () => import('./pages/admin/track-management.tsx'),
    'AdminTrackManagementPage',
  ),
  route(
    '/admin/tracks/edit/:id',
    'Edit track',
    'form',
    () => import('./pages/admin/edit-track.tsx'),
    'AdminEditTrackPage',
  ),
  route(
    '/admin/subscribers',
    'Subscribers',
    'rows',
    () => import('./pages/admin/subscribers.tsx'),
    'AdminSubscribersPage',
  ),
  route(
    '/admin/upload',
    'Upload',
    'rows',
    () => import('./pages/admin/upload.tsx'),
    'AdminUploadPage',
  ),
  route(
    '/admin/simple-upload',
    'Simple upload',
    'form',
    () => import('./pages/admin/simple-upload.tsx'),
    'AdminSimpleUploadPage',
  ),
  route(
    '/admin/upload-old',
    'Plain upload',
    'form',
    () => import('./pages/admin/upload-old.tsx'),
    'AdminUploadOldPage',
  ),
  route(
    '/admin/reports',
    'Reports',
    'rows',
    () => import('./pages/admin/reports.tsx'),
    'AdminReportsPage',
  ),
];

export const landingRoute = route(
  '/landing',
  'One mix a week',
  'text',
  () => import('./pages/landing.tsx'),
  'LandingPage',
);
export const notFoundRoute = route(
  '*',
  'Page not found',
  'text',
  () => import('./pages/not-found.tsx'),
  'NotFoundPage',
);

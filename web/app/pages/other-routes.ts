import { route, type Route } from '../route.ts';

/** What is opened by a link that somebody sent, or once in a while. */
export const otherRoutes: Route[] = [
  route(
    '/forgot-password',
    'Forgot password',
    'form',
    () => import('./forgot-password.tsx'),
    'ForgotPasswordPage',
  ),
  route(
    '/achievements',
    'Achievements',
    'rows',
    () => import('./achievements.tsx'),
    'AchievementsPage',
  ),
  route('/profile', 'Profile', 'form', () => import('./profile.tsx'), 'ProfilePage'),
  route(
    '/reset-password/:token',
    'Reset password',
    'form',
    () => import('./reset-password.tsx'),
    'ResetPasswordPage',
  ),
  route(
    '/shared/:token',
    'Shared playlist',
    'rows',
    () => import('./shared-playlist.tsx'),
    'SharedPlaylistPage',
  ),
  route(
    '/subscription/invoices/:id',
    'Invoice',
    'text',
    () => import('./invoice.tsx'),
    'InvoicePage',
  ),
  route('/gift/:token', 'Gift', 'text', () => import('./gift.tsx'), 'GiftPage'),
  route(
    '/loading-demo',
    'Loading demo',
    'stage',
    () => import('./loading-demo.tsx'),
    'LoadingDemoPage',
  ),
];

export const notFoundRoute = route(
  '*',
  'Page not found',
  'text',
  () => import('./not-found.tsx'),
  'NotFoundPage',
);

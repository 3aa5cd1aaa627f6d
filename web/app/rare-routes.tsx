import { LEGAL_PAGES, legalTitles } from '#contract/legal-pages.ts';
import { RouteSwitch } from './route-switch.tsx';
import { route, type Route } from './route.ts';

/** Pages that people open from a link in an e-mail, or once in a while. */
export const rareRoutes: Route[] = [
  route(
    '/forgot-password',
    'Forgot password',
    'form',
    () => import('./pages/account/forgot-password.tsx'),
  ),
  route('/achievements', 'Achievements', 'rows', () => import('./pages/achievements.tsx')),
  route('/profile', 'Profile', 'form', () => import('./pages/account/profile.tsx')),
  route(
    '/reset-password/:token',
    'Reset password',
    'form',
    () => import('./pages/account/reset-password.tsx'),
  ),
  route(
    '/confirm-email/:token',
    'Confirm e-mail',
    'form',
    () => import('./pages/account/confirm-email.tsx'),
  ),
  route(
    '/undo-email-change/:token',
    'Undo change',
    'form',
    () => import('./pages/account/undo-email-change.tsx'),
  ),
  route(
    '/shared/:token',
    'Shared playlist',
    'rows',
    () => import('./pages/playlists/shared-playlist.tsx'),
  ),
  route(
    '/subscription/invoices/:id',
    'Invoice',
    'text',
    () => import('./pages/subscription/invoice.tsx'),
  ),
  route(
    '/subscription/credit-notes/:id',
    'Credit note',
    'text',
    () => import('./pages/subscription/credit-note.tsx'),
  ),
  ...LEGAL_PAGES.map((name) =>
    route(`/${name}`, legalTitles[name], 'text', () => import('./pages/legal/legal.tsx')),
  ),
  route('/artist/:id', 'Artist', 'rows', () => import('./pages/artist/artist.tsx')),
  route('/gift/:token', 'Gift', 'text', () => import('./pages/subscription/gift.tsx')),
  route('/give', 'Give Premium', 'form', () => import('./pages/subscription/give.tsx')),
  route(
    '/give/:reference',
    'Your gift',
    'text',
    () => import('./pages/subscription/bought-gift.tsx'),
  ),
  route(
    '/give/:reference/invoice',
    'Invoice',
    'text',
    () => import('./pages/subscription/gift-invoice.tsx'),
  ),
  route('/loading-demo', 'Loading demo', 'stage', () => import('./pages/loading-demo.tsx')),
];

export const notFoundRoute = route(
  '*',
  'Page not found',
  'text',
  () => import('./pages/not-found.tsx'),
);

export const routes = [...rareRoutes, notFoundRoute];

/** The rare pages and, for every other path, the page that says there is none. */
export const Page = () => <RouteSwitch routes={rareRoutes} otherwise={notFoundRoute} />;

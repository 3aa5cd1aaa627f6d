import { LEGAL_PAGES, legalTitles } from '#contract/legal-pages.ts';
import { RouteSwitch } from './route-switch.tsx';
import { route, type Route } from './route.ts';

/** Pages that people open from a link in an e-mail, or once in a while. */
export const rareRoutes: Route[] = [
  route(
    '/forgot-password',
    'Forgot password',
    'form',
    () => import('#web/pages/account/forgot-password.tsx'),
  ),
  route(
    '/achievements',
    'Achievements',
    'rows',
    () => import('#web/pages/achievements/achievements.tsx'),
  ),
  route('/profile', 'Profile', 'form', () => import('#web/pages/profile/profile.tsx')),
  route(
    '/reset-password/:token',
    'Reset password',
    'form',
    () => import('#web/pages/account/reset-password.tsx'),
  ),
  route(
    '/confirm-email/:token',
    'Confirm e-mail',
    'form',
    () => import('#web/pages/account/confirm-email.tsx'),
  ),
  route(
    '/undo-email-change/:token',
    'Undo change',
    'form',
    () => import('#web/pages/account/undo-email-change.tsx'),
  ),
  route(
    '/shared/:token',
    'Shared playlist',
    'rows',
    () => import('#web/pages/playlists/shared-playlist.tsx'),
  ),
  route(
    '/subscription/invoices/:id',
    'Invoice',
    'text',
    () => import('#web/pages/subscription/invoice.tsx'),
  ),
  route(
    '/subscription/credit-notes/:id',
    'Credit note',
    'text',
    () => import('#web/pages/subscription/credit-note.tsx'),
  ),
  ...LEGAL_PAGES.map((name) =>
    route(`/${name}`, legalTitles[name], 'text', () => import('#web/pages/legal/legal.tsx')),
  ),
  route('/artist/:id', 'Artist', 'rows', () => import('#web/pages/artist/artist.tsx')),
  route('/gift/:token', 'Gift', 'text', () => import('#web/pages/gift/gift.tsx')),
  route('/give', 'Give Premium', 'form', () => import('#web/pages/gift/give.tsx')),
  route('/give/:reference', 'Your gift', 'text', () => import('#web/pages/gift/bought-gift.tsx')),
  route(
    '/give/:reference/invoice',
    'Invoice',
    'text',
    () => import('#web/pages/gift/gift-invoice.tsx'),
  ),
  route(
    '/loading-demo',
    'Loading demo',
    'stage',
    () => import('#web/pages/loading-demo/loading-demo.tsx'),
  ),
];

export const notFoundRoute = route(
  '*',
  'Page not found',
  'text',
  () => import('#web/pages/not-found/not-found.tsx'),
);

export const routes = [...rareRoutes, notFoundRoute];

/** The rare pages and, for every other path, the page that says there is none. */
export const Page = () => <RouteSwitch routes={rareRoutes} otherwise={notFoundRoute} />;

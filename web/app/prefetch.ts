import { matchRoute, type Parser } from 'wouter';
import { cleanPath } from '../lib/guard.ts';
import { adminRoute, landingRoute, otherRoute, shellRoutes } from './routes.ts';

const routes = [...shellRoutes, adminRoute, landingRoute, otherRoute];

/** Whoever points at a link or tabs to it is about to follow it: its page starts loading then. */
export function prefetchOnIntent(parser: Parser): () => void {
  const onIntent = (event: Event) => {
    const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
    if (!(link instanceof HTMLAnchorElement) || link.origin !== location.origin) return;
    const path = cleanPath(link.pathname);
    routes.find((route) => matchRoute(parser, route.path, path)[0])?.prefetch();
  };
  document.addEventListener('pointerover', onIntent, { passive: true });
  document.addEventListener('focusin', onIntent);
  return () => {
    document.removeEventListener('pointerover', onIntent);
    document.removeEventListener('focusin', onIntent);
  };
}

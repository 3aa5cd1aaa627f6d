import { expect, it } from 'vitest';
import { SERVER_PAGES } from './server-pages.ts';

const isServerPage = (path: string) => SERVER_PAGES.some((pattern) => pattern.test(path));

it.each([
  '/setup/Xb3-token',
  '/reset-password/Xb3-token',
  '//reset-password/Xb3-token',
  '/confirm-email/Xb3-token',
  '/undo-email-change/Xb3-token',
  '/api/unsubscribe/Xb3-token',
  '/healthz',
  '/embed/track/01h',
  '/feed/Xb3-token',
  '/feed.xml',
  '/rest/ping',
  '/sandbox/checkout/1',
  '/manifest.webmanifest',
])('the server responds to %s, even in a browser with the app', (path) => {
  expect(isServerPage(path)).toBe(true);
});

it.each(['/', '/track/01h', '/settings', '/setup', '/shared/Xb3-token', '/apix', '/search?q=a b'])(
  'the app responds to %s',
  (path) => {
    expect(isServerPage(path)).toBe(false);
  },
);

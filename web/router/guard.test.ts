import { cleanPath } from '#contract/page-paths.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findRoute } from './find-page.ts';
import { findRedirect } from './guard.ts';

/** `fc.webPath` lists every character of Unicode first, which takes a second. */
const anyPath = fc
  .array(fc.string({ unit: 'grapheme-ascii' }).map(encodeURIComponent))
  .map((parts) => parts.map((part) => `/${part}`).join(''));

const visit = (path: string, search = '') => findRedirect({ path, search }, false);

describe('route guard', () => {
  it.each([
    '/',
    '/top-20',
    '/login',
    '/register',
    '/forgot-password',
    '/reset-password/abc',
    '/confirm-email/abc',
    '/undo-email-change/abc',
  ])('lets a visitor stay on %s', (path) => {
    expect(visit(path)).toBeNull();
  });

  it.each([
    ['/library', '', '/login?next=%2Flibrary'],
    ['//library//', '', '/login?next=%2Flibrary'],
    [
      '/search',
      '?q=100%25%20deep%20%26%20slow',
      '/login?next=%2Fsearch%3Fq%3D100%2525%2520deep%2520%2526%2520slow',
    ],
    ['/top-20-secret', '', '/login?next=%2Ftop-20-secret'],
    ['/reset-password', '', '/login?next=%2Freset-password'],
  ])('redirects a visitor from %s%s to %s', (path, search, to) => {
    expect(visit(path, search)).toBe(to);
  });

  it('redirects a visitor from every other path', () => {
    const words =
      'library search track/a pricing recently-played favorites downloads playlists profile ' +
      'achievements subscription subscription-success settings loading-demo admin admin/tracks ' +
      'admin/upload admin/reports login/x register/x top-20/x forgot-password/x x';
    for (const word of words.split(' '))
      expect(visit(`/${word}`)).toBe(`/login?next=${encodeURIComponent(`/${word}`)}`);

    const open =
      /^\/(?:top-20|login|register|forgot-password|(?:reset-password|confirm-email|undo-email-change)\/.+)?$/;
    fc.assert(
      fc.property(anyPath, (path) => {
        const clean = cleanPath(`/${path}`);
        fc.pre(!open.test(clean));
        expect(visit(`/${path}`)).toBe(`/login?next=${encodeURIComponent(clean)}`);
      }),
    );
  });

  it('cleans the path of an allowed page and keeps its query', () => {
    expect(visit('//top-20//', '?week=12')).toBe('/top-20?week=12');
    expect(findRedirect({ path: '//library', search: '' }, true)).toBe('/library');
    expect(findRedirect({ path: '/library', search: '?genre=gqom' }, true)).toBeNull();
  });

  it.each([
    ['/login', '', '/'],
    ['/register', '', '/'],
    ['//login/', '?next=%2Flibrary%3Fgenre%3Dgqom', '/library?genre=gqom'],
    ['/register', '?next=%2F%2Fevil.example', '/'],
    ['/login', '?next=%2Flogin%3Fnext%3D%252Flibrary', '/'],
  ])('leads a user on from %s%s to %s', (path, search, to) => {
    expect(findRedirect({ path, search }, true)).toBe(to);
  });

  it('collapses any number of repeated slashes', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('/', 'a', 'b'), { maxLength: 30 }), (parts) => {
        const path = '/' + parts.join('');
        const segments = path.split('/').filter((segment) => segment !== '');
        expect(cleanPath(path)).toBe(`/${segments.join('/')}`);
      }),
    );
  });

  it('recognises admin pages by their first segment only', () => {
    const isForAdmins = (path: string) => findRoute(path).route.access === 'admins';
    expect(isForAdmins('/admin')).toBe(true);
    expect(isForAdmins('//admin//tracks')).toBe(true);
    expect(isForAdmins('/administration')).toBe(false);
  });
});

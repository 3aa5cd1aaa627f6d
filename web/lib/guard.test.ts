import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanPath, findRedirect, isAdminPath, safeNext } from './guard.ts';

const visit = (path: string, search = '') => findRedirect({ path, search }, false);

describe('route guard', () => {
  it.each(['/', '/top-20', '/login', '/register', '/forgot-password', '/reset-password/abc'])(
    'lets a visitor stay on %s',
    (path) => {
      expect(visit(path)).toBeNull();
    },
  );

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

  it('cleans the path of an allowed page and keeps its query', () => {
    expect(visit('//top-20//', '?week=12')).toBe('/top-20?week=12');
    expect(findRedirect({ path: '//library', search: '' }, true)).toBe('/library');
    expect(findRedirect({ path: '/library', search: '?genre=gqom' }, true)).toBeNull();
  });

  it('collapses any number of repeated slashes', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('/', 'a', 'b'), { maxLength: 30 }), (parts) => {
        expect(cleanPath('/' + parts.join(''))).not.toContain('//');
      }),
    );
  });

  it('recognises admin pages by their first segment only', () => {
    expect(isAdminPath('/admin')).toBe(true);
    expect(isAdminPath('//admin//tracks')).toBe(true);
    expect(isAdminPath('/administration')).toBe(false);
  });
});

describe('the redirect after login', () => {
  it.each([
    ['/library?genre=gqom', '/library?genre=gqom'],
    [null, '/'],
    ['', '/'],
    ['library', '/'],
    ['https://evil.example/', '/'],
    ['//evil.example/', '/'],
    ['/\\evil.example/', '/'],
    ['/\t/evil.example', '/'],
  ])('redirects %s to %s', (next, to) => {
    expect(safeNext(next)).toBe(to);
  });

  it('never leaves the site, whatever the input', () => {
    fc.assert(
      fc.property(fc.string(), (next) => {
        const to = safeNext(next);
        expect(new URL(to, 'https://site.invalid').origin).toBe('https://site.invalid');
      }),
    );
  });
});

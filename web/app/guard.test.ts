import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanPath, isAdminPath, redirectForVisitor, safeNext } from './guard.ts';

describe('route guard', () => {
  it.each([
    '/',
    '/top-20',
    '/login',
    '/register',
    '/forgot-password',
    '/reset-password/abc',
    '//top-20',
    '/top-20//',
  ])('lets a visitor stay on %s', (path) => {
    expect(redirectForVisitor(path, '')).toBeNull();
  });

  it.each([
    ['/library', '', '/login?next=%2Flibrary'],
    ['//library//', '', '/login?next=%2Flibrary'],
    ['/search', 'q=week 12', '/login?next=%2Fsearch%3Fq%3Dweek%2012'],
    ['/top-20-secret', '', '/login?next=%2Ftop-20-secret'],
    ['/reset-password', '', '/login?next=%2Freset-password'],
  ])('sends a visitor from %s?%s to %s', (path, search, to) => {
    expect(redirectForVisitor(path, search)).toBe(to);
  });

  it('collapses repeated slashes however many there are', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('/', 'a', 'b'), { maxLength: 30 }), (parts) => {
        expect(cleanPath('/' + parts.join(''))).not.toContain('//');
      }),
    );
  });

  it('knows the admin pages by their first part only', () => {
    expect(isAdminPath('/admin')).toBe(true);
    expect(isAdminPath('//admin//tracks')).toBe(true);
    expect(isAdminPath('/administration')).toBe(false);
  });
});

describe('where to go after login', () => {
  it.each([
    ['/library?genre=gqom', '/library?genre=gqom'],
    [null, '/'],
    ['', '/'],
    ['library', '/'],
    ['https://evil.example/', '/'],
    ['//evil.example/', '/'],
    ['/\\evil.example/', '/'],
    ['/\t/evil.example', '/'],
  ])('%s leads to %s', (next, to) => {
    expect(safeNext(next)).toBe(to);
  });

  it('never leaves the site, whatever it is given', () => {
    fc.assert(
      fc.property(fc.string(), (next) => {
        const to = safeNext(next);
        expect(new URL(to, 'https://site.invalid').origin).toBe('https://site.invalid');
      }),
    );
  });
});

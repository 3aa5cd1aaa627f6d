import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findNext, plansPath, safeNext, withNext } from './next-path.ts';

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
    ['/.//evil.example', '/evil.example'],
    ['/%5Cevil.example', '/%5Cevil.example'],
    ['javascript:alert(1)', '/'],
    ['/register?next=%2Flibrary', '/'],
  ])('redirects %s to %s', (next, to) => {
    expect(safeNext(next)).toBe(to);
  });

  it('never leaves the site, whatever the input', () => {
    const tricks = fc.constantFrom(
      '/',
      '//',
      '\\',
      '.',
      '%2f',
      '%5c',
      ':',
      '@',
      '\t',
      'evil.example',
    );
    const paths = fc.array(tricks, { maxLength: 8 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.oneof(fc.string(), paths), (next) => {
        const to = safeNext(next);
        expect(new URL(to, 'https://site.invalid').origin).toBe('https://site.invalid');
      }),
    );
  });
});

/** `fc.webPath` lists every character of Unicode first, which takes a second. */
const anyText = fc.string({ unit: 'grapheme-ascii' }).map(encodeURIComponent);

describe('the way back of a visitor', () => {
  it('is this page, or the page that a login, a registration or the plans already keep', () => {
    expect(findNext({ path: '/top-20', search: '?week=2026-40' })).toBe('/top-20?week=2026-40');
    for (const path of ['/login', '/register', '/forgot-password', '/landing', '//landing/'])
      expect(findNext({ path, search: '?next=%2Ftrack%2Fa' })).toBe('/track/a');
    expect(findNext({ path: '/landing', search: '' })).toBe('/');
    expect(findNext({ path: '/login', search: '?next=https%3A%2F%2Fevil.example' })).toBe('/');
  });

  it('survives every step between login, registration and plans', () => {
    fc.assert(
      fc.property(fc.array(anyText), anyText, (parts, query) => {
        const next = safeNext(`/track${parts.map((part) => `/${part}`).join('')}?q=${query}`);
        for (const link of [
          withNext('/login', next),
          withNext('/register', next),
          plansPath(next),
        ]) {
          const { pathname, search } = new URL(link, 'https://site.invalid');
          expect(findNext({ path: pathname, search })).toBe(next);
        }
      }),
    );
  });
});

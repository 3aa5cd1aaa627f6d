import { QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { Router } from 'wouter';
import type { User } from '#contract/accounts.ts';
import { createQueryClient } from '#web/lib/api/query-client.ts';
import { LandingPlans } from './landing-plans.tsx';

beforeAll(() => void vi.stubGlobal('window', { location: { search: '' } }));
afterAll(() => void vi.unstubAllGlobals());

const user: User = {
  id: 'u1',
  username: 'thandi',
  email: 'thandi@example.com',
  isSubscriber: false,
  isAdmin: false,
  avatarUrl: null,
  offlineUntil: null,
};

/** The first panel's links; the prices are still loading. */
function listLinks(viewer: User | null, search = ''): string[] {
  const page = renderToStaticMarkup(
    <QueryClientProvider client={createQueryClient()}>
      <Router ssrPath="/landing" ssrSearch={search}>
        <LandingPlans user={viewer} />
      </Router>
    </QueryClientProvider>,
  );
  const links = page.matchAll(/<a\b[^>]*href="([^"]*)"[^>]*>(.*?)<\/a>/g);
  return [...links]
    .map(([, href, text]) => `${text}: ${href?.replaceAll('&amp;', '&')}`)
    .slice(0, -1);
}

it('subscribers and administrators have Premium already', () => {
  const expected = ['You have Premium: /subscription'];
  expect(listLinks({ ...user, isSubscriber: true })).toEqual(expected);
  expect(listLinks({ ...user, isAdmin: true })).toEqual(expected);
});

it('a free member can pay for a plan, and a visitor after registering', () => {
  expect(listLinks(user)).toEqual([
    'Monthly: /pricing?plan=monthly&checkout=start',
    'Annual: /pricing?plan=annual&checkout=start',
  ]);
  expect(listLinks(null)).toEqual([
    'Monthly: /register?next=%2Fpricing%3Fplan%3Dmonthly%26checkout%3Dstart',
    'Annual: /register?next=%2Fpricing%3Fplan%3Dannual%26checkout%3Dstart',
  ]);
  // Whoever came from a shared mix gets back to it.
  expect(listLinks(null, 'next=%2Ftrack%2Fa')[0]).toBe(
    'Monthly: /register?next=%2Fpricing%3Fplan%3Dmonthly%26checkout%3Dstart%26next%3D%252Ftrack%252Fa',
  );
});

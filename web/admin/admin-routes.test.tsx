import { QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { Router } from 'wouter';
import type { User } from '#contract/accounts.ts';
import { currentUserQuery } from '#web/lib/api/current-user.ts';
import { createQueryClient } from '#web/lib/api/query-client.ts';
import { AdminColumns } from './admin-frame.tsx';
import { findPlace, listAdminGroups } from './admin-nav.ts';
import { routes as adminRoutes } from './admin-routes.tsx';

const admin: User = {
  id: '1',
  username: 'admin',
  email: 'admin@example.com',
  isSubscriber: false,
  isAdmin: true,
  avatarUrl: null,
  offlineUntil: null,
};

function renderSkeleton({ path, skeleton }: (typeof adminRoutes)[number]): string {
  const client = createQueryClient();
  client.setQueryData(currentUserQuery.queryKey, admin);
  return renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <Router ssrPath={path}>
        <AdminColumns>{typeof skeleton === 'function' ? skeleton() : null}</AdminColumns>
      </Router>
    </QueryClientProvider>,
  );
}

/** How many `role="status"` elements are inside each other, at most. */
function measureNesting(html: string): number {
  const open: boolean[] = [];
  let deepest = 0;
  for (const [tag, isEnd] of html.matchAll(/<(\/)?\w+[^>]*>/g)) {
    if (isEnd) open.pop();
    else if (!tag.endsWith('/>')) open.push(tag.includes('role="status"'));
    deepest = Math.max(deepest, open.filter(Boolean).length);
  }
  expect(open, 'Every element is closed').toEqual([]);
  return deepest;
}

const groups = listAdminGroups(admin);

describe('the admin menu', () => {
  it('has each page once', () => {
    const links = groups.flatMap(({ entries }) =>
      entries.flatMap(({ href, views = [{ href }] }) => views.map((view) => view.href)),
    );
    expect(links).toEqual([...new Set(links)]);
    const paths = adminRoutes.map(({ path }) => path as string);
    for (const link of links) expect(paths).toContain(link.split('?')[0]);
  });

  it.each([
    ['/admin', 'Friday'],
    ['/admin/tracks/edit/42', 'Mixes'],
    ['/admin/artists/42', 'Mixes'],
    ['/admin/subscribers/import', 'Members'],
    ['/admin/credit-notes/42', 'Books'],
    ['/admin/reports?report=plays', 'Reports'],
  ])('shows that %s belongs to %s', (address, label) => {
    const entries = groups.flatMap((group) => group.entries);
    expect(findPlace(address, entries)?.label).toBe(label);
  });

  it('knows reports with an entry of their own from the others', () => {
    const places = [
      { label: 'Reports', href: '/admin/reports' },
      { label: 'Leaving', href: '/admin/reports?report=leaving' },
    ];
    const find = (address: string) => findPlace(address, places)?.label;
    expect(find('/admin/reports?report=leaving&from=2026-01-01')).toBe('Leaving');
    expect(find('/admin/reports?report=plays')).toBe('Reports');
    expect(find('/admin/reporters')).toBeUndefined();
  });
});

/** Only the demo has an outbox. */
const listed = adminRoutes.filter(({ path }) => path !== '/admin/outbox');

describe('while the code of an admin page loads', () => {
  it.each(listed)('$path marks its entry in the menu', (route) => {
    expect(renderSkeleton(route).match(/aria-current="page"/g)).toHaveLength(1);
  });

  it.each(adminRoutes)('$path has a heading, and no live region inside another', (route) => {
    const html = renderSkeleton(route);
    expect(html).toMatch(/<h1[^>]*>\w/);
    expect(measureNesting(html)).toBe(1);
  });
});

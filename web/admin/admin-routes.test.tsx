import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { Router } from 'wouter';
import { routes as adminRoutes } from './admin-routes.tsx';

const renderSkeleton = ({ path, skeleton }: (typeof adminRoutes)[number]): string =>
  renderToStaticMarkup(
    <Router ssrPath={path}>{typeof skeleton === 'function' ? skeleton() : null}</Router>,
  );

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

/** Only the demo has an outbox, so its tab isn't here. */
const withTabs = adminRoutes.filter(({ path }) => path !== '/admin/outbox');

it.each(withTabs)('$path marks one tab as the current one', (route) => {
  expect(renderSkeleton(route).match(/aria-current="page"/g)).toHaveLength(1);
});

describe('while the code of an admin page loads', () => {
  it.each(adminRoutes)(
    '$path has a heading, the tabs, and no live region inside another',
    (route) => {
      const html = renderSkeleton(route);
      expect(html).toMatch(/<h1[^>]*>\w/);
      expect(html).toContain('<nav aria-label="Admin"');
      expect(measureNesting(html)).toBe(1);
    },
  );
});

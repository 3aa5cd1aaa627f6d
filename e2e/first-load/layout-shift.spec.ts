import type { Page } from '@playwright/test';
import { expect, test } from '../support/fixtures.ts';
import { DEVICES } from '../support/nightly.ts';

const PAGES = ['/', '/top-20', '/landing', '/login', '/register'];
/** The sidebar is a rail before their code has loaded; two have settings below lists of any length. */
const ADMIN_PAGES = ['/admin/subscribers', '/admin/payments', '/admin/books'];
const MOST_SHIFT = 0.02;

type Shift = PerformanceEntry & {
  value: number;
  sources: { node: Node | null }[];
};

/** Opens a page whose fonts come after its first paint, as on a slow line. */
async function openWithLateFonts(page: Page, path: string): Promise<void> {
  const painted = Promise.withResolvers<void>();
  await page.route('**/*.woff2', async (route) => {
    await painted.promise;
    await route.continue();
  });
  await page.goto(path, { waitUntil: 'commit' });
  await page.waitForFunction(() => performance.getEntriesByType('paint').length > 0);
  painted.resolve();
  await page.waitForLoadState('load');
  await page.unroute('**/*.woff2');
}

/** How much of what was on the screen has moved, and which elements did. */
async function measureShift(page: Page, path: string) {
  await openWithLateFonts(page, path);
  await page.waitForFunction(() => 'healthReport' in window);
  await page.waitForLoadState('networkidle');
  return page.evaluate(async () => {
    const shifts = await new Promise<Shift[]>((resolve) => {
      const found: Shift[] = [];
      new PerformanceObserver((list) => found.push(...(list.getEntries() as Shift[]))).observe({
        type: 'layout-shift',
        buffered: true,
      });
      // Two frames later the observer has got everything that happened before.
      requestAnimationFrame(() => requestAnimationFrame(() => resolve(found)));
    });
    const describe = (node: Node | null) =>
      node instanceof Element ? `${node.nodeName} ${node.className}` : String(node?.nodeName);
    return {
      sum: shifts.reduce((sum, { value }) => sum + value, 0),
      moved: shifts.flatMap(({ sources }) => sources.map(({ node }) => describe(node))),
    };
  });
}

for (const { size, options } of DEVICES)
  test.describe(`on a ${size}`, () => {
    test.use({ viewport: options.viewport });

    test('nothing moves while a page loads, even if its fonts come last', async ({
      page,
      signIn,
    }) => {
      for (const path of [...PAGES, ...ADMIN_PAGES]) {
        if (path === ADMIN_PAGES[0]) await signIn('admin');
        const { sum, moved } = await measureShift(page, path);
        expect(sum, `${path}: ${moved.join(', ')}`).toBeLessThanOrEqual(MOST_SHIFT);
      }
    });
  });

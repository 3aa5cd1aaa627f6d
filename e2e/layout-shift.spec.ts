import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';

const SIZES = { phone: { width: 390, height: 844 }, desktop: { width: 1440, height: 900 } };
const PAGES = ['/', '/top-20', '/landing', '/login', '/register'];
const MOST_SHIFT = 0.02;

type Shift = PerformanceEntry & {
  value: number;
  sources: { node: Node | null }[];
};

/** How much of what was on the screen has moved, and which elements did. */
async function measureShift(page: Page, path: string) {
  await page.goto(path);
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

for (const [size, viewport] of Object.entries(SIZES))
  test.describe(`on a ${size}`, () => {
    test.use({ viewport });

    test('nothing moves while a page loads', async ({ page }) => {
      for (const path of PAGES) {
        const { sum, moved } = await measureShift(page, path);
        expect(sum, `${path}: ${moved.join(', ')}`).toBeLessThanOrEqual(MOST_SHIFT);
      }
    });
  });

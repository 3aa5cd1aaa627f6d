import type { Page, Request } from '@playwright/test';
import { WEIGHT_LIMITS } from '#tools/built-files.ts';
import { expect, test } from '../support/fixtures.ts';

/** Everything that the page asks for, in order. */
function watchRequests(page: Page): Request[] {
  const requests: Request[] = [];
  page.on('request', (request) => requests.push(request));
  return requests;
}

const pathOf = (request: Request) => new URL(request.url()).pathname;

/** The page is quiet once the analytics client, which loads last, has sent its first events. */
async function waitUntilQuiet(page: Page, requests: readonly Request[]): Promise<void> {
  await expect
    .poll(async () => {
      await page.clock.fastForward(5000);
      return requests.map(pathOf);
    })
    .toContain('/api/events');
  await page.waitForLoadState('networkidle');
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, n) => total + n, 0);

test.describe('with analytics', () => {
  test.use({ hasAnalytics: true });

  test('everything that the first page loads until it is quiet stays within the limits', async ({
    page,
  }) => {
    const requests = watchRequests(page);
    await page.clock.install();
    await page.goto('/');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await waitUntilQuiet(page, requests);
    const loaded = await Promise.all(
      requests.map(async (request) => ({
        path: pathOf(request),
        type: request.resourceType(),
        size: (await request.sizes()).responseBodySize,
      })),
    );
    const sizesOf = (type: string) => loaded.filter((r) => r.type === type).map(({ size }) => size);
    const list = JSON.stringify(loaded, null, 2);
    for (const type of ['document', 'script', 'stylesheet', 'font'])
      expect(sum(sizesOf(type)), type).toBeGreaterThan(1000);
    expect(loaded.length, list).toBeLessThanOrEqual(WEIGHT_LIMITS.requests);
    expect(sum(sizesOf('script')), list).toBeLessThanOrEqual(WEIGHT_LIMITS.script);
    expect(sum(loaded.map(({ size }) => size)), list).toBeLessThanOrEqual(WEIGHT_LIMITS.total);
  });
});

test('a page names its scripts, styles and fonts itself, and only one more script follows', async ({
  page,
  request,
}) => {
  for (const path of ['/', '/top-20', '/landing', '/login']) {
    const html = await (await request.get(path, { headers: { accept: 'text/html' } })).text();
    const requests = watchRequests(page);
    await page.goto(path);
    await expect.poll(() => requests.map(pathOf)).toContainEqual(expect.stringMatching(/\/later-/));
    await page.waitForLoadState('networkidle');
    const files = requests
      .map(pathOf)
      .filter((file) => /^\/assets\/.*\.(?:js|css|woff2)$/.test(file));
    expect(files.filter((file) => !html.includes(`"${file}"`))).toEqual([
      expect.stringMatching(/\/later-[\w-]{8}\.js$/),
    ]);
    const fonts = await page.evaluate(() =>
      [...document.fonts].filter(({ status }) => status === 'loaded').map(({ family }) => family),
    );
    expect(fonts).toEqual(expect.arrayContaining(['Anybody Variable', 'Instrument Sans Variable']));
    page.removeAllListeners('request');
  }
});

test('a page that came with its content shows it before it asks for scripts', async ({ page }) => {
  const requests = watchRequests(page);
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  await page.route(/\.css$/, async (route) => {
    await isReleased;
    await route.continue();
  });
  await page.goto('/', { waitUntil: 'commit' });
  const isScript = (file: string) => file.endsWith('.js');
  const listFiles = () => requests.map(pathOf).filter((file) => file.startsWith('/assets/'));
  await expect.poll(listFiles).toContainEqual(expect.stringMatching(/\.woff2$/));
  await page.waitForFunction(() => document.readyState !== 'loading');
  expect(listFiles().filter(isScript)).toEqual([]);
  release();
  await expect.poll(() => listFiles().filter(isScript).length).toBeGreaterThan(2);
  await page.waitForFunction(() => 'healthReport' in window);
});

test('a page gets its scripts in a browser that hides when it paints', async ({ page }) => {
  await page.addInitScript(() => {
    const { observe } = PerformanceObserver.prototype;
    PerformanceObserver.prototype.observe = function observeOthers(options) {
      if (options?.type !== 'paint') observe.call(this, options);
    };
  });
  await page.goto('/', { waitUntil: 'commit' });
  await page.waitForFunction(() => 'healthReport' in window);
});

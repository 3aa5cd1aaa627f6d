import { stat } from 'node:fs/promises';
import { INITIAL_JS_LIMIT } from '#tools/build-manifest.ts';
import { expect, test } from './fixtures.ts';

type Marked = { usableAt: number };

test('the scripts needed before the first page is usable stay within the limit', async ({
  page,
}) => {
  await page.addInitScript(() => {
    const observer = new MutationObserver(() => {
      if (!document.querySelector('h1')) return;
      observer.disconnect();
      Object.assign(window, { usableAt: performance.now() });
    });
    observer.observe(document, { childList: true, subtree: true });
  });
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const loaded = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter(({ startTime }) => startTime <= (window as unknown as Marked).usableAt)
      .map(({ name }) => new URL(name).pathname)
      .filter((file) => file.endsWith('.js')),
  );
  const sizes = await Promise.all(
    [...new Set(loaded)].map(async (file) => ({
      file,
      gzip: (await stat(`dist/web${file}.gz`)).size,
    })),
  );
  const total = sizes.reduce((sum, { gzip }) => sum + gzip, 0);
  expect(total).toBeGreaterThan(0);
  expect(total, JSON.stringify(sizes, null, 2)).toBeLessThanOrEqual(INITIAL_JS_LIMIT);
});

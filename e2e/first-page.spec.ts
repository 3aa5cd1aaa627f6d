import { stat } from 'node:fs/promises';
import { INITIAL_JS_LIMIT } from '#tools/initial-js.ts';
import { expect, test } from './fixtures.ts';

test('the scripts a browser loads before the first page is usable stay in the limit', async ({
  page,
}) => {
  const loaded: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'script') loaded.push(new URL(request.url()).pathname);
  });
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const sizes = await Promise.all(
    loaded.map(async (file) => ({ file, gzip: (await stat(`dist/web${file}.gz`)).size })),
  );
  const total = sizes.reduce((sum, { gzip }) => sum + gzip, 0);
  expect(total).toBeGreaterThan(0);
  expect(total, JSON.stringify(sizes, null, 2)).toBeLessThanOrEqual(INITIAL_JS_LIMIT);
});

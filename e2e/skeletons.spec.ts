import type { Locator } from '@playwright/test';
import { golden, robots } from './e2e-tracks.ts';
import { expect, test } from './fixtures.ts';

/** What these pages show. */
const HELD = /\/api\/(tracks|top-20)/;

const devices = {
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true },
  desktop: { viewport: { width: 1440, height: 900 } },
};

const measure = (locator: Locator): Promise<{ y: number; height: number }> =>
  locator.evaluate((element) => {
    const { y, height } = element.getBoundingClientRect();
    return { y, height };
  });

for (const [device, options] of Object.entries(devices))
  test.describe(`on a ${device}`, () => {
    test.use(options);

    test('a page keeps its shape while it loads', async ({ page, signIn }) => {
      await signIn('premium');
      const pages = [
        {
          path: '/',
          asks: /\/api\/tracks(\?|$)/,
          part: page.getByRole('region', { name: golden.title }),
          isWhole: true,
        },
        {
          path: `/track/${golden.id}`,
          asks: new RegExp(`/api/tracks/${golden.id}$`),
          part: page.getByRole('region', { name: golden.title }),
          isWhole: false,
        },
        {
          path: '/top-20',
          asks: /\/api\/top-20/,
          part: page.getByRole('region', { name: robots.title }),
          isWhole: false,
        },
        {
          path: '/library',
          asks: /\/api\/tracks\?/,
          part: page.getByRole('region', { name: /^\d{4}$/ }).first(),
          isWhole: false,
        },
      ];
      for (const { path, asks, part, isWhole } of pages) {
        const { promise: isHeld, resolve: release } = Promise.withResolvers<void>();
        await page.route(HELD, async (route) => {
          await isHeld;
          await route.continue();
        });
        // Once the page asks, its own skeleton has replaced the one of its route.
        const isAsked = page.waitForRequest(asks);
        await page.goto(path);
        await isAsked;
        const main = page.getByRole('main');
        const before = await measure(main.getByRole('status', { name: /^Loading/ }).first());
        release();
        const after = await measure(part);
        await page.unrouteAll({ behavior: 'wait' });
        expect(Math.abs(after.y - before.y), `${path} starts where it loaded`).toBeLessThan(40);
        // Titles differ in length, so one line more or less is fine.
        if (isWhole)
          expect(Math.abs(after.height / before.height - 1), `${path} is as high`).toBeLessThan(
            0.2,
          );
      }
    });
  });

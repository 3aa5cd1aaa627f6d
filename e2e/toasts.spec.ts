import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';

test.use({ viewport: { width: 1440, height: 900 } });

const toast = (page: Page) =>
  page.getByRole('region', { name: /^Notifications/ }).getByRole('listitem');

async function saveProfile(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(toast(page)).toContainText('Profile saved');
}

test.beforeEach(async ({ page, signIn }) => {
  await signIn('free');
  await page.clock.install();
  await page.goto('/profile');
  // The first toast loads the code; the clock is paused from the second on.
  await saveProfile(page);
  await page.clock.pauseAt(Date.now() + 60_000);
  await expect(toast(page)).toHaveCount(0);
  await saveProfile(page);
});

test('a toast stays for five seconds', async ({ page }) => {
  await page.clock.runFor(4999);
  await expect(toast(page)).toBeVisible();
  await page.clock.runFor(1);
  await expect(toast(page)).toHaveCount(0);
});

test('a swipe of more than 50 pixels dismisses a toast', async ({ page }) => {
  async function swipe(distance: number): Promise<void> {
    const box = await toast(page).boundingBox();
    if (!box) throw new Error('There is no toast to swipe.');
    const [x, y] = [box.x + 40, box.y + box.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + distance, y, { steps: 5 });
    await page.mouse.up();
  }
  await swipe(45);
  await expect(toast(page)).toHaveAttribute('data-swipe', 'cancel');
  await expect(toast(page)).toBeVisible();
  await swipe(55);
  await expect(toast(page)).toHaveCount(0);
});

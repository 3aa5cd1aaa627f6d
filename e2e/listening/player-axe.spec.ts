import type { Page } from '@playwright/test';
import { golden } from '../support/e2e-tracks.ts';
import { expect, test } from '../support/fixtures.ts';
import { expectAccessible } from '../support/axe.ts';
import { DEVICES } from '../support/nightly.ts';
import { bar, playFromHome, queueSheet } from '../support/player-page.ts';

const check = (page: Page, name: string): Promise<void> =>
  test.step(name, () => expectAccessible(page, name));

for (const { size: name, options } of DEVICES) {
  test(`the player passes axe, ${name}`, async ({ page, signIn }) => {
    await page.setViewportSize(options.viewport);
    await signIn('free');
    await playFromHome(page, golden.title);
    // A check takes a while, and the preview must not end during it.
    await bar(page).getByRole('button', { name: 'Pause' }).click();
    // The home page is large and checked elsewhere; here it would be checked again for every panel.
    await page.getByRole('link', { name: 'Favorites' }).filter({ visible: true }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Favorites' })).toBeVisible();
    await check(page, 'the bar');

    await bar(page).getByRole('button', { name: 'Queue' }).click();
    await expect(queueSheet(page)).toBeVisible();
    await check(page, 'the queue');
    await queueSheet(page).getByRole('button', { name: 'Close' }).click();

    await bar(page)
      .getByRole('button', { name: 'Expand player' })
      .filter({ visible: true })
      .click();
    const expanded = page.getByRole('dialog', { name: golden.title });
    await expect(expanded).toBeVisible();
    await check(page, 'the expanded player');

    await expanded.getByRole('button', { name: 'Play', exact: true }).click();
    await expanded.getByRole('button', { name: 'Pause' }).waitFor();
    await expanded.getByRole('slider', { name: 'Seek' }).press('End');
    const premium = page.getByRole('dialog', { name: 'Unlock Premium Downloads' });
    await expect(premium).toBeVisible();
    await check(page, 'the premium dialog');
    await premium.getByRole('button', { name: 'Maybe Later' }).click();
    await expect(premium).toBeHidden();
    await check(page, 'the end of the preview');

    await expanded.getByRole('button', { name: 'Minimise player' }).click();
    await page.goto(`/track/${golden.id}`);
    await expect(page.getByRole('heading', { level: 1, name: golden.title })).toBeVisible();
    await check(page, 'the page of the mix');
  });
}

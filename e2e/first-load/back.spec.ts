import type { Page } from '@playwright/test';
import { golden } from '../support/e2e-tracks.ts';
import { expect, test } from '../support/fixtures.ts';
import { bar, inBar, playFromHome, queueSheet } from '../support/player-page.ts';

const dialog = (page: Page) => page.getByRole('dialog');
const player = (page: Page) =>
  dialog(page).filter({ has: page.getByRole('button', { name: 'Minimise player' }) });
const menu = (page: Page) => page.getByRole('menu');
const options = (page: Page) =>
  page.getByRole('main').getByRole('button', { name: /^More options/ });
/** The history is at the page itself, not at something that covers it. */
const expectPageEntry = (page: Page) =>
  expect.poll(() => page.evaluate(() => history.state)).toBeNull();

test.describe('Back on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('closes what is open, one thing at a time, before it leaves the page', async ({
    page,
    signIn,
  }) => {
    await signIn('premium');
    await playFromHome(page, golden.title);
    await page.getByRole('navigation').getByRole('link', { name: 'Library' }).click();
    await expect(options(page).first()).toBeVisible();
    await page.getByRole('button', { name: 'Open menu' }).click();
    await expect(dialog(page)).toBeVisible();
    await page.goBack();
    await expect(dialog(page)).toBeHidden();

    // A page change would move the focus to the content.
    await expect(page.getByRole('button', { name: 'Open menu' })).toBeFocused();
    await options(page).first().click();
    await expect(menu(page)).toBeVisible();
    await page.goBack();
    await expect(menu(page)).toBeHidden();
    await options(page).first().click();
    await page.getByRole('menuitem', { name: 'Add to playlist' }).click();
    await expect(dialog(page)).toBeVisible();
    await page.goBack();
    await expect(dialog(page)).toBeHidden();

    await inBar(page, 'Expand player').click();
    await expect(player(page)).toBeVisible();
    await player(page).getByRole('button', { name: 'Queue' }).click();
    await expect(queueSheet(page)).toBeVisible();
    await page.goBack();
    await expect(queueSheet(page)).toBeHidden();
    await player(page).getByRole('button', { name: 'Sleep timer' }).click();
    await expect(menu(page)).toBeVisible();
    await page.goBack();
    await expect(menu(page)).toBeHidden();
    await expect(player(page)).toBeVisible();
    await page.goBack();
    await expect(player(page)).toBeHidden();

    const search = page.getByRole('banner').getByRole('combobox', { name: 'Search' });
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await expect(search).toBeFocused();
    await page.goBack();
    await expect(search).toBeHidden();

    await expect(page).toHaveURL('/library');
    await page.goBack();
    await expect(page).toHaveURL('/');
    await expect(bar(page)).toBeVisible();
  });

  test('leaves the page at once when nothing is open any more', async ({ page, signIn }) => {
    await signIn('premium');
    await page.goto('/top-20');
    await page.getByRole('navigation').getByRole('link', { name: 'Library' }).click();
    await expect(options(page).first()).toBeVisible();
    await page.setViewportSize({ width: 390, height: 480 });
    const scrolledTo = () => page.evaluate(() => window.scrollY);
    await page.evaluate(() => window.scrollTo(0, 150));
    await expect.poll(scrolledTo).toBe(150);

    // Closed with its button, and by a link inside.
    const sheet = dialog(page);
    await page.getByRole('button', { name: 'Open menu' }).click();
    await sheet.getByRole('button', { name: 'Close' }).click();
    await expect(sheet).toBeHidden();
    await expectPageEntry(page);
    expect(await scrolledTo()).toBe(150);
    await page.getByRole('button', { name: 'Open menu' }).click();
    await sheet.getByRole('link', { name: 'Achievements' }).click();
    await expect(page).toHaveURL('/achievements');
    await expect.poll(scrolledTo).toBe(0);
    await page.goBack();
    await expect(page).toHaveURL('/library');

    // Forward brings the page back, and nothing that was closed.
    await page.goForward();
    await expect(page).toHaveURL('/achievements');
    await page.getByRole('button', { name: 'Open menu' }).click();
    await expect(sheet).toBeVisible();
    await page.reload();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Achievements');
    await expectPageEntry(page);
    await expect(sheet).toBeHidden();
    await page.goBack();
    await expect(page).toHaveURL('/library');
    await page.goBack();
    await expect(page).toHaveURL('/top-20');
  });
});

test.describe('Back on a desktop', () => {
  test.use({ viewport: { width: 1440, height: 900 } });

  test('closes what covers the page, and ignores what is only beside it', async ({
    page,
    signIn,
  }) => {
    await signIn('premium');
    await playFromHome(page, golden.title);
    await page.getByRole('link', { name: 'Library' }).first().click();
    await expect(options(page).first()).toBeVisible();

    await inBar(page, 'Expand player').click();
    await expect(player(page)).toBeVisible();
    await page.goBack();
    await expect(player(page)).toBeHidden();
    await options(page).first().click();
    await page.getByRole('menuitem', { name: 'Add to playlist' }).click();
    await expect(dialog(page)).toBeVisible();
    await page.goBack();
    await expect(dialog(page)).toBeHidden();
    await expect(page).toHaveURL('/library');

    await page.getByRole('button', { name: 'My Account' }).click();
    await expect(menu(page)).toBeVisible();
    await page.goBack();
    await expect(page).toHaveURL('/');
    await expect(menu(page)).toBeHidden();
    await page.goForward();
    await expect(page).toHaveURL('/library');
    await inBar(page, 'Queue').click();
    await expect(queueSheet(page)).toBeVisible();
    await page.goBack();
    await expect(page).toHaveURL('/');
    await expect(queueSheet(page)).toBeVisible();
  });
});

import type { Page } from '@playwright/test';
import { findAxeViolations } from '../support/axe.ts';
import { golden, robots } from '../support/e2e-tracks.ts';
import { expect, test } from '../support/fixtures.ts';

test.use({ viewport: { width: 1440, height: 900 } });

const box = (page: Page) => page.getByRole('combobox', { name: 'Search' });
const options = (page: Page) =>
  page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option');
const active = (page: Page) => options(page).and(page.locator('[aria-selected=true]'));
const results = (page: Page) => page.getByRole('list', { name: /^Results for/ });

test('the keyboard opens a suggested track at the matching chapter', async ({ page, signIn }) => {
  await signIn('premium');
  await page.goto('/top-20');
  await box(page).focus();
  await box(page).pressSequentially('gold');
  await expect(options(page)).toContainText([golden.title, 'See all results for “gold”']);
  await expect(box(page)).toHaveAttribute('aria-expanded', 'true');

  await box(page).press('ArrowDown');
  await expect(active(page)).toContainText(golden.title);
  expect(await findAxeViolations(page)).toEqual([]);
  await box(page).press('End');
  await expect(active(page)).toContainText('See all results');
  await box(page).press('ArrowDown');
  await expect(active(page)).toContainText(golden.title);
  await box(page).press('Escape');
  await expect(options(page)).toHaveCount(0);
  await expect(box(page)).toHaveValue('gold');

  await box(page).fill('kasi vol');
  await expect(options(page).first()).toContainText(
    'In the tracklist: 0:12 Umlazi Siren, Kasi Voltage',
  );
  await box(page).press('ArrowDown');
  await box(page).press('Enter');
  await expect(page).toHaveURL(`/track/${golden.id}`);
  await expect(page.getByRole('heading', { level: 1 })).toContainText(golden.title);
  const seek = page.getByRole('slider', { name: /seek/i }).first();
  await expect
    .poll(async () => Number(await seek.getAttribute('aria-valuenow')))
    .toBeGreaterThanOrEqual(12);
});

test('the results page corrects a typo, and Back returns to the previous search', async ({
  page,
  signIn,
}) => {
  await signIn('premium');
  await page.goto('/search');
  await box(page).fill('golden presure');
  await box(page).press('Enter');
  await expect(page.getByText('Showing results for golden pressure')).toBeVisible();
  await expect(results(page).getByRole('link', { name: golden.title })).toBeVisible();
  await expect(results(page).locator('mark').first()).toHaveText('Golden');

  await box(page).fill('siren');
  await box(page).press('Enter');
  await expect(results(page).getByRole('link', { name: /0:12 Umlazi Siren/ })).toHaveAttribute(
    'href',
    `/track/${golden.id}?t=12`,
  );
  await page.goBack();
  await expect(page).toHaveURL('/search?q=golden%20presure');
  await expect(box(page)).toHaveValue('golden presure');
  await expect(results(page).getByRole('link', { name: golden.title })).toBeVisible();
});

test('a search without results suggests others, and recent searches stay until cleared', async ({
  page,
  signIn,
}) => {
  await signIn('free');
  await page.goto(`/search?q=${encodeURIComponent('<b>zzzzzz</b>')}`);
  await expect(page.getByRole('heading', { name: 'No results for “<b>zzzzzz</b>”' })).toBeVisible();
  await page.getByRole('navigation', { name: 'Suggestions' }).getByText('Gqom').click();
  await expect(results(page).getByRole('link', { name: golden.title })).toBeVisible();
  await expect(results(page).getByRole('link', { name: robots.title })).toHaveCount(0);

  await box(page).fill('');
  await expect(options(page)).toHaveText(['Gqom', '<b>zzzzzz</b>']);
  await box(page).press('ArrowDown');
  await box(page).press('ArrowDown');
  await box(page).press('Enter');
  await expect(page).toHaveURL(`/search?q=${encodeURIComponent('<b>zzzzzz</b>')}`);

  await page.goto('/search');
  const recent = page.getByRole('heading', { name: 'Recent searches' });
  await expect(recent).toBeVisible();
  await page.getByRole('button', { name: 'Clear recent searches' }).click();
  await expect(recent).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Genres' })).toBeVisible();
  await expect(recent).toHaveCount(0);
});

test('a search starts with a genre or a week', async ({ page, signIn }) => {
  await signIn('free');
  await page.goto('/search');
  await page.getByRole('region', { name: 'Genres' }).getByRole('link', { name: 'Gqom' }).click();
  await expect(page).toHaveURL('/search?q=Gqom');
  await expect(results(page).getByRole('link', { name: golden.title })).toBeVisible();
  await page.goBack();
  const weeks = page.getByRole('region', { name: 'Weeks' }).getByRole('link');
  await expect(weeks.first()).toContainText(golden.title);
  await weeks.first().click();
  await expect(page).toHaveURL(/\/search\?q=week%20\d+%20\d{4}$/);
  await expect(results(page).getByRole('link', { name: golden.title })).toBeVisible();
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('the box in the header suggests and searches, and closes as the results open', async ({
    page,
    signIn,
  }) => {
    await signIn('premium');
    await page.goto('/top-20');
    const header = page.getByRole('banner');
    const icon = header.getByRole('button', { name: 'Search', exact: true });
    const inHeader = header.getByRole('combobox', { name: 'Search' });
    await icon.tap();
    await expect(inHeader).toBeFocused();
    await inHeader.pressSequentially('gold');
    await expect(options(page).first()).toContainText(golden.title);
    expect(await findAxeViolations(page)).toEqual([]);
    await inHeader.press('Enter');
    await expect(page).toHaveURL('/search?q=gold');
    await expect(inHeader).toBeHidden();
    await expect(results(page).getByRole('link', { name: golden.title })).toBeVisible();

    // This page has its own box.
    await icon.tap();
    const onPage = page.getByRole('main').getByRole('combobox', { name: 'Search' });
    await expect(onPage).toBeFocused();
    await expect(onPage).toHaveValue('gold');
    await page.goBack();
    await expect(page).toHaveURL('/top-20');
  });

  test('the box closes in the same way before the rest of the app has loaded', async ({
    page,
    signIn,
  }) => {
    await signIn('premium');
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    await page.route(/\/assets\/later-[^/]+\.js$/, async (route) => {
      await held;
      await route.continue();
    });
    await page.goto('/top-20');
    const header = page.getByRole('banner');
    const icon = header.getByRole('button', { name: 'Search', exact: true });
    const inHeader = header.getByRole('combobox', { name: 'Search' });
    await icon.tap();
    await inHeader.fill('gold');
    await inHeader.press('Enter');
    await expect(page).toHaveURL('/search?q=gold');
    await expect(inHeader).toBeHidden();
    await page.goBack();
    await expect(page).toHaveURL('/top-20');
    await expect(inHeader).toBeHidden();

    await icon.tap();
    await expect(inHeader).toBeFocused();
    release();
    await page.waitForFunction(() => 'healthReport' in window);
    await page.goBack();
    await expect(inHeader).toBeHidden();
    await expect(page).toHaveURL('/top-20');
  });
});

import type { Page } from '@playwright/test';
import { findAxeViolations } from './axe.ts';
import { golden, robots } from './e2e-tracks.ts';
import { expect, test } from './fixtures.ts';

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
  await expect(options(page).first()).toContainText('0:12 Umlazi Siren, Kasi Voltage');
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

  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('banner').getByRole('link', { name: 'Search' }).click();
  await expect(page.getByRole('heading', { name: 'Recent searches' })).toBeVisible();
  await page.getByRole('button', { name: 'Clear recent searches' }).click();
  await expect(page.getByRole('heading', { name: 'What are you looking for?' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'What are you looking for?' })).toBeVisible();
});

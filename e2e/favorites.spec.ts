import type { Page } from '@playwright/test';
import { golden } from './e2e-tracks.ts';
import { expect, newAccount, test } from './fixtures.ts';
import { inBar, playFromHome } from './player-page.ts';

test.use({ viewport: { width: 1440, height: 900 } });

const toast = (page: Page, title: string, description: string) =>
  page.getByRole('listitem').filter({ hasText: title }).filter({ hasText: description });

test('a press adds the mix, another removes it, and both say so', async ({
  page,
  registerByApi,
}) => {
  await registerByApi(newAccount());
  await playFromHome(page, golden.title);
  const heart = inBar(page, 'Favorite');
  await heart.click();
  await expect(heart).toHaveAttribute('aria-pressed', 'true');
  await expect(
    toast(page, 'Added to favorites', `${golden.title} has been added to your favorites`),
  ).toBeVisible();
  await page.reload();
  await expect(heart).toHaveAttribute('aria-pressed', 'true');
  await heart.click();
  await expect(
    toast(page, 'Removed from favorites', `${golden.title} has been removed from your favorites`),
  ).toBeVisible();
  await expect(heart).toHaveAttribute('aria-pressed', 'false');
});

test('a press that the server refuses is taken back', async ({ page, registerByApi, problems }) => {
  problems.expect(/500.*\/favorite$/);
  await registerByApi(newAccount());
  await playFromHome(page, golden.title);
  await page.route('**/api/tracks/*/favorite', (route) =>
    route.request().method() === 'GET'
      ? route.fallback()
      : route.fulfill({ status: 500, body: '{}' }),
  );
  const heart = inBar(page, 'Favorite');
  await heart.click();
  await expect(toast(page, 'Error', 'Failed to update favorites. Please try again.')).toBeVisible();
  await expect(heart).toHaveAttribute('aria-pressed', 'false');
});

test('a guest is told to log in', async ({ page }) => {
  await playFromHome(page, golden.title);
  await expect(inBar(page, 'Log in to add favorites')).toBeDisabled();
});

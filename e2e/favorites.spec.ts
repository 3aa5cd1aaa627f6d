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
  await page.getByRole('link', { name: 'Favorites' }).first().click();
  const row = page.getByRole('main').getByRole('link', { name: golden.title });
  await expect(row).toBeVisible();
  await heart.click();
  await expect(
    toast(page, 'Removed from favorites', `${golden.title} has been removed from your favorites`),
  ).toBeVisible();
  await expect(heart).toHaveAttribute('aria-pressed', 'false');
  await expect(row).toHaveCount(0);
});

test('what the server refuses is logged when it is read, taken back and told when it is pressed', async ({
  page,
  registerByApi,
  problems,
}) => {
  problems.expect(/500.*\/favorite$/);
  problems.expect(/^console: Could not read the favorite status/);
  await registerByApi(newAccount());
  await page.route('**/api/tracks/*/favorite', (route) =>
    route.fulfill({ status: 500, body: '{}' }),
  );
  const logged = page.waitForEvent('console', (message) =>
    message.text().startsWith('Could not read the favorite status'),
  );
  await playFromHome(page, golden.title);
  await logged;
  const heart = inBar(page, 'Favorite');
  await expect(heart).toHaveAttribute('aria-pressed', 'false');
  await expect(page.getByRole('listitem').filter({ hasText: 'favorites' })).toHaveCount(0);
  await heart.click();
  const told = toast(page, 'Error', 'Failed to update favorites. Please try again.');
  await expect(told).toBeVisible();
  // What sets a destructive toast apart from the others.
  await expect(told.locator('svg.text-danger')).toBeVisible();
  await expect(heart).toHaveAttribute('aria-pressed', 'false');
});

test('a guest is told to log in', async ({ page }) => {
  await playFromHome(page, golden.title);
  await expect(inBar(page, 'Log in to add favorites')).toBeDisabled();
});

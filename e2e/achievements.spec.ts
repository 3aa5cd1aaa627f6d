import { golden } from './e2e-tracks.ts';
import { expect, newAccount, test } from './fixtures.ts';
import { playFromHome } from './player-page.ts';

test('a new achievement is announced once, while music plays or after adding a favorite, and stays on its page', async ({
  page,
  registerByApi,
}) => {
  await page.clock.install();
  await registerByApi(newAccount());
  await playFromHome(page, golden.title);
  // Advancing the clock would time out requests that are still under way.
  await page.waitForLoadState('networkidle');
  const announced = page.waitForRequest('**/api/achievements/seen');
  await page.clock.runFor(31_000);
  await expect(page.getByText('New achievement: Founding member', { exact: true })).toBeVisible();
  await announced;

  // Nothing is announced again after a reload.
  await page.goto('/');
  await page.getByRole('main').getByRole('button', { name: 'Favorite', exact: true }).click();
  await expect(page.getByText('Added to favorites', { exact: true })).toBeVisible();
  await page.waitForLoadState('networkidle');
  await page.clock.runFor(61_000);
  await expect(page.getByText('New achievement: First heart', { exact: true })).toBeVisible();

  await page.goto('/achievements');
  const earned = page.getByRole('region', { name: 'Earned', exact: true });
  await expect(earned.getByRole('listitem').filter({ hasText: 'Founding member' })).toContainText(
    /Earned \d/,
  );
  const open = page.getByRole('region', { name: 'In progress' });
  await expect(
    open.getByRole('listitem').filter({ hasText: 'Press play ten times' }),
  ).toContainText('of 10');
});

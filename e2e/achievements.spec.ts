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
  // Half a minute at once would be the end of a call that is still under way.
  await page.waitForLoadState('networkidle');
  const told = page.waitForRequest('**/api/achievements/seen');
  await page.clock.runFor(31_000);
  await expect(page.getByText('Achievement earned: Founder month', { exact: true })).toBeVisible();
  await told;

  // A page that was opened anew is silent.
  await page.goto('/');
  await page.getByRole('main').getByRole('button', { name: 'Favorite', exact: true }).click();
  await expect(page.getByText('Added to favorites', { exact: true })).toBeVisible();
  await page.waitForLoadState('networkidle');
  await page.clock.runFor(61_000);
  await expect(page.getByText('Achievement earned: First heart', { exact: true })).toBeVisible();

  await page.goto('/achievements');
  const earned = page.getByRole('region', { name: 'Earned', exact: true });
  await expect(earned.getByRole('listitem').filter({ hasText: 'Founder month' })).toContainText(
    /Earned \d/,
  );
  const open = page.getByRole('region', { name: 'On the way' });
  await expect(
    open.getByRole('listitem').filter({ hasText: 'Play mixes ten times' }),
  ).toContainText('of 10');
});

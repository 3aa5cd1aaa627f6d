import { golden } from '../support/e2e-tracks.ts';
import { expect, newAccount, test } from '../support/fixtures.ts';
import { playFromHome } from '../support/player-page.ts';

test('a new achievement is announced once, when it is earned, and stays on its page; nothing polls in between', async ({
  page,
  registerByApi,
}) => {
  let asked = 0;
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/api/achievements') asked += 1;
  });
  await page.clock.install();
  await registerByApi(newAccount());
  const announced = page.waitForRequest('**/api/achievements/seen');
  await playFromHome(page, golden.title);
  await expect(page.getByText('New achievement: Founding member', { exact: true })).toBeVisible();
  await announced;
  expect(asked).toBe(1);
  // Advancing the clock would time out requests that are still under way.
  await page.waitForLoadState('networkidle');
  await page.clock.runFor(120_000);
  expect(asked).toBe(1);

  const askedAgain = page.waitForResponse('**/api/achievements');
  await page.getByRole('main').getByRole('button', { name: 'Favorite', exact: true }).click();
  await expect(page.getByText('Added to favorites', { exact: true })).toBeVisible();
  await askedAgain;
  await page.clock.runFor(6_000);
  await expect(page.getByText('New achievement: First heart', { exact: true })).toBeVisible();
  expect(asked).toBe(2);

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

import type { Page } from '@playwright/test';
import { golden } from '../support/e2e-tracks.ts';
import { expect, newAccount, test } from '../support/fixtures.ts';
import { inBar, playFromHome, queueSheet } from '../support/player-page.ts';

test.use({ viewport: { width: 1440, height: 900 } });

const sidebar = (page: Page) => page.getByRole('complementary', { name: 'Sidebar' });
const toasts = (page: Page) =>
  page.getByRole('region', { name: /^Notifications/ }).getByRole('listitem');

test.describe('a page whose code fails to load', () => {
  const FAVORITES = /\/assets\/favorites-[^/]+\.js$/;

  test.beforeEach(async ({ page, problems, signIn }) => {
    problems.expect(/ERR_FAILED/);
    problems.expect(/^console: TypeError: Failed to fetch dynamically imported module/);
    await signIn('free');
    await page.route(FAVORITES, (route) => route.abort());
    await page.goto('/');
    await sidebar(page).getByRole('link', { name: 'Favorites' }).click();
  });

  test('is replaced by the error view, while everything around it works', async ({
    page,
    problems,
  }) => {
    await expect(page).toHaveURL('/favorites');
    const fallback = page.getByRole('main').getByRole('alert');
    await expect(fallback.getByRole('heading', { name: 'Something went wrong' })).toBeVisible();
    await expect(page.getByRole('main').getByRole('heading')).toHaveCount(1);

    await sidebar(page).getByRole('link', { name: 'Top 20' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Top 20');
    await expect(fallback).toHaveCount(0);

    // A page that fails while it renders is replaced as well.
    problems.expect(/^console: TypeError: Cannot/);
    await page.route('**/api/achievements', (route) => route.fulfill({ json: { items: [null] } }));
    await sidebar(page).getByRole('link', { name: 'Achievements' }).click();
    await expect(fallback.getByRole('heading', { name: 'Something went wrong' })).toBeVisible();
    await expect(sidebar(page)).toBeVisible();
  });

  test('opens with Try Again once its code can load', async ({ page }) => {
    const retry = page.getByRole('button', { name: 'Try Again' });
    await expect(retry).toBeVisible();
    await retry.click();
    await expect(retry).toBeVisible();

    await page.unroute(FAVORITES);
    await retry.click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Favorites');
    await expect(retry).toHaveCount(0);
  });
});

test.describe('an overlay whose code fails to load', () => {
  test.beforeEach(({ problems }) => {
    problems.expect(/ERR_FAILED/);
    problems.expect(/^console: TypeError: Failed to fetch dynamically imported module/);
  });

  test('stays closed, and opens once its code can load', async ({ page, signIn }) => {
    const MENU = /\/assets\/account-menu-[^/]+\.js$/;
    await signIn('free');
    await page.route(MENU, (route) => route.abort());
    await page.goto('/');
    const button = page.getByRole('button', { name: 'My Account' });
    await button.click();
    await expect(button).toHaveAttribute('aria-expanded', 'false');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();

    await page.unroute(MENU);
    await button.click();
    await expect(page.getByRole('menu', { name: 'My Account' })).toBeVisible();
  });

  test('still shows the text of a toast', async ({ page, signIn }) => {
    await signIn('free');
    await page.route(/\/assets\/toast-[^/]+\.js$/, (route) => route.abort());
    await page.route('**/api/auth/logout', (route) => route.abort());
    await page.goto('/');
    await sidebar(page).getByRole('button', { name: 'Logout' }).click();
    await expect(page.getByRole('alert')).toHaveText('Error Failed to logout');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(sidebar(page)).toBeVisible();
  });
});

test('the player keeps its bar when the code of something in it fails to load', async ({
  page,
  problems,
  signIn,
}) => {
  problems.expect(/ERR_FAILED/);
  problems.expect(/^console: TypeError: Failed to fetch dynamically imported module/);
  await signIn('premium');
  const CODE = /\/assets\/(?:cast-button|queue-sheet)-[^/]+\.js$/;
  const casting = page.waitForEvent('requestfailed', (request) =>
    request.url().includes('/assets/cast-button'),
  );
  await page.route(CODE, (route) => route.abort());
  await playFromHome(page, golden.title);
  await casting;
  await expect(inBar(page, 'Pause')).toBeVisible();

  const queue = inBar(page, 'Queue');
  await queue.click();
  await expect(queue).toHaveAttribute('aria-expanded', 'false');
  await page.unroute(CODE);
  await queue.click();
  await expect(queueSheet(page)).toBeVisible();
});

test('a tracklist file is chosen again when the code that reads it failed to load', async ({
  page,
  signIn,
  problems,
}) => {
  problems.expect(/\/assets\/read-tracklist-file-/);
  problems.expect(/Failed to fetch dynamically imported module/);
  await signIn('admin');
  await page.goto(`/admin/tracks/edit/${golden.id}`);
  await page.route('**/assets/read-tracklist-file-*', (route) => route.abort());
  const chooseFile = () =>
    page.getByLabel('Import a tracklist file').setInputFiles({
      name: 'mix.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('0:00 Zola - First Light\n0:30 Ama - Second'),
    });
  await chooseFile();
  await expect(page.getByText('Couldn’t load what reads tracklists.')).toBeVisible();
  await page.unroute('**/assets/read-tracklist-file-*');
  await chooseFile();
  await expect(page.getByText('Read 2 tracks from mix.txt')).toBeVisible();
});

test('a form fails immediately while the browser is offline', async ({
  page,
  context,
  problems,
}) => {
  problems.expect(/ERR_INTERNET_DISCONNECTED/);
  await page.goto('/login');
  const form = page.getByRole('main');
  await form.getByLabel('Username').fill('free');
  await form.getByLabel('Password', { exact: true }).fill('weekender-demo');
  await context.setOffline(true);
  await form.getByRole('button', { name: 'Login' }).click();
  await expect(form.getByRole('alert')).toHaveText('Failed to login');
  await context.setOffline(false);
});

test.describe('a request without a response', () => {
  test.beforeEach(({ problems }) => problems.expect(/ERR_FAILED/));

  test('shows that registering failed', async ({ page }) => {
    const account = newAccount();
    await page.route('**/api/auth/register', (route) => route.abort());
    await page.goto('/register');
    const form = page.getByRole('main');
    await form.getByLabel('Username').fill(account.username);
    await form.getByLabel(/^e-?mail$/i).fill(account.email);
    await form.getByLabel('Password', { exact: true }).fill(account.password);
    await form.getByRole('button', { name: 'Create account' }).click();
    await expect(form.getByRole('alert')).toHaveText('Failed to register');
    await expect(page).toHaveURL('/register');
  });

  test('shows that the profile was not updated, and that logging out failed', async ({
    page,
    signIn,
  }) => {
    await signIn('free');
    await page.route('**/api/users/*', (route) => route.abort());
    await page.goto('/profile');
    await page.getByLabel('Username').fill('somebody-else');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect(page.getByRole('main').getByRole('alert')).toHaveText('Failed to update profile');
    await expect(page.getByRole('button', { name: 'My Account' })).toHaveText('FR');

    await page.route('**/api/auth/logout', (route) => route.abort());
    await page.goto('/');
    await sidebar(page).getByRole('button', { name: 'Logout' }).click();
    await expect(toasts(page)).toContainText('Error');
    await expect(toasts(page)).toContainText('Failed to logout');
    await expect(page.getByRole('button', { name: 'My Account' })).toBeVisible();
  });
});

test('a failed background check is only logged: of the version and of the health', async ({
  page,
  problems,
}) => {
  problems.expect(/ERR_FAILED/);
  const warnings: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'warning') warnings.push(message.text());
  });
  await page.route(/\/api\/(?:version|health)$/, (route) => route.abort());
  await page.goto('/');
  await expect.poll(() => warnings.join('\n')).toContain('Version check failed.');
  await expect.poll(() => warnings.join('\n')).toContain('Health check failed.');
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect(toasts(page)).toHaveCount(0);
  await sidebar(page).getByRole('link', { name: 'Top 20' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Top 20');
});

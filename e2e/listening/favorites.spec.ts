import type { Page } from '@playwright/test';
import { golden, robots } from '../support/e2e-tracks.ts';
import { expect, newAccount, sendEmptyPages, test } from '../support/fixtures.ts';
import { inBar, playFromHome } from '../support/player-page.ts';

test.use({ viewport: { width: 1440, height: 900 } });

const toasts = (page: Page) =>
  page.getByRole('region', { name: /^Notifications/ }).getByRole('listitem');
const toast = (page: Page, title: string, description: string | RegExp) =>
  toasts(page)
    .filter({ has: page.getByText(title, { exact: true }) })
    .filter({ has: page.getByText(description, { exact: true }) });

test('the heart adds and removes a mix, each with a toast', async ({ page, registerByApi }) => {
  await registerByApi(newAccount());
  const requests: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (/\/favorites?$/.test(pathname))
      requests.push(`${request.method()} ${pathname} ${request.postData()}`);
  });
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
  const path = `/api/tracks/${golden.id}/favorite`;
  expect(requests).toEqual(expect.arrayContaining([`GET ${path} null`, `POST ${path} null`]));
  // The row left at once; the list is loaded again as well.
  await expect
    .poll(() => requests.slice(requests.indexOf(`DELETE ${path} null`)))
    .toContain('GET /api/favorites null');
  expect(requests).toContain(`DELETE ${path} null`);
});

test('failed loads and reports are only logged, and a failed change is rolled back with a toast', async ({
  page,
  registerByApi,
  problems,
}) => {
  problems.expect(/500.*\/(?:favorite|play)$/);
  problems.expect(/^console: (?:Couldn’t load the favorite status|Could not record the play)/);
  await registerByApi(newAccount());
  // Otherwise the status comes with the page.
  await sendEmptyPages(page);
  const asked = new Set<string>();
  await page.route('**/api/tracks/*/favorite', (route) => {
    if (route.request().method() === 'GET') asked.add(new URL(route.request().url()).pathname);
    return route.fulfill({ status: 500, body: '{}' });
  });
  await page.route('**/api/tracks/*/play', (route) => route.fulfill({ status: 500, body: '{}' }));
  const logged = [
    'Couldn’t load the favorite status',
    `Could not record the play of ${golden.title}`,
  ];
  const allLogged = Promise.all(
    logged.map((start) =>
      page.waitForEvent('console', (message) => message.text().startsWith(start)),
    ),
  );
  await playFromHome(page, golden.title);
  await allLogged;
  const heart = inBar(page, 'Favorite');
  await expect(heart).toHaveAttribute('aria-pressed', 'false');
  await expect(inBar(page, 'Pause')).toBeVisible();
  await expect(toasts(page)).toHaveCount(0);
  await expect(page.getByRole('alert')).toHaveCount(0);
  await heart.click();
  const errorToast = toast(page, 'Error', 'Failed to update favorites. Please try again.');
  await expect(errorToast).toBeVisible();
  // Only destructive toasts have this icon.
  await expect(errorToast.locator('svg.text-danger')).toBeVisible();
  await expect(heart).toHaveAttribute('aria-pressed', 'false');
  await page
    .getByRole('button', { name: `Play preview: ${robots.title}` })
    .first()
    .click();
  await expect.poll(() => asked.has(`/api/tracks/${robots.id}/favorite`)).toBe(true);
});

test('a guest is asked to log in', async ({ page }) => {
  await playFromHome(page, golden.title);
  await expect(inBar(page, 'Log in to add favorites')).toBeDisabled();
  const hearts = page.getByRole('button', { name: /favorite/i });
  await expect.poll(() => hearts.count()).toBeGreaterThan(1);
  for (const heart of await hearts.all()) await expect(heart).toBeDisabled();
});

test('a removed mix leaves the list immediately, and returns on Undo or on an error', async ({
  page,
  registerByApi,
  problems,
  origin,
}) => {
  await registerByApi(newAccount());
  for (const { id } of [golden, robots])
    await page.request.post(`/api/tracks/${id}/favorite`, { headers: { origin } });
  await page.goto('/favorites');
  const rows = page.getByRole('list', { name: 'Favorites' }).getByRole('listitem');
  await expect(rows).toHaveCount(2);
  const goldenRow = rows.filter({ hasText: golden.title });
  const heart = page.getByRole('button', { name: `Favorite: ${golden.title}` });

  await heart.click();
  await expect(goldenRow).toHaveCount(0);
  const removed = toast(page, 'Removed from favorites', new RegExp(golden.title));
  await removed.getByRole('button', { name: 'Undo' }).click();
  await expect(toast(page, 'Added to favorites', new RegExp(golden.title))).toBeVisible();
  await expect(goldenRow).toBeVisible();
  await expect(heart).toHaveAttribute('aria-pressed', 'true');

  problems.expect(/500.*\/favorite$/);
  await page.route('**/api/tracks/*/favorite', (route) =>
    route.request().method() === 'DELETE'
      ? route.fulfill({ status: 500, body: '{}' })
      : route.fallback(),
  );
  await heart.click();
  await expect(toast(page, 'Error', 'Failed to update favorites. Please try again.')).toBeVisible();
  await expect(goldenRow).toBeVisible();
  await page.unrouteAll();

  for (const { title } of [golden, robots]) {
    await page.getByRole('button', { name: `Favorite: ${title}` }).click();
    await expect(rows.filter({ hasText: title })).toHaveCount(0);
  }
  await expect(page.getByRole('heading', { name: 'No favorites yet' })).toBeVisible();
});

test('two tabs that press at the same time end up with the server’s state', async ({
  page,
  context,
  registerByApi,
}) => {
  await registerByApi(newAccount());
  const other = await context.newPage();
  const tabs = [page, other];
  const heartOf = (tab: Page) => tab.getByRole('button', { name: 'Favorite', exact: true });
  for (const tab of tabs) {
    await tab.goto(`/track/${golden.id}`);
    await expect(heartOf(tab)).toHaveAttribute('aria-pressed', 'false');
  }
  // In the page, so that twenty presses take only milliseconds.
  const press = (tab: Page, times: number) =>
    heartOf(tab).evaluate((heart: HTMLElement, count) => {
      for (let i = 0; i < count; i++) heart.click();
    }, times);
  await Promise.all([press(page, 11), press(other, 10)]);
  const isFavorite = async () => {
    const answer = await page.request.get(`/api/tracks/${golden.id}/favorite`);
    return String(((await answer.json()) as { isFavorite: boolean }).isFavorite);
  };
  await expect(async () => {
    const expected = await isFavorite();
    for (const tab of tabs)
      await expect(heartOf(tab)).toHaveAttribute('aria-pressed', expected, { timeout: 1000 });
    expect(await isFavorite()).toBe(expected);
  }).toPass();
});

test('a row shows what another tab changed', async ({ page, context, registerByApi }) => {
  await registerByApi(newAccount());
  await page.goto('/library');
  const inRow = page.getByRole('button', { name: `Favorite: ${golden.title}`, exact: true });
  await expect(inRow).toHaveAttribute('aria-pressed', 'false');
  const other = await context.newPage();
  await other.goto(`/track/${golden.id}`);
  await other.getByRole('button', { name: 'Favorite', exact: true }).click();
  await expect(inRow).toHaveAttribute('aria-pressed', 'true');
});

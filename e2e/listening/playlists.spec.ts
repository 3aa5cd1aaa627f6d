import type { Locator, Page } from '@playwright/test';
import { broken, e2eTracks, golden, robots, short } from '../support/e2e-tracks.ts';
import { expect, newAccount, test } from '../support/fixtures.ts';
import { currentTitle, inBar, playFromHome, queueSheet } from '../support/player-page.ts';

test.use({ viewport: { width: 1440, height: 900 } });

const NAME = '<b>Road</b> & "dust"';
const button = (page: Page | Locator, name: string): Locator =>
  page.getByRole('button', { name, exact: true });
const heading = (page: Page): Locator => page.getByRole('heading', { level: 1 });
const rows = (page: Page, name: string): Locator =>
  page.getByRole('list', { name, exact: true }).getByRole('listitem');
const toast = (page: Page, title: string): Locator =>
  page.getByRole('listitem').filter({ hasText: title });

const expectOrder = (page: Page, name: string, titles: string[]): Promise<void> =>
  expect(rows(page, name).getByRole('link').filter({ hasText: /./ })).toHaveText(titles);

const playlistId = (page: Page): string => new URL(page.url()).pathname.split('/').at(-1) ?? '';

/** Sends a request as the same user on another device. */
const asOtherDevice = async (
  page: Page,
  origin: string,
  method: string,
  path: string,
  data?: object,
) => {
  const answer = await page.request.fetch(`/api/playlists${path}`, {
    method,
    headers: { origin },
    ...(data && { data }),
  });
  expect(answer.ok(), await answer.text()).toBe(true);
  return (answer.status() === 204 ? {} : await answer.json()) as { id: string };
};

test('a playlist is created, filled from menus, and reordered by keyboard and mouse', async ({
  page,
  registerByApi,
  origin,
  problems,
}) => {
  await registerByApi(newAccount());
  await page.goto('/playlists');
  await expect(page.getByRole('heading', { name: 'No playlists yet' })).toBeVisible();
  await button(page, 'New playlist').click();
  await page.getByRole('textbox', { name: 'Name' }).fill(`  ${NAME} `);
  await button(page, 'Create playlist').click();
  await expect(heading(page)).toHaveText(NAME);
  const id = playlistId(page);

  await page.goto('/library');
  await button(page, `More options for ${golden.title}`).click();
  await page.getByRole('menuitem', { name: 'Add to playlist…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add to playlist' });
  await dialog.getByRole('button', { name: new RegExp('0 mixes') }).click();
  await expect(toast(page, `Added to ${NAME}`)).toContainText(golden.title);
  await expect(dialog).toBeHidden();
  await expect(button(page, `More options for ${golden.title}`)).toBeFocused();
  await page.goto(`/track/${golden.id}`);
  await button(page, 'Add to playlist').click();
  await expect(dialog.getByText('Already added')).toBeVisible();
  await page.keyboard.press('Escape');
  await asOtherDevice(page, origin, 'POST', `/${id}/tracks`, { trackIds: [short.id, robots.id] });

  await page.goto('/playlists');
  await page.getByRole('link', { name: NAME }).click();
  await expectOrder(page, NAME, [golden.title, short.title, robots.title]);
  const handle = (title: string) => button(page, `Move ${title}`);
  const orderSaved = () =>
    page.waitForResponse((answer) => answer.url().endsWith('/order') && answer.ok());

  await handle(robots.title).focus();
  await page.keyboard.press('Space');
  await expect(page.getByText(`${robots.title} picked up from position 3 of 3.`)).toBeAttached();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Escape');
  await expect(page.getByText(`Cancelled. ${robots.title} is back in position 3.`)).toBeAttached();
  await page.keyboard.press('Space');
  await page.keyboard.press('Home');
  const moved = orderSaved();
  await page.keyboard.press('Space');
  await expect(page.getByText(`${robots.title} dropped at position 1 of 3.`)).toBeAttached();
  await expectOrder(page, NAME, [robots.title, golden.title, short.title]);
  await expect(handle(robots.title)).toBeFocused();
  await moved;

  const from = await handle(robots.title).boundingBox();
  const target = await handle(short.title).boundingBox();
  const dragged = orderSaved();
  await page.mouse.move((from?.x ?? 0) + 10, (from?.y ?? 0) + 20);
  await page.mouse.down();
  await page.mouse.move((target?.x ?? 0) + 10, (target?.y ?? 0) + 26, { steps: 5 });
  await page.mouse.up();
  await expectOrder(page, NAME, [golden.title, short.title, robots.title]);
  await dragged;
  await page.reload();
  await expectOrder(page, NAME, [golden.title, short.title, robots.title]);

  // Another device changed the order first: the move applies to the new order.
  problems.expect(/409.*\/order$/);
  await asOtherDevice(page, origin, 'DELETE', `/${id}/tracks?trackId=${short.id}`);
  await handle(robots.title).focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('Home');
  const reapplied = orderSaved();
  await page.keyboard.press('Space');
  await reapplied;
  await expectOrder(page, NAME, [robots.title, golden.title]);
});

test('a playlist plays, and its shared link works until it is turned off', async ({
  page,
  registerByApi,
  browser,
  origin,
}) => {
  await registerByApi(newAccount());
  const input = { name: NAME, trackIds: [robots.id, golden.id] };
  const { id } = await asOtherDevice(page, origin, 'POST', '', input);
  await page.goto(`/playlist/${id}`);
  await button(page, 'Play').click();
  await currentTitle(page, robots.title);

  await button(page, 'Share').click();
  await button(page, 'Create link').click();
  const link = await page.getByRole('textbox', { name: 'Link' }).inputValue();
  expect(new URL(link).pathname).toMatch(/^\/shared\/[\w-]{43}$/);
  const theirs = await browser.newContext({ baseURL: origin });
  const guest = await theirs.newPage();
  await guest.goto(link);
  await expect(guest).toHaveURL(/\/login\?next=%2Fshared%2F/);
  await expect(heading(guest)).toHaveText(NAME);
  await expect(guest.getByText('Playlist · 2 mixes')).toBeVisible();
  await button(guest, 'Play preview').click();
  await currentTitle(guest, robots.title);
  await guest.getByLabel('Username').fill('free');
  await guest.getByLabel('Password', { exact: true }).fill('weekender-demo');
  await guest.getByRole('main').getByRole('button', { name: 'Login' }).click();
  await expect(heading(guest)).toHaveText(NAME);
  await expectOrder(guest, NAME, [robots.title, golden.title]);
  // The login hasn't interrupted it.
  await expect(button(guest, `Pause: ${robots.title}`)).toBeVisible();
  await button(page, 'Turn off').click();
  await expect(button(page, 'Create link')).toBeVisible();
  await guest.reload();
  await expect(guest.getByRole('heading', { name: 'Playlist not found' })).toBeVisible();
  await theirs.close();
});

test('edits, removals and deletions can be undone, and a refused change is rolled back', async ({
  page,
  registerByApi,
  origin,
  problems,
}) => {
  await registerByApi(newAccount());
  const trackIds = [golden.id, short.id, robots.id];
  const input = { name: 'Before', trackIds };
  const { id } = await asOtherDevice(page, origin, 'POST', '', input);
  await page.goto(`/playlist/${id}`);

  await button(page, 'Edit details').click();
  await page.getByRole('textbox', { name: 'Name' }).fill('After');
  await page.getByRole('textbox', { name: 'Description' }).fill('For the train.');
  await page.getByRole('textbox', { name: 'Name' }).press('Enter');
  await expect(heading(page)).toHaveText('After');
  await expect(page.getByText('For the train.')).toBeVisible();

  await button(page, `More options for ${short.title}`).click();
  await page.getByRole('menuitem', { name: 'Remove from this playlist' }).click();
  await expectOrder(page, 'After', [golden.title, robots.title]);
  await button(toast(page, 'Removed from After'), 'Undo').click();
  await expectOrder(page, 'After', [golden.title, short.title, robots.title]);

  problems.expect(/500.*\/tracks$/);
  await page.route('**/api/playlists/*/tracks?*', (route) =>
    route.fulfill({ status: 500, body: '{}' }),
  );
  await button(page, `More options for ${golden.title}`).click();
  await page.getByRole('menuitem', { name: 'Remove from this playlist' }).click();
  await expect(toast(page, 'Error')).toContainText(
    'Failed to update the playlist. Please try again.',
  );
  await expectOrder(page, 'After', [golden.title, short.title, robots.title]);

  await button(page, 'Delete playlist').click();
  await expect(page).toHaveURL('/playlists');
  await button(toast(page, 'Playlist deleted'), 'Undo').click();
  await page.getByRole('link', { name: 'After' }).click();
  await expectOrder(page, 'After', [golden.title, short.title, robots.title]);
  await button(page, 'Delete playlist').click();
  await expect(page.getByRole('heading', { name: 'Recently deleted' })).toBeVisible();
  await page.reload();
  await button(page, 'Restore After').click();
  await expect(page.getByRole('link', { name: 'After' })).toBeVisible();
});

test('the queue can be saved as a playlist, which can be shuffled', async ({
  page,
  registerByApi,
}) => {
  await registerByApi(newAccount());
  await playFromHome(page, golden.title);
  await inBar(page, 'Queue').click();
  await button(queueSheet(page), 'Save as playlist').click();
  const dialog = page.getByRole('dialog', { name: 'Save as playlist' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Friday');
  await button(dialog, 'Save playlist').click();
  await button(toast(page, 'Playlist saved'), 'Open').click();
  await expect(heading(page)).toHaveText('Friday');
  const open = e2eTracks.filter((track) => !track.isSubscriberOnly);
  await expectOrder(
    page,
    'Friday',
    open.map((track) => track.title),
  );
  // These draws leave the first mix where it is and move the last one up.
  await page.evaluate(() => {
    Math.random = () => 0.5;
  });
  await button(page, 'Shuffle').click();
  const queued = queueSheet(page).getByRole('listitem');
  for (const [index, { title }] of [golden, robots, short, broken].entries())
    await expect(queued.nth(index)).toContainText(title);
});

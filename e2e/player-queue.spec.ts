import { broken, e2eTracks, golden, membersOnly, robots, short } from './e2e-tracks.ts';
import { expect, test } from './fixtures.ts';
import { currentTitle, inBar, playFromHome, queueSheet } from './player-page.ts';

test.use({ viewport: { width: 1440, height: 900 } });

test.beforeEach(async ({ page, signIn }) => {
  await signIn('premium');
  await playFromHome(page, golden.title);
  await inBar(page, 'Queue').click();
});

test('lists the upcoming tracks and marks the current one', async ({ page }) => {
  const sheet = queueSheet(page);
  await expect(sheet.getByText('5 tracks')).toBeVisible();
  await expect(sheet.getByRole('listitem')).toHaveCount(e2eTracks.length);
  const first = sheet.getByRole('listitem').first();
  await expect(first).toContainText(golden.title);
  await expect(first).toContainText('Gqom');
  await expect(first).toContainText('1:00');
  await expect(first).toHaveAttribute('aria-current', 'true');
  await expect(sheet.getByRole('listitem').filter({ hasText: robots.title })).toContainText(
    'Unknown Genre',
  );
  await expect(sheet.getByText('Now playing: 1 of 5')).toBeVisible();
});

test('plays a row, and removes any row but the current one', async ({ page }) => {
  const sheet = queueSheet(page);
  await sheet.getByRole('button', { name: membersOnly.title }).first().click();
  await currentTitle(page, membersOnly.title);
  await expect(sheet.getByText('Now playing: 5 of 5')).toBeVisible();
  const remove = (title: string) =>
    sheet.getByRole('button', { name: `Remove ${title} from the queue` });
  await expect(remove(membersOnly.title)).toHaveCount(0);
  await remove(short.title).press('Enter');
  await expect(sheet.getByRole('listitem').filter({ hasText: short.title })).toHaveCount(0);
  await expect(remove(broken.title)).toBeFocused();
  await expect(sheet.getByText('Now playing: 4 of 4')).toBeVisible();
  for (const { title } of e2eTracks.filter((track) => track !== short && track !== membersOnly))
    await remove(title).press('Enter');
  await expect(sheet.getByText('1 track', { exact: true })).toBeVisible();
  await expect(sheet.getByRole('button', { name: membersOnly.title })).toBeFocused();
});

test('clears, and says how to fill it again', async ({ page }) => {
  const sheet = queueSheet(page);
  const clear = sheet.getByRole('button', { name: 'Clear' });
  await clear.press('Enter');
  await expect(clear).toBeDisabled();
  await expect(clear).toBeFocused();
  await expect(sheet.getByText('0 tracks')).toBeVisible();
  await expect(sheet.getByText('Your queue is empty')).toBeVisible();
  await expect(
    sheet.getByText('Add tracks to your queue from the favorites or library page'),
  ).toBeVisible();
  await expect(sheet.getByText('None', { exact: true })).toBeVisible();
  await currentTitle(page, golden.title);
});

test('stays open next to the page and closes with the player', async ({ page }) => {
  await page.getByRole('link', { name: 'Top 20' }).first().click();
  await expect(page).toHaveURL('/top-20');
  await expect(queueSheet(page)).toBeVisible();
  await inBar(page, 'Close player').click();
  await expect(queueSheet(page)).toBeHidden();
});

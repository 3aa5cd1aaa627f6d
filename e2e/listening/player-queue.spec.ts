import type { Locator, Page } from '@playwright/test';
import { formatDuration } from '#contract/rules/time.ts';
import { broken, e2eTracks, golden, membersOnly, robots, short } from '../support/e2e-tracks.ts';
import { expect, newAccount, test } from '../support/fixtures.ts';
import { DEVICES } from '../support/nightly.ts';
import { currentTitle, inBar, playFromHome, queueSheet } from '../support/player-page.ts';
import { expectSound, watchSound } from '../support/sound.ts';
import { middleOf, slide, touch } from '../support/touch.ts';

const DESKTOP = { viewport: { width: 1440, height: 900 } };
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

const rows = (page: Page): Locator => queueSheet(page).getByRole('listitem');
const row = (page: Page, title: string): Locator => rows(page).filter({ hasText: title });
/** The part of a row that plays it. */
const playRow = (page: Page, title: string): Locator =>
  row(page, title).getByRole('button', { name: /^(?!Move|Remove)/ });
const handle = (page: Page, title: string): Locator =>
  queueSheet(page).getByRole('button', { name: `Move ${title}`, exact: true });
const removeButton = (page: Page, title: string): Locator =>
  queueSheet(page).getByRole('button', { name: `Remove ${title} from the queue` });
const section = (page: Page, name: string): Locator =>
  queueSheet(page).getByRole('region', { name, exact: true });
const undo = (page: Page): Locator => page.getByRole('button', { name: 'Undo', exact: true });

const expectRows = async (list: Locator, titles: string[]): Promise<void> => {
  await expect(list).toHaveCount(titles.length);
  for (const [index, title] of titles.entries()) await expect(list.nth(index)).toContainText(title);
};

const openQueue = (page: Page): Promise<void> => inBar(page, 'Queue').click();

test.describe('on a desktop', () => {
  test.use(DESKTOP);

  test.beforeEach(async ({ page, signIn }) => {
    await watchSound(page);
    await signIn('premium');
    await playFromHome(page, golden.title);
    await openQueue(page);
  });

  test('lists the upcoming tracks and marks the current one', async ({ page }) => {
    const sheet = queueSheet(page);
    await expect(sheet.getByText('5 tracks')).toBeVisible();
    await expect(rows(page)).toHaveCount(e2eTracks.length);
    for (const [index, { title, genre, seconds }] of e2eTracks.entries())
      for (const text of [title, genre ?? 'Unknown Genre', formatDuration(seconds)])
        await expect(rows(page).nth(index).getByText(text, { exact: true })).toBeVisible();
    await expect(rows(page).first()).toHaveAttribute('aria-current', 'true');
    await expect(sheet.getByText('Now playing: 1 of 5', { exact: true })).toBeVisible();
    const { x = 0, width } = (await sheet.boundingBox()) ?? {};
    expect(x + (width ?? 0), 'It is at the side').toBe(DESKTOP.viewport.width);
    expect(x).toBeGreaterThan(DESKTOP.viewport.width / 2);
  });

  test('plays a row, and removes any row but the current one', async ({ page }) => {
    const sheet = queueSheet(page);
    await playRow(page, membersOnly.title).click();
    await currentTitle(page, membersOnly.title);
    await expectSound(page);
    await expect(sheet.getByText('Now playing: 5 of 5')).toBeVisible();
    await expect(removeButton(page, membersOnly.title)).toHaveCount(0);
    await removeButton(page, short.title).press('Enter');
    await expect(row(page, short.title)).toHaveCount(0);
    await expect(removeButton(page, broken.title)).toBeFocused();
    await expect(sheet.getByText('Now playing: 4 of 4')).toBeVisible();
    for (const { title } of e2eTracks.filter((track) => track !== short && track !== membersOnly))
      await removeButton(page, title).press('Enter');
    await expect(sheet.getByText('1 track', { exact: true })).toBeVisible();
    await expect(playRow(page, membersOnly.title)).toBeFocused();
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
    await inBar(page, 'Queue').click();
    await expect(queueSheet(page)).toBeHidden();
    await inBar(page, 'Queue').click();
    await expect(queueSheet(page)).toBeVisible();
    await inBar(page, 'Close player').click();
    await expect(queueSheet(page)).toBeHidden();
    await expect(page.getByRole('button', { name: 'Queue', exact: true })).toHaveCount(0);
  });
});

for (const { size, options } of DEVICES)
  test.describe(`with a list on a ${size}`, () => {
    test.use(options);

    test('the current row pauses, removals are undone, and closing leaves nothing behind', async ({
      page,
      signIn,
    }) => {
      const titles = e2eTracks.map(({ title }) => title);
      await signIn('premium');
      await playFromHome(page, golden.title);
      await openQueue(page);
      const sheet = queueSheet(page);
      const current = rows(page).first().getByRole('button');
      await expect(current).toHaveAccessibleName(/^Pause/);
      await current.click();
      await expect(current).toHaveAccessibleName(/^Play/);
      await current.click();
      await expect(current).toHaveAccessibleName(/^Pause/);

      await removeButton(page, short.title).click();
      await expectRows(rows(page), titles.toSpliced(1, 1));
      await playRow(page, robots.title).click();
      await expect(sheet.getByText('Now playing: 3 of 4')).toBeVisible();
      await undo(page).click();
      await expectRows(rows(page), titles);
      await expect(sheet.getByText('Now playing: 4 of 5')).toBeVisible();
      await expect(row(page, robots.title)).toHaveAttribute('aria-current', 'true');
      await expect(removeButton(page, short.title)).toBeFocused();

      await sheet.getByRole('button', { name: 'Clear' }).click();
      await expect(sheet.getByText('Your queue is empty')).toBeVisible();
      await expect(undo(page)).toBeVisible();
      // The keyboard can't leave a sheet that covers the page, so it undoes from there.
      await page.keyboard.press('Control+z');
      await expectRows(rows(page), titles);
      await expect(sheet.getByText('Now playing: 4 of 5')).toBeVisible();

      await sheet.getByRole('button', { name: 'Close', exact: true }).click();
      await inBar(page, 'Close player').click();
      await page.getByRole('main').getByRole('button', { name: 'Add to queue' }).click();
      await currentTitle(page, golden.title);
      await openQueue(page);
      await expectRows(rows(page), [golden.title]);
      await page.reload();
      await openQueue(page);
      await expect(sheet.getByText('1 track', { exact: true })).toBeVisible();
    });
  });

/** Starts the library with a mix, and queues others from their menus. */
async function queueFromLibrary(page: Page, titles: string[]): Promise<void> {
  await page.goto('/library');
  await page.getByRole('button', { name: `Play preview: ${golden.title}`, exact: true }).click();
  // The end of the preview would open a dialog.
  await inBar(page, 'Pause').click();
  for (const title of titles) {
    await page.getByRole('button', { name: `More options for ${title}`, exact: true }).click();
    await page.getByRole('menuitem', { name: 'Add to queue' }).click();
  }
  await openQueue(page);
}

test.describe('what was queued', () => {
  test.use(DESKTOP);

  test('comes before the list, moves by keyboard and mouse, and is what a playlist saves', async ({
    page,
    registerByApi,
  }) => {
    await registerByApi(newAccount());
    await queueFromLibrary(page, [robots.title, broken.title, robots.title]);
    const upNext = section(page, 'Up next').getByRole('listitem');
    const rest = section(page, 'Continuing from Library').getByRole('listitem');
    await expectRows(upNext, [broken.title, robots.title]);
    await expectRows(rest, [short.title]);

    await handle(page, robots.title).press('Space');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Escape');
    await expect(page.getByText(`Cancelled. ${robots.title} is back`)).toBeAttached();
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowUp');
    await expect(
      page.getByText(`${robots.title} moved to position 1 of 3, Up next.`),
    ).toBeAttached();
    await page.keyboard.press('Space');
    await expectRows(upNext, [robots.title, broken.title]);
    await expect(handle(page, robots.title)).toBeFocused();

    // Past the heading, into the rest of the list.
    await page.keyboard.press('Space');
    await page.keyboard.press('End');
    await page.keyboard.press('Space');
    await expectRows(rest, [short.title, robots.title]);
    await expect(handle(page, robots.title)).toBeFocused();

    const from = await middleOf(handle(page, robots.title));
    const to = await middleOf(handle(page, broken.title));
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(to.x, to.y - 6, { steps: 5 });
    await page.mouse.up();
    await expectRows(upNext, [robots.title, broken.title]);
    await expectRows(rest, [short.title]);

    await page.reload();
    await openQueue(page);
    await expectRows(upNext, [robots.title, broken.title]);
    await queueSheet(page).getByRole('button', { name: 'Save as playlist' }).click();
    const dialog = page.getByRole('dialog', { name: 'Save as playlist' });
    await expect(dialog.getByRole('radio', { name: 'Your picks · 3' })).toBeChecked();
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Friday');
    await dialog.getByRole('button', { name: 'Save playlist' }).click();
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    const saved = page.getByRole('list', { name: 'Friday' }).getByRole('listitem');
    await expectRows(saved, [golden.title, robots.title, broken.title]);
  });
});

test.describe('what was queued on a phone', () => {
  test.use(PHONE);

  test('moves by touch, opens at the current row, and its scrollbar hides', async ({
    page,
    context,
    registerByApi,
  }) => {
    await registerByApi(newAccount());
    await queueFromLibrary(page, [robots.title, short.title]);
    const upNext = section(page, 'Up next').getByRole('listitem');
    await expectRows(upNext, [robots.title, short.title]);

    const client = await context.newCDPSession(page);
    // Waits until the sheet stops moving.
    await handle(page, short.title).click({ trial: true });
    const { y = 0, height = 0 } = (await queueSheet(page).boundingBox()) ?? {};
    expect(y + height, 'It is at the bottom').toBe(PHONE.viewport.height);
    const from = await middleOf(handle(page, short.title));
    const to = await middleOf(handle(page, robots.title));
    await slide(client, from, { x: from.x, y: to.y - 6 });
    await touch(client, 'touchEnd');
    await expectRows(upNext, [short.title, robots.title]);

    await playRow(page, robots.title).click();
    await expect(queueSheet(page).getByText('Now playing: 3 of 4')).toBeVisible();
    await playRow(page, robots.title).click();
    await queueSheet(page).getByRole('button', { name: 'Close', exact: true }).click();
    await page.setViewportSize({ width: 390, height: 460 });
    await openQueue(page);
    await expect(row(page, robots.title)).toBeInViewport({ ratio: 1 });
    await expect(row(page, golden.title)).not.toBeInViewport();
    const area = queueSheet(page).locator('[data-scrollbar]');
    await expect(area).toHaveAttribute('data-scrollbar', 'hidden');
    // Observed inside the page: on a busy machine, polling could miss the 600 ms.
    const states = await area.evaluate(
      (element) =>
        new Promise((resolve) => {
          const seen: (string | undefined)[] = [];
          new MutationObserver(() => {
            seen.push(element.dataset.scrollbar);
            if (element.dataset.scrollbar === 'hidden') resolve(seen);
          }).observe(element, { attributeFilter: ['data-scrollbar'] });
          element.scrollTo({ top: 0, behavior: 'instant' });
        }),
    );
    expect(states).toEqual(['visible', 'hidden']);
    await expect(row(page, golden.title)).toBeInViewport();
  });
});

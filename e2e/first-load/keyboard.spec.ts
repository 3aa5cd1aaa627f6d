import type { Page } from '@playwright/test';
import { broken, golden, robots } from '../support/e2e-tracks.ts';
import { expect, test } from '../support/fixtures.ts';
import { enter, tabTo } from '../support/keyboard.ts';
import { bar, queueSheet } from '../support/player-page.ts';

test.use({ viewport: { width: 1440, height: 900 } });

const main = (page: Page) => page.getByRole('main');
const heading = (page: Page) => page.getByRole('heading', { level: 1 });

/** The first two keys on every page. */
async function skipToContent(page: Page): Promise<void> {
  await enter(page, page.getByRole('link', { name: 'Skip to content' }));
  await expect(main(page)).toBeFocused();
}

test('an administrator saves a mix, keeps a title and closes a dialog with the keyboard alone', async ({
  page,
  signIn,
}) => {
  await signIn('admin');
  await page.goto('/admin');
  await expect(heading(page)).toBeVisible();
  await skipToContent(page);
  const menu = page.getByRole('navigation', { name: 'Admin' });
  await enter(page, menu.getByRole('link', { name: 'Mixes', exact: true }));
  await enter(page, page.getByRole('link', { name: `Edit ${broken.title}` }));
  await expect(heading(page)).toHaveText('Edit mix');
  await tabTo(page, page.getByRole('textbox', { name: 'Description' }));
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('Scratched.');
  const save = page.getByRole('button', { name: 'Save changes' });
  await enter(page, save);
  await expect(page.getByText('Mix saved', { exact: true })).toBeVisible();
  await expect(save).toBeFocused();

  await page.goto('/admin/track-management');
  const rename = page.getByRole('button', { name: `Rename ${broken.title}` });
  await rename.press('Enter');
  await expect(page.getByRole('textbox', { name: `Title of ${broken.title}` })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(rename).toBeFocused();

  await page.goto('/admin/subscribers');
  await tabTo(page, page.getByRole('searchbox', { name: 'Search by name or e-mail' }));
  await page.keyboard.type('free');
  const list = page.getByRole('list', { name: 'Members' });
  await enter(page, list.getByRole('link', { name: /\bfree\b/ }).first());
  await expect(heading(page)).toHaveText('free');
  const grant = main(page).getByRole('button', { name: 'Grant access' });
  await enter(page, grant);
  const dialog = page.getByRole('dialog', { name: 'Grant access' });
  await tabTo(page, dialog.getByLabel('Reason'));
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(grant).toBeFocused();
});

test('a listener plays a mix, and reorders the queue, removes a row and undoes it, with the keyboard alone', async ({
  page,
  signIn,
}) => {
  await signIn('premium');
  await page.goto('/library');
  await expect(heading(page)).toHaveText('Library');
  await skipToContent(page);
  const row = page.getByRole('button', { name: new RegExp(`^(Play|Pause): ${golden.title}$`) });
  await enter(page, row);
  await expect(bar(page).getByRole('link')).toHaveText(golden.title);
  await page.keyboard.press('q');
  const sheet = queueSheet(page);
  const rows = sheet.getByRole('listitem');
  await expect(rows.nth(3)).toContainText(robots.title);

  await tabTo(page, sheet.getByRole('button', { name: `Move ${robots.title}`, exact: true }));
  for (const key of ['Space', 'ArrowUp', 'Space']) await page.keyboard.press(key);
  await expect(rows.nth(2)).toContainText(robots.title);
  await enter(page, sheet.getByRole('button', { name: `Remove ${broken.title} from the queue` }));
  await expect(rows.filter({ hasText: broken.title })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible();
  await page.keyboard.press('ControlOrMeta+z');
  await expect(rows.nth(3)).toContainText(broken.title);
  await page.keyboard.press('Escape');
  await expect(sheet).toBeHidden();
  await expect(row).toBeFocused();
});

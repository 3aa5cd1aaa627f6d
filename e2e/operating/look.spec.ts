import { expect, signInTo, test } from '../support/own-server.ts';

const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 10"><script>alert(1)</script><path d="M0 0h30v10z"/></svg>';

test('an operator gives the site a look and sees it before it is saved', async ({
  page,
  context,
  ownServer: { origin },
}) => {
  await signInTo(context, origin, 'admin');
  await page.goto(`${origin}/admin/settings`);
  const bar = page.getByRole('group', { name: 'Unsaved changes' });
  const save = bar.getByRole('button', { name: 'Save' });
  const logo = page.getByRole('group', { name: 'Logo', exact: true });
  const file = page.getByLabel('Logo: file');
  const png = { name: 'logo.png', mimeType: 'image/png' };
  await file.setInputFiles({ ...png, buffer: Buffer.alloc(13 * 1024 * 1024) });
  await expect(logo).toContainText('This file has 13 MB. Use one of at most 12 MB.');
  await file.setInputFiles({ ...png, mimeType: 'application/pdf', buffer: Buffer.from('%PDF') });
  await expect(logo).toContainText('This file isn’t a picture.');
  await file.setInputFiles({
    name: 'logo.svg',
    mimeType: 'image/svg+xml',
    buffer: Buffer.from(LOGO),
  });
  await expect(logo).toContainText('We left out what a logo can’t have: a script.');

  await page.getByLabel('Site name').fill('Deep Sunday');
  await page.getByRole('textbox', { name: 'Headline', exact: true }).fill('Slow Sundays');
  const lead = page.getByLabel('Text under the headline');
  await lead.fill('x'.repeat(300));
  await expect(page.getByText('Use at most 240 characters: these are 300.')).toBeVisible();
  await save.click();
  await expect(lead).toBeFocused();
  await lead.fill('From a roof in Woodstock.');
  await page.getByLabel('Seasons').selectOption('north');
  await page.getByRole('button', { name: 'Add a link' }).click();
  await page.keyboard.type('SoundCloud');
  await page.keyboard.press('Tab');
  await page.keyboard.type('soundcloud.com/deep-sunday');
  await expect(bar).toContainText('Site name: Weekender → Deep Sunday, Logo changed,');
  for (const theme of ['dark', 'light']) {
    const preview = page.frameLocator(`iframe[title="Preview, ${theme} theme"]`);
    await expect(preview.locator('.site-logo')).toBeVisible();
    await expect(preview.getByText('Slow Sundays')).toBeVisible();
    await expect(preview.getByText('From a roof in Woodstock.')).toBeVisible();
  }
  const sidebar = page.getByRole('complementary', { name: 'Sidebar' });
  await expect(sidebar.locator('.site-logo')).toBeHidden();

  await save.click();
  await expect(page.getByText('Settings saved', { exact: true })).toBeVisible();
  await expect(sidebar.locator('.site-logo')).toBeVisible();
  const own = await sidebar.locator('.site-logo').boundingBox();
  const rail = await sidebar.boundingBox();
  expect((own?.x ?? 0) + (own?.width ?? 0)).toBeLessThanOrEqual(
    (rail?.x ?? 0) + (rail?.width ?? 0),
  );
  await page.goto(`${origin}/landing`);
  await expect(page.getByRole('heading', { level: 1, name: 'Slow Sundays' })).toBeVisible();
  await expect(page.getByText('From a roof in Woodstock.')).toBeVisible();
  await expect(page).toHaveTitle(/Deep Sunday/);
  await page.goto(`${origin}/about`);
  await expect(page.getByRole('link', { name: 'SoundCloud' })).toHaveAttribute(
    'href',
    'https://soundcloud.com/deep-sunday',
  );
});

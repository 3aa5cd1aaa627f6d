import { addMix, expect, signInTo, test } from '../support/own-server.ts';

test('an administrator adds a guest DJ to a mix, who gets a page with a text and links', async ({
  page,
  context,
  ownServer,
}) => {
  const { origin } = ownServer;
  addMix(ownServer, { id: 'one', title: 'Pool Lights', week: 45, genre: 'Gqom' });
  await signInTo(context, origin, 'admin');
  await page.setViewportSize({ width: 390, height: 844 });

  await page.goto(`${origin}/admin/tracks/edit/one`);
  await page.getByRole('button', { name: 'Add a guest DJ' }).click();
  await expect(page.getByRole('combobox', { name: 'Artist' })).toBeFocused();
  await page.keyboard.type('Zola <7>');
  await page.getByRole('button', { name: 'Add another artist' }).press('Enter');
  await expect(page.getByRole('combobox', { name: 'Artist 2' })).toBeFocused();
  await page.keyboard.type('Ama');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Mix saved').first()).toBeVisible();

  await page.goto(`${origin}/track/one`);
  await page.getByRole('main').getByRole('link', { name: 'Zola <7>' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Zola <7>' })).toBeVisible();
  await expect(page).toHaveTitle(/Zola <7>/);
  await expect(page.getByRole('link', { name: 'Pool Lights' })).toBeVisible();
  // Without a picture the page has the colours of the mixes.
  const head = page.getByRole('main').locator('header');
  await expect(head.locator('.sleeve')).toHaveAttribute('data-week', '45');

  await page.getByRole('link', { name: 'Edit artist' }).click();
  await page.getByRole('textbox', { name: 'About' }).fill('Plays late.');
  await page.getByRole('textbox', { name: 'Links' }).fill('javascript:alert(1)');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Enter a full address')).toBeVisible();
  await page.getByRole('textbox', { name: 'Links' }).fill('https://example.com/zola');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Artist saved').first()).toBeVisible();
  await page.getByRole('link', { name: 'Open the public page' }).click();
  await expect(page.getByText('Plays late.')).toBeVisible();
  await expect(page.getByRole('link', { name: /^example\.com\/zola/ })).toHaveAttribute(
    'href',
    'https://example.com/zola',
  );
});

import { expect, newAccount, subscribe, test } from '../support/fixtures.ts';

const PHONE = { width: 390, height: 844 };

test('a free member gets the public feed, and a subscriber a private one to open in an app', async ({
  page,
  context,
  registerByApi,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const account = newAccount();
  await registerByApi(account);
  await page.setViewportSize(PHONE);
  await page.goto('/settings');
  const section = page.getByRole('region', { name: 'Podcast app', exact: true });
  await expect(section.getByText(/\/feed\.xml$/)).toBeVisible();
  await expect(section.getByText('Data saver feed')).toHaveCount(0);
  await expect(section.getByRole('link', { name: 'Premium' })).toHaveAttribute('href', '/pricing');

  subscribe(account);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.reload();
  await section.getByRole('button', { name: 'Get my address' }).click();
  const address = section.getByText(/\/feed\/[\w-]{43}$/);
  await expect(address).toBeVisible();
  const url = (await address.textContent()) ?? '';
  await section.getByRole('button', { name: 'Copy address' }).first().click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(url);
  const apps = section.getByRole('list', { name: 'Podcast app: open in' });
  await expect(apps.getByRole('link', { name: 'Overcast' })).toHaveAttribute(
    'href',
    `overcast://x-callback-url/add?url=${encodeURIComponent(url)}`,
  );
  await section.getByRole('button', { name: 'Show QR code' }).first().click();
  await expect(page.getByRole('img', { name: 'QR code of your podcast address' })).toBeVisible();
  await page.keyboard.press('Escape');

  const feed = await page.request.get(url);
  await expect(section.getByText(`${url}/data-saver`)).toBeVisible();
  const small = await page.request.get(`${url}/data-saver`);
  expect(await small.text()).toContain('/saver/');
  expect(await feed.text()).toContain('<podcast:locked>yes</podcast:locked>');
  await section.getByRole('button', { name: 'Renew…' }).click();
  const question = page.getByRole('dialog', { name: 'Renew your address?' });
  await question.getByRole('button', { name: 'Renew address' }).click();
  await expect(address).not.toHaveText(url);
  expect((await page.request.get(url)).status()).toBe(410);
  const opened = await page.goto((await address.textContent()) ?? '');
  expect(opened?.headers()['content-type']).toContain('text/html');
  await expect(page.getByRole('link', { name: 'Open in Apple Podcasts' })).toBeVisible();
});

test('an operator turns off the feed of a member', async ({
  page,
  origin,
  registerByApi,
  signIn,
}) => {
  const account = newAccount();
  await registerByApi(account);
  subscribe(account);
  const created = await page.request.post('/api/me/podcast-feed', { headers: { origin } });
  const { own } = (await created.json()) as { own: { url: string } };
  const me = await page.request.get('/api/auth/me');
  const { id } = (await me.json()) as { id: string };
  expect((await page.request.get(own.url)).status()).toBe(200);

  await signIn('admin');
  await page.setViewportSize(PHONE);
  await page.goto(`/admin/subscribers/${id}`);
  const section = page.getByRole('region', { name: 'Podcast feed' });
  await section.getByRole('button', { name: 'Turn off podcast feed' }).click();
  const question = page.getByRole('dialog', { name: 'Turn off podcast feed' });
  await question.getByRole('button', { name: 'Turn off' }).click();
  await expect(section).toBeHidden();
  await expect(page.getByText('turned off the podcast feed of')).toBeVisible();
  expect((await page.request.get(own.url)).status()).toBe(410);
});

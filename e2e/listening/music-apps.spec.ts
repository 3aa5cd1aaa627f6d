import { expect, newAccount, test } from '../support/fixtures.ts';

test('a member gives a music app a password of its own, and takes it away again', async ({
  page,
  origin,
  registerByApi,
  problems,
}) => {
  problems.expect(/403 .*\/api\/me\/app-passwords$/);
  const account = newAccount();
  await registerByApi(account);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/settings');
  const section = page.getByRole('region', { name: 'Music apps', exact: true });
  await section.getByRole('button', { name: 'Add an app…' }).click();
  await section.getByLabel('Name').fill('Symfonium on my phone');
  await section.getByRole('button', { name: 'Create password' }).click();
  const question = page.getByRole('dialog', { name: 'Enter your password' });
  await question.getByLabel('Password', { exact: true }).fill(account.password);
  await question.getByRole('button', { name: 'Continue' }).click();
  const shown = section.getByRole('region', { name: 'Enter this in your app' });
  await expect(shown).toContainText(origin);
  await expect(shown).toContainText(account.username);
  const password = (await shown.getByText(/^\w{5}(?:-\w{5}){3}$/).textContent()) ?? '';

  const ping = async () => {
    const params = { u: account.username, p: password, v: '1.16.1', c: 'Symfonium', f: 'json' };
    const response = await page.request.get('/rest/ping.view', { params });
    return ((await response.json()) as { 'subsonic-response': { status: string } })[
      'subsonic-response'
    ].status;
  };
  expect(await ping()).toBe('ok');
  await shown.getByRole('button', { name: 'Done' }).press('Enter');
  const addButton = section.getByRole('button', { name: 'Add an app…' });
  await expect(addButton).toBeFocused();
  await page.reload();
  await expect(section).not.toContainText(password);
  const apps = section.getByRole('list', { name: 'Music apps' });
  await expect(apps).toContainText(/last used on .* by Symfonium/);
  await apps.getByRole('button', { name: 'Remove Symfonium on my phone' }).press('Enter');
  await expect(apps).toBeHidden();
  await expect(addButton).toBeFocused();
  expect(await ping()).toBe('failed');
});

import { newAccount } from '../support/fixtures.ts';
import { expect, signInTo, test } from '../support/own-server.ts';

test('a visitor reads the terms and registers; an administrator changes them, and the member is told once', async ({
  page,
  ownServer: { origin },
  browser,
  problems,
}) => {
  const account = newAccount();
  const main = page.getByRole('main');
  await test.step('the footer leads to the terms, without a login', async () => {
    await page.goto(`${origin}/top-20`);
    await page
      .getByRole('contentinfo')
      .getByRole('navigation', { name: 'Legal' })
      .getByRole('link', { name: 'Terms' })
      .click();
    await expect(main.getByRole('heading', { level: 1, name: 'Terms' })).toBeVisible();
    await expect(main).toContainText(/Version of \d+ \w+ \d{4}/);
    await expect(main.getByRole('heading', { level: 2, name: 'Cancelling' })).toBeVisible();
    await main.getByRole('link', { name: 'refund policy' }).click();
    await expect(main.getByRole('heading', { level: 1, name: 'Refund Policy' })).toBeVisible();
  });

  await test.step('registering accepts them', async () => {
    await page.goto(`${origin}/register`);
    await expect(main.getByRole('link', { name: 'Privacy Policy' })).toBeVisible();
    await expect(main).toContainText('By creating an account you agree to the Terms');
    await main.getByLabel(/^username/i).fill(account.username);
    await main.getByLabel(/^e-mail/i).fill(account.email);
    await main.getByLabel('Password', { exact: true }).fill(account.password);
    await main.getByRole('button', { name: 'Create account' }).click();
    await expect(page.getByRole('button', { name: 'My Account' })).toBeVisible();
  });

  await test.step('an administrator previews and publishes another text', async () => {
    const context = await browser.newContext();
    await signInTo(context, origin, 'admin');
    const admin = await context.newPage();
    problems.watch(admin);
    await admin.goto(`${origin}/admin/legal`);
    const form = admin.getByRole('main');
    await expect(form.getByRole('alert')).toContainText('Have a lawyer read this');
    const text = '## New rules\n\n**{siteName}** <img src=x onerror=alert(1)>';
    await form.getByRole('textbox', { name: 'Text' }).fill(text);
    await form.getByRole('button', { name: 'Preview' }).click();
    const preview = form.getByRole('region', { name: 'Preview' });
    await expect(preview.getByRole('heading', { name: 'New rules' })).toBeVisible();
    await expect(preview).toContainText('Weekender <img src=x onerror=alert(1)>');
    await form.getByRole('button', { name: 'Publish new version' }).click();
    await expect(form.getByRole('region', { name: 'Versions' })).toContainText('Version 2');
    await context.close();
  });

  await test.step('the member sees the change once, and both versions', async () => {
    await page.reload();
    const note = page.getByRole('region', { name: 'Changed terms' });
    await expect(note).toContainText(/Our terms changed on \d+ \w+ \d{4}/);
    await note.getByRole('link', { name: 'terms' }).click();
    await expect(main.getByRole('heading', { name: 'New rules' })).toBeVisible();
    await note.getByRole('button', { name: 'Got it' }).click();
    await expect(note).toBeHidden();
    await main.getByRole('region', { name: 'Other versions' }).getByRole('link').click();
    await expect(main).toContainText('no longer in force');
    await expect(main.getByRole('heading', { name: 'Cancelling' })).toBeVisible();
    await page.reload();
    await expect(main).toContainText('no longer in force');
    await expect(note).toBeHidden();
  });
});

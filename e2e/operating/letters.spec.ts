import { golden } from '../support/e2e-tracks.ts';
import { DEMO_PASSWORD, expect, newAccount, readLink, test } from '../support/fixtures.ts';

test('a letter is written, seen in both themes, sent, read by everyone, and unsubscribed from', async ({
  page,
  api,
  openAs,
  registerByApi,
  problems,
}) => {
  // Sending asks for the password first.
  problems.expect(/403 .*\/send$/);
  const reader = newAccount();
  await registerByApi(reader);
  const admin = await api('admin');
  await page.goto(await readLink(admin, reader.email, 'confirm-email'));
  await page.getByRole('button', { name: 'Confirm my e-mail address' }).click();
  await expect(page.getByText(`${reader.email} is confirmed.`)).toBeVisible();
  await page.goto('/settings');
  const news = page.getByRole('switch', { name: 'Product news' });
  await news.click();
  await expect(news).toBeChecked();

  const desk = await openAs('admin');
  await desk.goto('/admin/letters');
  await desk.getByRole('button', { name: 'Write a letter' }).click();
  const subject = `We play Cape Town ${reader.username.slice(-8)}`;
  await desk.getByLabel('Subject').fill(subject);
  await desk.getByLabel('Text', { exact: true }).first().fill('See you **there**.');
  await desk.getByRole('button', { name: 'Choose a mix' }).click();
  await desk.getByRole('searchbox', { name: 'Search mixes' }).fill(golden.title);
  await desk.getByRole('button', { name: new RegExp(golden.title) }).click();
  await desk.getByLabel('Who can read it on the site').selectOption('everyone');
  const letter = desk.frameLocator('iframe');
  await expect(letter.getByText('See you there.', { exact: true })).toBeVisible();
  await expect(letter.getByRole('heading', { name: golden.title })).toBeVisible();
  const ground = () =>
    letter.locator('body').evaluate((body) => getComputedStyle(body).backgroundColor);
  const light = await ground();
  await desk.getByRole('radio', { name: 'Dark' }).check();
  await expect.poll(ground).not.toBe(light);
  await desk.getByRole('button', { name: 'Save draft' }).click();
  await expect(desk.getByRole('button', { name: 'Saved' })).toBeVisible();

  await desk.getByRole('button', { name: /^Send to \d+ members?$/ }).click();
  const dialog = desk.getByRole('dialog', { name: 'Send this letter' });
  await dialog.getByRole('button', { name: /^Send to \d+ members?$/ }).click();
  const question = desk.getByRole('dialog', { name: 'Enter your password' });
  await question.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD);
  await question.getByRole('button', { name: 'Continue' }).click();
  await expect(desk.getByText('Sent', { exact: true }).first()).toBeVisible();
  await expect(desk.getByText(/, to \d+ members?$/)).toBeVisible();

  const path = await readLink(admin, reader.email, 'letters');
  const unsubscribe = await readLink(admin, reader.email, 'api/unsubscribe');
  const visitor = await openAs('visitor');
  await visitor.goto(path);
  await expect(visitor.getByRole('heading', { level: 1, name: subject })).toBeVisible();
  await expect(visitor.getByText('See you there.', { exact: true })).toBeVisible();
  await expect(visitor.getByRole('link', { name: golden.title }).first()).toBeVisible();

  await visitor.goto(unsubscribe);
  await visitor.getByRole('button', { name: 'Unsubscribe' }).click();
  await expect(
    visitor.getByText('You won’t get letters with product news any more.'),
  ).toBeVisible();
  await page.reload();
  await expect(news).not.toBeChecked();
  await desk.reload();
  await expect(desk.getByText(/1 unsubscribed$/)).toBeVisible();
});

import { randomUUID } from 'node:crypto';
import { DEMO_PASSWORD, expect, test } from '../support/fixtures.ts';

test('an administrator imports members from a file, sees every line first, and gets them back as CSV', async ({
  page,
  context,
  origin,
  problems,
}) => {
  problems.expect(/403 .*\/start$/);
  // A login of its own: the others share one, which may have entered the password.
  const data = { username: 'admin', password: DEMO_PASSWORD };
  await context.request.post('/api/auth/login', { data, headers: { origin } });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/admin/subscribers');
  await page.getByRole('link', { name: 'Import members' }).click();

  const name = `Zola${randomUUID().slice(0, 8)}`;
  const lines = [
    'Who,Contact,Ends,Note',
    `${name},${name}@example.com,2099-05-03,Met in Durban`,
    `Again,${name}@example.com,,`,
    'Broken,nobody,,',
  ];
  await page.getByLabel('CSV file').setInputFiles({
    name: 'friends.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(lines.join('\n')),
  });
  await expect(page.getByText('3 lines from an unknown program')).toBeVisible();
  await page.getByText('3 columns that aren’t imported').click();
  const who = page.getByRole('combobox', { name: 'What “Who” contains' });
  await who.focus();
  await Promise.all([
    page.waitForResponse(/\/api\/admin\/member-imports\?.*roles=/),
    who.selectOption('Name'),
  ]);
  await expect(who).toHaveValue('name');
  await expect(who, 'The row stays where it is').toBeFocused();
  await page.getByRole('combobox', { name: 'What “Ends” contains' }).selectOption('Paid until');
  const list = page.getByRole('list', { name: 'Lines of the file' });
  await expect(list.getByRole('listitem').nth(0)).toContainText('Paid until 3 May 2099');
  await expect(list.getByRole('listitem').nth(1)).toContainText('Same address as line 2.');
  await expect(list.getByRole('listitem').nth(2)).toContainText('This isn’t an e-mail address.');

  await page.getByRole('button', { name: 'Import 1 member' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import 1 member?' });
  await expect(dialog).toContainText('1 account will be created with access.');
  await expect(dialog).toContainText('Not imported: “Note”. Keep the file if you need them.');
  await dialog.getByRole('button', { name: 'Import 1 member' }).click();
  const question = page.getByRole('dialog', { name: 'Enter your password' });
  await question.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD);
  await question.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('1 member imported')).toBeVisible();

  await page.getByRole('link', { name: `${name}@example.com` }).click();
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  await page.goto('/admin/subscribers');
  await page.getByRole('searchbox', { name: 'Search by name or e-mail' }).fill(name);
  await expect(page.getByRole('list', { name: 'Members' })).toContainText('E-mail not confirmed');
  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: 'CSV' }).click();
  expect((await downloading).suggestedFilename()).toMatch(/Members - .*\.csv$/);
});

import type { Page } from '@playwright/test';
import { expect } from '../support/fixtures.ts';
import { addMix, signInTo, test } from '../support/own-server.ts';
import { inBar } from '../support/player-page.ts';

test.use({ serviceWorkers: 'allow' });

const listSaved = (page: Page): Promise<string[]> =>
  page.evaluate(async () => (await caches.keys()).filter((name) => name.startsWith('saved:')));

test('an administrator takes a mix down while a member hears it and has it saved, and puts it back', async ({
  page,
  context,
  browser,
  problems,
  ownServer,
}) => {
  problems.expect(/404|Error playing track|Failed to load/);
  const { origin } = ownServer;
  const title = 'Borrowed Light';
  addMix(ownServer, { title });
  await signInTo(context, origin, 'premium');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${origin}/track/mix`);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await page.getByRole('button', { name: 'Download', exact: true }).click();
  const saving = page.getByRole('dialog', { name: 'Download' });
  await saving.getByRole('button', { name: 'Save offline' }).click();
  await expect(saving.getByRole('button', { name: 'Remove' })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('main').getByRole('button', { name: 'Play', exact: true }).click();
  await expect(inBar(page, 'Pause').first()).toBeVisible();
  expect(await listSaved(page)).toHaveLength(1);

  const office = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await signInTo(office, origin, 'admin');
  const admin = await office.newPage();
  await admin.goto(`${origin}/admin/tracks/edit/mix`);
  await admin.getByRole('button', { name: 'Take down' }).click();
  const form = admin.getByRole('dialog', { name: `Take down “${title}”` });
  await expect(form).toContainText(
    'At once nobody but staff finds, hears or downloads it any more',
  );
  await form.getByLabel('Who complained').fill('Relay Records');
  await form.getByLabel('What the complaint is about').fill('Track 3 is ours.');
  await form.getByLabel('Their e-mail address').fill('rights@relay.example');
  await form.getByRole('button', { name: 'Take down' }).click();
  await expect(admin.getByRole('alert')).toContainText('Relay Records complained.');
  await expect(admin.getByText('Taken down', { exact: true })).toBeVisible();
  const release = admin.getByRole('group', { name: 'Release' });
  await expect(
    admin.getByText('It can’t be released until an administrator puts it back.'),
  ).toBeVisible();
  await expect(release).toBeHidden();

  // The open page hears of it, and so does the copy that was saved.
  await expect(page.getByRole('heading', { name: 'Mix not found' })).toBeVisible();
  await expect.poll(() => listSaved(page)).toEqual([]);

  await page.goto(`${origin}/copyright`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Copyright complaints');
  await expect(page.getByRole('heading', { name: 'What happens then' })).toBeVisible();

  await admin.goto(`${origin}/admin/rights/take-downs`);
  const cases = admin.getByRole('list', { name: 'Complaints' }).getByRole('listitem');
  await expect(cases).toContainText('Track 3 is ours.');
  await cases.getByRole('link', { name: title }).click();
  await admin.getByRole('button', { name: 'Put back' }).click();
  const back = admin.getByRole('dialog', { name: 'Put back' });
  await expect(back).toContainText('Nobody gets another e-mail about it.');
  await back.getByLabel('Why').fill('They licensed it.');
  await back.getByRole('button', { name: 'Put back' }).click();
  await expect(admin.getByRole('button', { name: 'Take down' })).toBeVisible();
  await expect(release).toBeVisible();
  await admin.goto(`${origin}/admin/rights/take-downs`);
  await expect(cases).toContainText('They licensed it.');
  await office.close();

  await page.goto(`${origin}/track/mix`);
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
});

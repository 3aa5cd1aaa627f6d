import { copyFileSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, signInTo, test, type OwnServer } from '../support/own-server.ts';
import { writeToneWav } from '#server/testing/tone-wav.ts';

const TONE = join(import.meta.dirname, '../../server/ports/media/testing/fixtures/tone.mp3');

const CHAPTERS = [
  { at: 0, artist: 'Relay Room', title: 'Substation' },
  { at: 45, artist: 'Kasi Voltage', title: 'Umlazi Siren' },
];

const addMix = ({ dataDir, withDatabase }: OwnServer) =>
  withDatabase((database) => {
    mkdirSync(join(dataDir, 'files', 'tracks'), { recursive: true });
    database.exec(`insert into tracks (id, title, year, week, description, genre, duration_ms, chapters,
        status, progress, is_subscriber_only, publish_at, play_count, created_at, updated_at)
      values ('one', 'Pool Lights', 2026, 45, '', 'Gqom', 60000, '${JSON.stringify(CHAPTERS)}', 'ready',
        100, 0, 0, 0, 0, 0)`);
    for (const name of ['stream', 'preview']) {
      const key = `tracks/one-${name}.mp3`;
      copyFileSync(TONE, join(dataDir, 'files', key));
      database.exec(`insert into renditions (track_id, name, key, size, media_type)
        values ('one', '${name}', '${key}', ${statSync(TONE).size}, 'audio/mpeg')`);
    }
  });

const question = (page: Page) => page.getByRole('dialog', { name: 'Leave without saving?' });
const answer = (page: Page, name: string) => question(page).getByRole('button', { name }).click();
const title = (page: Page) => page.getByRole('textbox', { name: 'Title', exact: true });
const menuEntry = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Admin' }).getByRole('link', { name, exact: true });
const kept = (page: Page) => page.getByText('You have changes here that you haven’t saved.');

const logOut = (page: Page) => page.getByRole('button', { name: 'Logout' }).click();

test.setTimeout(180_000);

test('what isn’t saved isn’t lost by a click, Back, a reload or a crash', async ({
  page,
  context,
  ownServer,
}) => {
  const { origin } = ownServer;
  addMix(ownServer);
  await signInTo(context, origin, 'admin');
  const path = '/admin/tracks/edit/one';
  await page.goto(origin + path);
  await expect(title(page)).toHaveValue('Pool Lights');

  // Nothing was typed: nobody asks.
  await menuEntry(page, 'Prices').click();
  await expect(page).not.toHaveURL(new RegExp(path));
  await page.goBack();
  await expect(title(page)).toHaveValue('Pool Lights');

  await title(page).fill('Pool Lights at Dawn');
  await menuEntry(page, 'Members').click();
  await answer(page, 'Keep editing');
  await expect(question(page)).toBeHidden();
  await expect(page).toHaveURL(origin + path);
  await page.goBack();
  await answer(page, 'Keep editing');
  await expect(question(page)).toBeHidden();
  await expect(title(page)).toHaveValue('Pool Lights at Dawn');

  const reload = page.waitForEvent('dialog');
  const reloading = page.reload();
  const dialog = await reload;
  expect(dialog.type()).toBe('beforeunload');
  await dialog.accept();
  await reloading;
  await expect(kept(page)).toBeVisible();
  await expect(title(page)).toHaveValue('Pool Lights');
  await page.getByRole('button', { name: 'Restore them' }).click();
  await expect(title(page)).toHaveValue('Pool Lights at Dawn');

  // A tab that crashes asks nothing.
  const other = await context.newPage();
  await page.close({ runBeforeUnload: false });
  await other.goto(origin + path);
  // Typing elsewhere first neither hides nor overwrites what is offered.
  const description = other.getByRole('textbox', { name: 'Description' });
  await description.fill('From the roof.');
  await expect(kept(other)).toBeVisible();
  const again = other.waitForEvent('dialog');
  const reloadingOther = other.reload();
  await (await again).accept();
  await reloadingOther;
  await other.getByRole('button', { name: 'Restore them' }).click();
  await expect(title(other)).toHaveValue('Pool Lights at Dawn');
  await expect(title(other)).toBeFocused();
  await expect(description).toHaveValue('From the roof.');
  await title(other).fill('Pool Lights at Noon');
  await other.getByRole('button', { name: 'Save changes' }).click();
  await expect(other.getByText('Mix saved').first()).toBeVisible();
  await other.reload();
  await expect(title(other)).toHaveValue('Pool Lights at Noon');
  await expect(kept(other)).toBeHidden();

  // Left on purpose, it is gone; Back then leads to the page before.
  await menuEntry(other, 'Seller, VAT and legal').click();
  await other.getByRole('link', { name: 'Legal pages' }).click();
  await other.getByRole('textbox', { name: 'Text' }).fill('Be kind.');
  await other.getByRole('navigation', { name: 'Legal page' }).getByRole('link').nth(1).click();
  await answer(other, 'Leave without saving');
  await expect(other).toHaveURL(/page=/);
  await menuEntry(other, 'Prices').click();
  await expect(other).toHaveURL(/\/admin\/prices/);
  await expect(other.getByRole('heading', { name: 'Prices', exact: true })).toBeVisible();
  const setting = other.getByLabel('Annual price (R)');
  await expect(setting).toHaveValue(/./);
  const saved = await setting.inputValue();
  await setting.fill('987');
  await other.goBack();
  await answer(other, 'Leave without saving');
  await expect(other).toHaveURL(/legal\?page=/);
  await menuEntry(other, 'Prices').click();
  await expect(other).toHaveURL(/\/admin\/prices/);
  await expect(setting).toHaveValue(saved);
  await expect(kept(other)).toBeHidden();

  // Logging out asks too, leads Home and leaves nothing on this device.
  await setting.fill('987');
  const drafts = () =>
    other.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('draft:')));
  await expect.poll(drafts).toHaveLength(1);
  await other.evaluate(() => {
    const draft = { at: Date.now(), form: { text: 'a' }, before: { text: 'b' } };
    localStorage.setItem('draft:someone:legal/terms', JSON.stringify(draft));
  });
  await logOut(other);
  await answer(other, 'Keep editing');
  await expect(setting).toHaveValue('987');
  await logOut(other);
  await answer(other, 'Leave without saving');
  await expect(other).toHaveURL(`${origin}/`);
  expect(await drafts()).toEqual([]);
});

test('new audio doesn’t disturb an edit, and a pasted list is read or named line by line', async ({
  page,
  context,
  ownServer,
}) => {
  const { origin } = ownServer;
  addMix(ownServer);
  await signInTo(context, origin, 'admin');
  await page.goto(`${origin}/admin/tracks/edit/one`);
  await title(page).fill('Pool Lights (Short)');
  await page.getByLabel('Audio file').setInputFiles({
    name: 'notes.wav',
    mimeType: 'audio/wav',
    buffer: Buffer.from('These are notes, not music.'),
  });
  await expect(
    page.getByRole('alert').filter({ hasText: 'Listeners still hear the current audio.' }),
  ).toBeVisible();
  await page.getByLabel('Audio file').setInputFiles({
    name: 'short.wav',
    mimeType: 'audio/wav',
    buffer: writeToneWav({ seconds: 30, loudFrom: 0 }),
  });
  await expect(page.getByText('“Umlazi Siren” starts after the mix ends at 0:30.')).toBeVisible({
    timeout: 120_000,
  });
  await expect(page.getByText('Listeners still hear the current audio.')).toBeHidden();
  await expect(page.getByText('Someone else edited this mix')).toBeHidden();
  await expect(title(page)).toHaveValue('Pool Lights (Short)');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Mix saved').first()).toBeVisible();
  const served = await context.request.get(`${origin}/api/tracks/one`);
  expect(await served.json()).toMatchObject({
    title: 'Pool Lights (Short)',
    duration: 30,
    chapters: [{ at: 0 }, { at: null, title: 'Umlazi Siren' }],
  });

  const tracklist = page.getByRole('textbox', { name: 'Tracklist' });
  await tracklist.fill('');
  await tracklist.evaluate((field: HTMLTextAreaElement) => {
    const data = new DataTransfer();
    data.setData(
      'text',
      'Tracklist Friday Lights\n\n• 0:00 Relay Room - Substation\n15.30 Thandi M - Ndlela\n• 0:20 Kasi Voltage - Umlazi Siren\nhttps://example.com/friday',
    );
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
  });
  await expect(
    page.getByText('Line 1 looks like a heading: “Tracklist Friday Lights”.'),
  ).toBeVisible();
  await expect(page.getByText('Line 6 is a link, not a track.')).toBeVisible();
  await expect(page.getByLabel('What the tracklist says').getByRole('listitem')).toHaveCount(2);
  await page.getByRole('button', { name: 'Save changes' }).click();
  const unread = 'begins like a time, which is written as 12:30.';
  await expect(page.getByText(`Line 2 ${unread}`).first()).toBeVisible();
  await tracklist.fill((await tracklist.inputValue()).replace('15.30', '0:15'));
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect
    .poll(async () => {
      const saved = await context.request.get(`${origin}/api/tracks/one`);
      return ((await saved.json()) as { chapters: { title: string }[] }).chapters.map(
        ({ title: name }) => name,
      );
    })
    .toEqual(['Substation', 'Ndlela', 'Umlazi Siren']);
});

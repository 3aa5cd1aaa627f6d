import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { golden } from '../support/e2e-tracks.ts';
import { expect, test } from '../support/fixtures.ts';

const TONE = join(import.meta.dirname, '../../server/ports/media/testing/fixtures/tone.mp3');
const NAME = /^Weekender - Week \d+ \d{4} - Golden Hour Pressure\.mp3$/;

/** Decoded by the browser, like a player does. */
const countSeconds = (page: Page, bytes: Buffer): Promise<number> =>
  page.evaluate(
    async (numbers) => {
      const audio = await new OfflineAudioContext(1, 1, 44_100).decodeAudioData(
        new Uint8Array(numbers).buffer,
      );
      return audio.duration;
    },
    [...bytes],
  );

test('a subscriber downloads a mix, finds it in the list and downloads it again', async ({
  page,
  signIn,
}) => {
  await signIn('premium');
  await page.goto(`/track/${golden.id}`);
  await page.getByRole('button', { name: 'Download', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Download' });
  await expect(dialog.getByRole('button', { name: /^FLAC/ })).toBeVisible();
  const arriving = page.waitForEvent('download');
  await dialog.getByRole('button', { name: /^MP3/ }).click();
  const download = await arriving;
  expect(download.suggestedFilename()).toMatch(NAME);
  const bytes = await readFile(await download.path());
  expect(bytes.equals(await readFile(TONE))).toBe(true);
  expect(await countSeconds(page, bytes)).toBeGreaterThan(0.5);
  await expect(page.getByText('Download started', { exact: true })).toBeVisible();
  await expect(dialog).toBeHidden();

  await page.goto('/downloads');
  const list = page.getByRole('list', { name: 'Downloads' });
  await expect(list.getByRole('link', { name: golden.title }).last()).toBeVisible();
  await expect(list.getByText(/^MP3 .*KB · /)).toBeVisible();
  const again = page.waitForEvent('download');
  await list.getByRole('button', { name: `Download MP3 again: ${golden.title}` }).click();
  expect((await again).suggestedFilename()).toMatch(NAME);
});

test('a free user who clicks Download is offered Premium', async ({ page, signIn }) => {
  await signIn('free');
  await page.goto('/');
  const download = page.getByRole('button', { name: 'Download', exact: true });
  await download.click();
  const offer = page.getByRole('dialog', { name: 'Unlock Premium Downloads' });
  await expect(offer.getByText('Unlimited downloads of all tracks')).toBeVisible();
  await offer.getByRole('button', { name: 'Maybe Later' }).click();
  await expect(offer).toBeHidden();
  await expect(download).toBeFocused();
  await page.goto('/downloads');
  await expect(page.getByRole('heading', { name: 'Downloads come with Premium' })).toBeVisible();
});

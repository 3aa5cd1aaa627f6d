import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { clipFilePath } from '#contract/clips.ts';
import { atBothWidths } from '../support/both-widths.ts';
import { golden } from '../support/e2e-tracks.ts';
import { expect, test } from '../support/fixtures.ts';
import { expectSound, soundTime, watchSound } from '../support/sound.ts';

const PHONE = { width: 390, height: 844 };

/** A site of somebody else that shows the video, and plays it if this browser can. */
async function playElsewhere(page: Page, origin: string, id: string): Promise<void> {
  const address = (file: 'square' | 'audio') => origin + clipFilePath(id, file);
  const blog = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end(`<!doctype html><title>Blog</title>
      <video src="${address('square')}"></video><audio src="${address('audio')}"></audio>`);
  }).listen(0, '127.0.0.1');
  await once(blog, 'listening');
  try {
    await page.goto(`http://localhost:${(blog.address() as AddressInfo).port}/`);
    const played = await page.evaluate(async () => {
      const playable = [...document.querySelectorAll('video, audio')].filter(
        (media) =>
          media instanceof HTMLAudioElement ||
          (media as HTMLVideoElement).canPlayType('video/mp4; codecs="avc1.4d401f,mp4a.40.2"'),
      ) as HTMLMediaElement[];
      for (const media of playable) {
        media.muted = true;
        await media.play();
      }
      return playable.map(({ duration, localName }) => [localName, Math.round(duration)]);
    });
    expect(played).toContainEqual(['audio', 4]);
    for (const [, seconds] of played) expect(seconds).toBe(4);
  } finally {
    blog.close();
  }
}

test('a clip is marked by a subscriber, heard by strangers and removed by the operator', async ({
  page,
  context,
  origin,
  signIn,
  openAs,
  problems,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await watchSound(page);
  await signIn('premium');
  await page.goto(`/track/${golden.id}`);
  await page.getByRole('button', { name: 'Play from Candle Math' }).click();
  await expect.poll(() => soundTime(page)).toBeGreaterThan(45);
  const mark = page.getByLabel('Waveform').getByRole('button', { name: 'Clip' });
  await atBothWidths(page, () => expect(mark).toBeVisible());
  await mark.click();
  const dialog = page.getByRole('dialog', { name: 'Share' });
  /** Behind the dialog. */
  const heardInPlayer = async () =>
    Number(
      await page
        .getByRole('slider', { name: 'Seek', includeHidden: true })
        .first()
        .getAttribute('aria-valuenow'),
    );
  // The seconds that have just played.
  await expect(dialog.getByText(/^20 seconds, from 0:2\d to 0:4\d$/)).toBeVisible();

  // By keyboard: the start takes the clip along, the other handle is its length.
  const start = dialog.getByRole('slider', { name: 'Start of the clip' });
  await start.press('Home');
  await start.press('PageUp');
  await start.press('ArrowRight');
  const length = dialog.getByRole('slider', { name: 'Length of the clip' });
  for (let pressed = 0; pressed < 2; pressed += 1) await length.press('PageDown');
  await expect(dialog.getByText('3 seconds, from 0:11 to 0:14')).toBeVisible();
  await length.press('ArrowRight');
  await expect(dialog.getByText('4 seconds, from 0:11 to 0:15')).toBeVisible();
  await expect(dialog.getByText('These seconds are public already.')).toBeVisible();
  await dialog.getByLabel('Start', { exact: true }).fill('0:29');
  await expect(dialog.getByText('4 seconds, from 0:29 to 0:33')).toBeVisible();
  await expect(dialog.getByText('57 seconds are left after this clip.')).toBeVisible();
  await dialog.getByLabel('Start', { exact: true }).fill('0:11');
  await dialog.getByLabel('End', { exact: true }).press('Tab');

  await dialog.getByRole('button', { name: 'Listen' }).click();
  await expect.poll(() => soundTime(page)).toBeLessThan(15);
  await expect(dialog.getByRole('button', { name: 'Stop' })).toBeVisible();
  // It stops behind the last second by itself, and the player keeps its place.
  await expect(dialog.getByRole('button', { name: 'Listen' })).toBeVisible();
  expect(await soundTime(page)).toBeNull();
  expect(await heardInPlayer()).toBeGreaterThan(45);

  await dialog.getByRole('button', { name: 'Make the clip' }).click();
  await expect(dialog.getByText(/^Being made/)).toBeVisible();
  // It waits without its dialog.
  await dialog.getByRole('button', { name: 'Close' }).click();
  await mark.click();
  await expect(dialog.getByRole('link', { name: /^Upright video/ })).toBeVisible();
  await dialog.getByRole('button', { name: 'Copy link' }).click();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const [, id = ''] = /\/clip\/([a-z0-9]+)$/.exec(link) ?? [];

  const stranger = await openAs('visitor', { viewport: PHONE });
  await watchSound(stranger);
  await stranger.goto(link);
  await expect(stranger.getByRole('heading', { name: golden.title })).toBeVisible();
  await expect(stranger.getByText('4 seconds, from 0:11')).toBeVisible();
  await expect(stranger.getByText('Now: Substation Intro, Relay Room')).toBeVisible();
  await expect(stranger.getByText(/About 0\.1 MB of data/)).toBeVisible();
  const hear = stranger.getByRole('button', { name: 'Play 4 seconds' });
  await atBothWidths(stranger, () => expect(hear).toBeInViewport({ ratio: 1 }));
  await hear.click();
  await expectSound(stranger);
  const second = encodeURIComponent(`/track/${golden.id}?t=11`);
  await expect(stranger.getByRole('heading', { name: 'Hear the other 56 seconds' })).toBeVisible();
  await expect(stranger.getByRole('link', { name: 'Log in', exact: true })).toHaveAttribute(
    'href',
    `/login?next=${second}`,
  );
  await playElsewhere(stranger, origin, id);

  const free = await openAs('free', { viewport: PHONE });
  await free.goto(link);
  const upgrade = free.getByRole('main').getByRole('link', { name: 'Upgrade to Premium' });
  await atBothWidths(free, () => expect(upgrade).toBeVisible());
  await free.goto(`/track/${golden.id}`);
  await expect(free.getByLabel('Waveform')).toBeVisible();
  await atBothWidths(free, () => expect(free.getByRole('button', { name: 'Clip' })).toBeHidden());

  const admin = await openAs('admin');
  await admin.goto('/admin/clips');
  const row = admin.getByRole('listitem').filter({ hasText: golden.title });
  await expect(row).toContainText('0:11 to 0:15, 4 seconds. Made by premium');
  await expect(row).toContainText('0 of 60 seconds used');
  await row.getByRole('button', { name: 'Remove' }).click();
  await admin.getByRole('dialog').getByRole('button', { name: 'Remove the clip' }).click();
  await expect(row).toContainText('Removed');
  problems.expect(/\/clips?\//);
  await stranger.goto(link);
  await expect(stranger.getByRole('heading', { name: 'Clip not found' })).toBeVisible();
});

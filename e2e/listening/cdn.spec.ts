import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { addMix, expect, signInTo, test, type OwnServer } from '../support/own-server.ts';
import { inBar, seekBar } from '../support/player-page.ts';
import { writeToneWav } from '../support/tone-wav.ts';

/** The server by its other name: another origin, as a CDN is. */
const cdnOf = (origin: string) => origin.replace('127.0.0.1', 'localhost');

test.use({
  serviceWorkers: 'allow',
  settings: async ({}, use) => use((origin) => ({ CDN_URL: cdnOf(origin) })),
});

const TITLE = 'Long Way Round';
/** With 19 MB, more than a browser loads at once. */
const SECONDS = 1200;

/** A mix that is long enough to be loaded in ranges, with a file to keep. */
function addLongMix(server: OwnServer) {
  addMix(server, { title: TITLE });
  const sound = writeToneWav(SECONDS, 2);
  for (const file of ['mix-stream.mp3', 'mix-kept.mp3'])
    writeFileSync(join(server.dataDir, 'files', 'tracks', file), sound);
  server.withDatabase((database) => {
    database.prepare('update tracks set duration_ms = ?').run(SECONDS * 1000);
    database.prepare("delete from renditions where name = 'stream'").run();
    for (const [name, file, mediaType] of [
      ['stream', 'mix-stream.mp3', 'audio/wav'],
      ['mp3', 'mix-kept.mp3', 'audio/mpeg'],
    ] as const)
      database
        .prepare(
          "insert into renditions (track_id, name, key, size, media_type) values ('mix', ?, ?, ?, ?)",
        )
        .run(name, `tracks/${file}`, sound.length, mediaType);
  });
}

const readPosition = async (page: Page) =>
  Number(await seekBar(page).getAttribute('aria-valuenow'));

const play = (page: Page) =>
  page.getByRole('main').getByRole('button', { name: 'Play', exact: true }).click();

test('a mix plays, is saved in the app and downloads by the CDN, under its name', async ({
  page,
  context,
  ownServer,
}) => {
  const { origin } = ownServer;
  addLongMix(ownServer);
  await signInTo(context, origin, 'premium');
  const fromCdn: string[] = [];
  context.on('response', (response) => {
    const { origin: host, pathname } = new URL(response.url());
    if (host === cdnOf(origin)) fromCdn.push(`${response.status()} ${pathname.split('/')[4]}`);
  });
  await page.goto(`${origin}/track/mix`);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await play(page);
  await expect(inBar(page, 'Pause')).toBeVisible();
  await expect.poll(() => readPosition(page)).toBeGreaterThan(0);
  expect(fromCdn).toContain('206 stream');

  await page.getByRole('button', { name: 'Download', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Download' });
  await dialog.getByRole('button', { name: 'Save offline' }).click();
  await expect(dialog.getByRole('button', { name: 'Remove' })).toBeVisible();
  // Not by its download event, which this browser doesn't always send for another origin's file.
  const asking = page.waitForRequest(/\/save\.mp3$/);
  await dialog.getByRole('button', { name: /MP3/ }).click();
  const address = (await asking).url();
  expect(new URL(address).origin).toBe(cdnOf(origin));
  const file = await page.request.head(address);
  expect([file.status(), file.headers()['content-disposition']]).toEqual([
    200,
    expect.stringMatching(/^attachment;.*Weekender - Week 40 \d{4} - Long Way Round\.mp3/),
  ]);
});

test('playback goes on at the same second when its address has ended', async ({
  page,
  context,
  ownServer,
  problems,
}) => {
  problems.expect(/403|Error playing track/);
  const { origin } = ownServer;
  addLongMix(ownServer);
  await signInTo(context, origin, 'premium');
  await page.goto(`${origin}/track/mix`);
  await play(page);
  await expect.poll(() => readPosition(page)).toBeGreaterThan(0);
  // As after a long pause: the next range that the browser asks for at the address is refused.
  const ended: string[] = [];
  await context.route(`${cdnOf(origin)}/**`, async (route) => {
    if (ended.length > 0) return route.continue();
    ended.push(route.request().url());
    return route.fulfill({ status: 403, json: { code: 'forbidden', message: 'It has ended.' } });
  });
  const { width, height } = (await seekBar(page).boundingBox()) ?? { width: 0, height: 0 };
  await seekBar(page).click({ position: { x: width * 0.7, y: height / 2 } });
  await expect.poll(() => ended.length).toBe(1);
  const position = await readPosition(page);
  expect(position).toBeGreaterThan(SECONDS / 2);
  await expect.poll(() => readPosition(page)).toBeGreaterThan(position);
  await expect(inBar(page, 'Pause')).toBeVisible();
});

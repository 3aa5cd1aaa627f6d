import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, signInTo, test, type OwnServer } from '../support/own-server.ts';
import { currentTitle, inBar } from '../support/player-page.ts';
import {
  expectLoaded,
  expectSilence,
  expectSound,
  soundFile,
  watchSound,
} from '../support/sound.ts';
import { writeToneWav } from '../support/tone-wav.ts';

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

/** So long that it doesn't end during the test, however slow the machine is. */
const SECONDS = 120;
const TONE = writeToneWav(SECONDS);

const addMixes = ({ dataDir, withDatabase }: OwnServer, titles: Record<string, string>): void =>
  withDatabase((database) => {
    mkdirSync(join(dataDir, 'files', 'tracks'), { recursive: true });
    for (const [index, [id, title]] of Object.entries(titles).entries()) {
      database.exec(`insert into tracks (id, title, year, week, description, duration_ms, chapters,
          status, progress, is_subscriber_only, publish_at, play_count, created_at, updated_at)
        values ('${id}', '${title}', 2026, ${40 - index}, '', ${SECONDS * 1000}, '[]', 'ready', 100, 0, 0, 0, 0, 0)`);
      for (const kind of ['stream', 'preview']) {
        const key = `tracks/${id}-${kind}.wav`;
        writeFileSync(join(dataDir, 'files', key), TONE);
        database.exec(`insert into renditions (track_id, name, key, size, media_type)
          values ('${id}', '${kind}', '${key}', ${TONE.length}, 'audio/wav')`);
      }
    }
  });

const note = (page: Page) => page.getByRole('status').filter({ hasText: /We can’t|Many people/ });
const favorite = (page: Page) => inBar(page, 'Favorite');

test('while the server is away the mix plays on, the page says what doesn’t work, and both recover', async ({
  page,
  context,
  ownServer,
  problems,
}) => {
  const { origin, kill, restart } = ownServer;
  problems.expect(/ERR_CONNECTION|ERR_INCOMPLETE|ERR_EMPTY|Failed to load resource|503/);
  problems.expect(/^console: (Error playing|Could not start|Could not re)/);
  problems.expect(/^console: Couldn’t load the favorite status/);
  // The code of the cast button loads when something plays, so the server may be gone by then.
  problems.expect(/^console: TypeError: Failed to fetch dynamically imported module/);
  addMixes(ownServer, { first: 'First mix', second: 'Second mix', third: 'Third mix' });
  await signInTo(context, origin, 'premium');
  await watchSound(page);
  await page.goto(`${origin}/`);
  const heading = page.getByRole('heading', { level: 1 });
  await expect(heading).toHaveText('First mix');
  await page.getByRole('main').getByRole('button', { name: 'Play', exact: true }).click();
  await expectSound(page);
  await expectLoaded(page);
  await expect(favorite(page)).toBeVisible();
  const before = await heading.boundingBox();

  await test.step('the server is killed', async () => {
    await kill();
    await favorite(page).click();
    await expect(note(page)).toContainText(
      'We can’t reach Weekender right now. What’s playing goes on; we’ll keep trying.',
    );
    expect(await heading.boundingBox(), 'Nothing moves').toEqual(before);
    await expectSound(page);
    // The file of the next mix may have been loaded before. That of the one after it can't be, so
    // the player waits for the server.
    await page.keyboard.press('n');
    await currentTitle(page, 'Second mix');
    await page.keyboard.press('n');
    await currentTitle(page, 'Third mix');
    await expectSilence(page);
    await expect(note(page)).toContainText('right now. We’ll keep trying.');
  });

  await test.step('the server is back', async () => {
    await restart();
    await expect(note(page)).toHaveCount(0);
    await expectSound(page);
    expect(await soundFile(page)).toContain('/third/');
  });

  await test.step('the server can’t save anything', async () => {
    let refused = 0;
    await page.route('**/favorite', (route) => {
      if (route.request().method() === 'GET') return route.continue();
      refused += 1;
      return route.fulfill({
        status: 503,
        headers: { 'retry-after': '1' },
        json: { code: 'unavailable', message: 'Part of this site isn’t responding right now.' },
      });
    });
    await favorite(page).click();
    await expect(note(page)).toContainText('We can’t save favorites, playlists');
    await expect.poll(() => refused, { message: 'It is tried again' }).toBe(2);
    await expectSound(page);
    await page.unroute('**/favorite');
    await expect(note(page)).toHaveCount(0);
    await favorite(page).click();
    await expect(favorite(page)).toHaveAttribute('aria-pressed', 'true');
    await expect(note(page)).toHaveCount(0);
  });
});

test('while too many people are there, a page waits and loads by itself', async ({
  page,
  ownServer,
  problems,
}) => {
  problems.expect(/Failed to load resource|503/);
  await page.goto(`${ownServer.origin}/pricing`);
  let refused = 0;
  await page.route('**/api/top-20', (route) => {
    // As often as the page asks by itself, and then once more.
    if (refused === 3) return route.continue();
    refused += 1;
    return route.fulfill({
      status: 503,
      headers: { 'retry-after': '1' },
      json: { code: 'unavailable', message: 'Too many people are here right now.' },
    });
  });
  await page.getByRole('link', { name: 'Top 20' }).first().click();
  await expect(note(page)).toContainText('Many people are here right now. We’ll keep trying.');
  await expect(page.getByRole('heading', { name: 'The chart is empty' })).toBeVisible();
  expect(refused).toBe(3);
  await expect(note(page)).toHaveCount(0);
});

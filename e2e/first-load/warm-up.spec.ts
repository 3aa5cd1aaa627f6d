import type { Page } from '@playwright/test';
import { golden, robots, short } from '../support/e2e-tracks.ts';
import { expect, test } from '../support/fixtures.ts';
import { bar, release } from '../support/player-page.ts';
import { expectSound, watchSound } from '../support/sound.ts';

test.use({ viewport: { width: 1440, height: 900 } });

const REST_MS = 200;

/** The tracks whose audio was requested, in order, each with its range. */
function recordAudio(page: Page): string[] {
  const requested: string[] = [];
  page.on('request', (request) => {
    const id = /\/media\/tracks\/([^/]+)\//.exec(request.url())?.[1];
    if (id) requested.push(`${id} ${request.headers().range}`);
  });
  return requested;
}

test('preloads the hovered track once, and nothing with data saver on', async ({
  page,
  context,
  signIn,
}) => {
  await signIn('premium');
  await watchSound(page);
  await page.clock.install();
  const requested = recordAudio(page);
  await page.goto('/');
  await expect(release(page, robots.title)).toBeVisible();
  await page.waitForLoadState('networkidle');
  expect(requested, 'Nobody has touched the page').toEqual([]);
  await page.mouse.move(5, 5);
  await expect.poll(() => requested, { message: 'The stage is ready' }).toHaveLength(1);
  await page.clock.pauseAt(Date.now() + 60_000);

  // A touch that starts a scroll there.
  await release(page, short.title).dispatchEvent('pointerover', { pointerType: 'touch' });
  await page.clock.runFor(REST_MS);
  await release(page, short.title).hover();
  await release(page, robots.title).hover();
  await page.clock.runFor(REST_MS);
  await expect.poll(() => requested.length).toBe(2);
  await page.clock.runFor(REST_MS);
  await page.clock.resume();
  await release(page, robots.title).click();
  await expectSound(page);
  await expect(bar(page).getByRole('link', { name: robots.title })).toBeVisible();
  const beginnings = requested.filter((entry) => entry.endsWith('bytes=0-'));
  expect(beginnings).toEqual([`${golden.id} bytes=0-`, `${robots.id} bytes=0-`]);
  await page.close();

  const saving = await context.newPage();
  await saving.addInitScript(() =>
    localStorage.setItem('player', JSON.stringify({ version: 1, isDataSaver: true })),
  );
  await watchSound(saving);
  await saving.clock.install();
  const requestedWithDataSaver = recordAudio(saving);
  await saving.goto('/');
  await expect(release(saving, robots.title)).toBeVisible();
  await release(saving, short.title).hover();
  await saving.clock.runFor(REST_MS);
  await release(saving, robots.title).click();
  await expectSound(saving);
  expect(requestedWithDataSaver[0]).toBe(`${robots.id} bytes=0-`);
});

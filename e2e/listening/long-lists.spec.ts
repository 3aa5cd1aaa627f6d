import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Locator, Page } from '@playwright/test';
import { expect, signInTo, test } from '../support/own-server.ts';
import { middleOf, slide, touch } from '../support/touch.ts';

/** Far more rows than are rendered at once. */
const MIXES = 150;
const WEEKS_A_YEAR = 50;
const MAX_RENDERED = 60;

const idOf = (number: number): string => `mix-${number}`;
const titleOf = (number: number): string => `Mix number ${number}`;
const KINDS = ['stream', 'preview'];
const NEWEST_FIRST = Array.from({ length: MIXES }, (_, index) => MIXES - index);

const TONE = join(import.meta.dirname, '../../server/ports/media/testing/fixtures/tone.mp3');

const fileOf = (number: number, kind: string): string => `tracks/${number}-${kind}.mp3`;

/** One file under many names, because the player preloads the focused row's track. */
function writeFiles(dataDir: string): void {
  const sound = readFileSync(TONE);
  mkdirSync(join(dataDir, 'files/tracks'), { recursive: true });
  for (const number of NEWEST_FIRST)
    for (const kind of KINDS) writeFileSync(join(dataDir, 'files', fileOf(number, kind)), sound);
}

function insertMixes(database: DatabaseSync): void {
  const insert = database.prepare(
    `insert into tracks (id, title, year, week, description, duration_ms, chapters, status, progress,
       is_subscriber_only, publish_at, play_count, created_at, updated_at)
     values (?, ?, ?, ?, '', 60000, '[]', 'ready', 100, 0, ?, 0, 0, 0)`,
  );
  const insertFile = database.prepare(
    "insert into renditions (track_id, name, key, size, media_type) values (?, ?, ?, ?, 'audio/mpeg')",
  );
  const { size } = statSync(TONE);
  for (const number of NEWEST_FIRST) {
    const year = 2015 + Math.floor((number - 1) / WEEKS_A_YEAR);
    const week = ((number - 1) % WEEKS_A_YEAR) + 1;
    insert.run(idOf(number), titleOf(number), year, week, Date.UTC(year, 0, 7 * week));
    for (const kind of KINDS) insertFile.run(idOf(number), kind, fileOf(number, kind), size);
  }
}

/** Keeps scrolling to the last rendered row, and collects every title in the order it appears. */
const scrollThrough = (page: Page, last: string) =>
  page.evaluate(async (lastTitle) => {
    const titles: string[] = [];
    let maxRendered = 0;
    while (!titles.includes(lastTitle)) {
      const rows = [...document.querySelectorAll('main li[aria-posinset]')];
      maxRendered = Math.max(maxRendered, rows.length);
      const names = rows.map((row) => {
        // The sleeve is a link as well, without text.
        const links = [...row.querySelectorAll('a[href^="/track/"]')];
        return links.find((link) => link.textContent)?.textContent ?? '';
      });
      // Rows that scroll into view are filled one after the other.
      if (!names.includes('')) {
        titles.push(...names.filter((name) => !titles.includes(name)));
        rows.at(-1)?.scrollIntoView({ block: 'center', behavior: 'instant' });
      }
      await new Promise(requestAnimationFrame);
    }
    return { titles, maxRendered };
  }, last);

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const ROW = 'main li[aria-posinset]';
test.use(PHONE);

test('a long list renders only the rows in view, and touch reorders a long playlist', async ({
  page,
  context,
  browser,
  ownServer,
}) => {
  const { origin, dataDir, withDatabase } = ownServer;
  writeFiles(dataDir);
  withDatabase(insertMixes);
  await signInTo(context, origin, 'premium');
  // Of its first page the server renders a screenful, with room for the others.
  const plain = await browser.newContext({ ...PHONE, javaScriptEnabled: false });
  await signInTo(plain, origin, 'premium');
  const plainPage = await plain.newPage();
  await plainPage.goto(`${origin}/library`);
  await expect(plainPage.locator(ROW)).toHaveCount(24);
  const box = await plainPage.locator(ROW).first().locator('..').boundingBox();
  expect(box?.height).toBe(50 * 65);
  await plain.close();

  // These rows stay on the page.
  await page.addInitScript(() => {
    document.addEventListener('DOMContentLoaded', () => {
      document.querySelector('main li[aria-posinset]')?.setAttribute('data-rendered', '');
    });
  });
  await page.goto(`${origin}/library`);
  await expect(page.locator(ROW).first()).toHaveAttribute('data-index', '0');
  await expect(page.locator(ROW).first()).toHaveAttribute('data-rendered', '');
  await expect(page.getByRole('link', { name: titleOf(MIXES) })).toBeVisible();
  await page.evaluate(() => window.scrollTo({ top: 0, behavior: 'instant' }));
  await expect(page.getByRole('link', { name: titleOf(MIXES) })).toBeInViewport();
  const { titles, maxRendered } = await scrollThrough(page, titleOf(1));
  expect(titles).toEqual(NEWEST_FIRST.map(titleOf));
  expect(maxRendered).toBeLessThan(MAX_RENDERED);

  // The focused row stays rendered, however far the page scrolls.
  const more = page.getByRole('button', { name: `More options for ${titleOf(1)}`, exact: true });
  await more.focus();
  await page.evaluate(() => window.scrollTo({ top: 0, behavior: 'instant' }));
  await expect(page.getByRole('link', { name: titleOf(MIXES) })).toBeInViewport();
  await expect(more).toBeFocused();
  await expect(page.getByRole('link', { name: titleOf(2), exact: true })).toHaveCount(0);

  const ask = async (path: string, data: object) => {
    const answer = await page.request.post(`${origin}/api/playlists${path}`, {
      data,
      headers: { origin },
    });
    expect(answer.ok(), await answer.text()).toBe(true);
    return (await answer.json()) as { id: string };
  };
  const { id } = await ask('', { name: 'Long road' });
  const trackIds = Array.from({ length: 100 }, (_, index) => idOf(index + 1));
  await ask(`/${id}/tracks`, { trackIds });
  await page.goto(`${origin}/playlist/${id}`);
  const list = page.getByRole('list', { name: 'Long road', exact: true });
  const handle = (number: number) =>
    page.getByRole('button', { name: `Move ${titleOf(number)}`, exact: true });
  const row = (number: number): Locator =>
    list.getByRole('listitem').filter({ has: handle(number) });
  const orderSaved = () =>
    page.waitForResponse((answer) => answer.url().endsWith('/order') && answer.ok());
  const client = await context.newCDPSession(page);

  // Wait until virtual rows have replaced the plain ones.
  await expect(row(1)).toHaveAttribute('data-index', '0');
  await handle(1).scrollIntoViewIfNeeded();
  const from = await middleOf(handle(1));
  const third = await middleOf(handle(3));
  const scrolledTo = await page.evaluate(() => window.scrollY);
  const moved = orderSaved();
  await slide(client, from, { x: from.x, y: third.y + 6 });
  expect(await page.evaluate(() => window.scrollY)).toBe(scrolledTo);
  await touch(client, 'touchEnd');
  await expect(row(1)).toHaveAttribute('aria-posinset', '3');
  await moved;

  // Dragging to the lower edge scrolls the page.
  const start = await middleOf(handle(2));
  const far = orderSaved();
  await slide(client, start, { x: start.x, y: 740 });
  await expect(handle(20)).toBeInViewport();
  await touch(client, 'touchEnd');
  await far;
  const reached = Number(await row(2).getAttribute('aria-posinset'));
  expect(reached).toBeGreaterThan(12);
  await page.reload();
  await expect(row(3)).toHaveAttribute('aria-posinset', '1');
  await expect(row(1)).toHaveAttribute('aria-posinset', '2');
  const saved = (await (await page.request.get(`${origin}/api/playlists/${id}`)).json()) as {
    tracks: { id: string }[];
  };
  expect(saved.tracks).toHaveLength(100);
  expect(saved.tracks[reached - 1]?.id).toBe(idOf(2));
});

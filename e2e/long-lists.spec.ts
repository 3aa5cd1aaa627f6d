import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { CDPSession, Locator, Page } from '@playwright/test';
import { expect, signInTo, test } from './own-server.ts';

/** Two years of weeks and more: far beyond what is drawn at once. */
const MIXES = 300;
const WEEKS_A_YEAR = 50;
/** Until the code for long lists is there, two pages stand whole. */
const MOST_DRAWN = 110;
const MOST_AT_REST = 60;

const idOf = (number: number): string => `mix-${number}`;
const titleOf = (number: number): string => `Mix number ${number}`;
const KINDS = ['stream', 'preview'];
const NEWEST_FIRST = Array.from({ length: MIXES }, (_, index) => MIXES - index);

const TONE = join(import.meta.dirname, '../server/ports/media/testing/fixtures/tone.mp3');

const fileOf = (number: number, kind: string): string => `tracks/${number}-${kind}.mp3`;

/** One file under many names: a row in use is fetched ahead. */
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

/** Scrolls on from the last row that is drawn, however fast that is, and notes every row when it first is. */
const scrollThrough = (page: Page, last: string) =>
  page.evaluate(async (lastTitle) => {
    const titles: string[] = [];
    let mostDrawn = 0;
    while (!titles.includes(lastTitle)) {
      const rows = [...document.querySelectorAll('main li[aria-posinset]')];
      mostDrawn = Math.max(mostDrawn, rows.length);
      for (const row of rows) {
        const title = row.querySelector('a[href^="/track/"]')?.textContent ?? '';
        if (!titles.includes(title)) titles.push(title);
      }
      rows.at(-1)?.scrollIntoView({ block: 'center', behavior: 'instant' });
      await new Promise(requestAnimationFrame);
    }
    return { titles, mostDrawn };
  }, last);

type Point = { x: number; y: number };

async function middleOf(target: Locator): Promise<Point> {
  const box = await target.boundingBox();
  if (!box) throw new Error('It is not in sight.');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** A real touch, as the browser gets it from a screen: it may also be taken for a scroll. */
async function touch(client: CDPSession, type: string, ...touchPoints: Point[]): Promise<void> {
  await client.send('Input.dispatchTouchEvent', {
    type: type as 'touchStart' | 'touchMove' | 'touchEnd',
    touchPoints,
  });
}

async function slide(client: CDPSession, from: Point, to: Point): Promise<void> {
  await touch(client, 'touchStart', from);
  for (let step = 1; step <= 6; step++) {
    const y = from.y + ((to.y - from.y) * step) / 6;
    await touch(client, 'touchMove', { x: from.x, y });
  }
}

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

test('a long list draws what is in sight, every row in its place; a finger puts a playlist in order', async ({
  page,
  context,
  ownServer,
}) => {
  const { origin, dataDir, withDatabase } = ownServer;
  writeFiles(dataDir);
  withDatabase(insertMixes);
  await signInTo(context, origin, 'premium');
  await page.goto(`${origin}/library`);
  await expect(page.getByRole('link', { name: titleOf(MIXES) })).toBeVisible();
  const { titles, mostDrawn } = await scrollThrough(page, titleOf(1));
  expect(titles).toEqual(NEWEST_FIRST.map(titleOf));
  expect(mostDrawn).toBeLessThan(MOST_DRAWN);
  expect(await page.locator('main li[aria-posinset]').count()).toBeLessThan(MOST_AT_REST);

  // What has the focus stays, however far the page is scrolled from it.
  const more = page.getByRole('button', { name: `More for ${titleOf(1)}`, exact: true });
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
  const place = (number: number): Locator =>
    list.getByRole('listitem').filter({ has: handle(number) });
  const settled = () =>
    page.waitForResponse((answer) => answer.url().endsWith('/order') && answer.ok());
  const client = await context.newCDPSession(page);

  // By then the code for long lists has drawn the rows anew.
  await expect(place(1)).toHaveAttribute('data-index', '0');
  await handle(1).scrollIntoViewIfNeeded();
  const from = await middleOf(handle(1));
  const third = await middleOf(handle(3));
  const scrolledTo = await page.evaluate(() => window.scrollY);
  const moved = settled();
  await slide(client, from, { x: from.x, y: third.y + 6 });
  expect(await page.evaluate(() => window.scrollY)).toBe(scrolledTo);
  await touch(client, 'touchEnd');
  await expect(place(1)).toHaveAttribute('aria-posinset', '3');
  await moved;

  // Held at the lower edge, the row takes the page along.
  const start = await middleOf(handle(2));
  const far = settled();
  await slide(client, start, { x: start.x, y: 740 });
  await expect(handle(20)).toBeInViewport();
  await touch(client, 'touchEnd');
  await far;
  const reached = Number(await place(2).getAttribute('aria-posinset'));
  expect(reached).toBeGreaterThan(12);
  await page.reload();
  await expect(place(3)).toHaveAttribute('aria-posinset', '1');
  await expect(place(1)).toHaveAttribute('aria-posinset', '2');
  const kept = (await (await page.request.get(`${origin}/api/playlists/${id}`)).json()) as {
    tracks: { id: string }[];
  };
  expect(kept.tracks).toHaveLength(100);
  expect(kept.tracks[reached - 1]?.id).toBe(idOf(2));
});

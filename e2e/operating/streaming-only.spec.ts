import { copyFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext, Page } from '@playwright/test';
import { formatDate } from '#contract/rules/format.ts';
import { dayOf } from '#contract/rules/days.ts';
import { DAY } from '#contract/rules/time.ts';
import { parseZoned } from '#contract/rules/zoned-time.ts';
import { atBothWidths } from '../support/both-widths.ts';
import { addMix, expect, signInTo, test, type OwnServer } from '../support/own-server.ts';

test.use({ serviceWorkers: 'allow' });

const TIME_ZONE = 'Africa/Johannesburg';

/** A mix with files to keep. */
function addMixWithFiles(server: OwnServer, id: string, title: string, week: number): void {
  addMix(server, { id, title, week });
  const stored = join(server.dataDir, 'files', 'tracks');
  const stream = join(stored, `${id}-stream.wav`);
  server.withDatabase((database) => {
    for (const kind of ['mp3', 'flac']) {
      const name = `${id}-kept.${kind}`;
      copyFileSync(stream, join(stored, name));
      database
        .prepare(
          'insert into renditions (track_id, name, key, size, media_type) values (?, ?, ?, ?, ?)',
        )
        .run(id, kind, `tracks/${name}`, statSync(stream).size, `audio/${kind}`);
    }
  });
}

const listSaved = (page: Page): Promise<number> =>
  page.evaluate(
    async () => (await caches.keys()).filter((name) => name.startsWith('saved:')).length,
  );

/** Of mails to the member, the newest first. */
async function readSubjects(context: BrowserContext, origin: string): Promise<string[]> {
  const outbox = await context.request.get(`${origin}/api/admin/outbox`);
  const { items } = (await outbox.json()) as { items: { to: string; subject: string }[] };
  return items.filter(({ to }) => to.startsWith('premium')).map(({ subject }) => subject);
}

/** What plans and the subscription say about files; no page is wider than its screen. */
async function expectPromises(page: Page, origin: string, has: RegExp[], hasNot: RegExp[]) {
  for (const path of ['/pricing', '/landing', '/subscription']) {
    await page.goto(origin + path);
    const main = page.getByRole('main');
    await expect(main.getByRole('heading', { level: 1 })).toBeVisible();
    if (path !== '/subscription')
      await expect(main.getByText('Exclusive subscriber-only tracks').first()).toBeVisible();
    await atBothWidths(page, async () => {
      for (const words of has) await expect(main.getByText(words).first(), path).toBeVisible();
      for (const words of hasNot) await expect(main.getByText(words), path).toHaveCount(0);
    });
  }
}

test('an operator ends files to keep step by step, and an open page of a subscriber follows at once', async ({
  page: desk,
  context: office,
  browser,
  ownServer,
  problems,
}) => {
  const { origin } = ownServer;
  problems.expect(/409 (?:PUT|\(Conflict\)) \/api\/admin\/file-ends$/);
  addMixWithFiles(ownServer, 'one', 'First Light', 40);
  addMixWithFiles(ownServer, 'two', 'Second Wind', 41);
  const home = await browser.newContext({ serviceWorkers: 'allow' });
  await signInTo(office, origin, 'admin');
  await signInTo(home, origin, 'premium');

  const mix = await home.newPage();
  await mix.goto(`${origin}/track/one`);
  await mix.waitForFunction(() => navigator.serviceWorker.controller !== null);
  const button = mix.getByRole('main').getByRole('button', { name: 'Download', exact: true });
  await button.first().click();
  const dialog = mix.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Save offline' }).click();
  await expect(dialog.getByRole('button', { name: 'Remove' })).toBeVisible();
  const downloading = mix.waitForEvent('download');
  await dialog.getByRole('button', { name: /FLAC/ }).click();
  await downloading;
  const list = await home.newPage();
  await list.goto(`${origin}/downloads`);
  const again = list.getByRole('button', { name: 'Download FLAC again: First Light' });
  await expect(again).toBeVisible();

  await test.step('lossless ends at once, which needs a reason', async () => {
    await desk.goto(`${origin}/admin/streaming`);
    await desk.getByLabel('Lossless downloads', { exact: true }).selectOption('Off at once');
    await desk.getByRole('button', { name: 'Save' }).click();
    await expect(desk.getByText(/Say why it can’t wait/).first()).toBeVisible();
    await desk.getByLabel('Why it can’t wait').fill('The licence is for MP3 alone.');
    await desk.getByRole('button', { name: 'Save' }).click();
    await expect(desk.getByText(/^\d members? (?:is|are) told by e-mail\.$/)).toBeVisible();
    await expect(again).toBeHidden();
    await expect(list.getByText(/FLAC no longer offered/)).toBeVisible();
    await expect(list.getByText('Lossless downloads have ended', { exact: true })).toBeVisible();
  });

  const endDay = dayOf(Date.now() + 30 * DAY, TIME_ZONE);
  const end = formatDate(parseZoned(`${endDay}T00:00`, TIME_ZONE) ?? 0, TIME_ZONE);

  await test.step('downloads end on a day, which is announced on open pages and by mail', async () => {
    await desk.getByLabel('Downloads', { exact: true }).selectOption('On until a day');
    await desk.getByLabel('Downloads: off from').fill(endDay);
    await desk.getByRole('button', { name: 'Save' }).click();
    await expect(list.getByText(`Downloads end on ${end}`)).toBeVisible();
    await expect
      .poll(() => readSubjects(office, origin))
      .toContainEqual(expect.stringMatching(`^Downloads end on ${end}`));
    const promise = new RegExp(`until ${end}|end on ${end}`);
    await expectPromises(list, origin, [promise], [/lossless/i]);
    await list.goto(`${origin}/downloads`);
  });

  await test.step('one mix can’t be downloaded, and the other can', async () => {
    await desk.goto(`${origin}/admin/tracks/edit/one`);
    await desk.getByRole('switch', { name: 'Downloads', exact: true }).click();
    await desk.getByRole('button', { name: 'Save' }).first().click();
    await expect(button).toHaveCount(0);
    await expect(
      mix.getByRole('main').getByRole('button', { name: 'Save offline' }).first(),
    ).toBeVisible();
    const other = await home.request.get(`${origin}/api/tracks/two`);
    expect(await other.json()).toMatchObject({ formats: ['mp3'] });
  });

  await test.step('saved copies go only when saving ends', async () => {
    expect(await listSaved(mix)).toBe(1);
    await desk.goto(`${origin}/admin/streaming`);
    await desk.getByLabel('Saving in the app', { exact: true }).selectOption('Off at once');
    await desk.getByLabel('Why it can’t wait').fill('No copies at all.');
    await desk.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => listSaved(mix)).toBe(0);
    await expect(
      mix.getByText(/can’t be saved offline any more|Saved mixes were removed/).first(),
    ).toBeVisible();
    await expect(mix.getByRole('main').getByRole('button', { name: 'Save offline' })).toHaveCount(
      0,
    );
    await expect(list.getByRole('region', { name: 'Saved offline' })).toHaveCount(0);
  });

  await test.step('a time that comes while pages are open changes them too', async () => {
    const answer = await office.request.get(`${origin}/api/admin/file-ends`);
    const { version, losslessEnd, savingEnd } = await answer.json();
    const ends = { downloadsEnd: Date.now() + 1500, losslessEnd, savingEnd };
    const data = { ...ends, version, reason: 'It is over.' };
    const saved = await office.request.put(`${origin}/api/admin/file-ends`, {
      data,
      headers: { origin },
    });
    expect(saved.status()).toBe(200);
    await expect(list.getByRole('heading', { name: 'Mixes are here to stream' })).toBeVisible();
    await expect(list.getByText('Downloads have ended', { exact: true })).toBeVisible();
    await expect(list.getByRole('link', { name: 'Downloaded' })).toHaveCount(0);
    await expectPromises(list, origin, [], [/download/i, /lossless/i, /offline/i]);
  });
  await home.close();
});

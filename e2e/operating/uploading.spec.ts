import type { Browser, Page } from '@playwright/test';
import { releaseTimeOf, suggestRelease } from '#contract/admin/release-time.ts';
import { formatZoned } from '#contract/rules/zoned-time.ts';
import { WAV_HEADER_BYTES, buildWavHeader } from '#server/ports/media/wav-header.ts';
import { expect, signInTo, test, type OwnServer } from '../support/own-server.ts';
import { HOUR } from '#contract/rules/time.ts';

const ZONE = 'Africa/Johannesburg';

/** Moves release times into the past, as if this much time had passed. */
const letPass = ({ withDatabase }: OwnServer, ms: number) =>
  withDatabase((database) =>
    database.prepare('update tracks set publish_at = publish_at - ?').run(ms),
  );

const RATE = 48_000;

/** Large enough for several parts, short enough to be processed quickly. */
function writeMaster(seconds: number): Buffer {
  const frames = seconds * RATE;
  const wav = Buffer.alloc(WAV_HEADER_BYTES + frames * 4);
  wav.set(buildWavHeader(frames * 4, { sampleRate: RATE }));
  for (let i = 0; i < frames; i++) {
    const sample = Math.round(9000 * Math.sin((2 * Math.PI * 220 * i) / RATE));
    wav.writeInt16LE(sample, 44 + i * 4);
    wav.writeInt16LE(sample, 46 + i * 4);
  }
  return wav;
}

async function openAs(browser: Browser, origin: string, username: string | null) {
  const context = await browser.newContext();
  if (username) await signInTo(context, origin, username);
  return context;
}

test.setTimeout(180_000);

test('an upload survives a killed server, becomes a mix, is scheduled, and is released to subscribers and then to everyone', async ({
  page,
  context,
  browser,
  ownServer,
  problems,
}) => {
  const { origin, kill, restart } = ownServer;
  problems.expect(/ERR_CONNECTION|ERR_INCOMPLETE|ERR_EMPTY|Failed to load resource/);
  await signInTo(context, origin, 'admin');
  const offsets: string[] = [];
  await page.route('**/api/admin/uploads/*', async (route) => {
    const request = route.request();
    const offset = request.headers()['upload-offset'];
    if (request.method() === 'PATCH' && offset) {
      offsets.push(offset);
      if (offsets.length === 2) await kill().then(restart);
    }
    await route.continue();
  });

  await page.goto(`${origin}/admin/upload`);
  const master = writeMaster(25);
  await page.getByLabel('Audio files').setInputFiles({
    name: 'wk47-thunder-at-four-master.wav',
    mimeType: 'audio/wav',
    buffer: master,
  });
  const row = page.getByRole('list', { name: 'Uploads' }).getByRole('listitem').first();
  await expect(row).toContainText('Thunder at Four');
  await expect(row.getByText('Draft', { exact: true })).toBeVisible({ timeout: 120_000 });
  // The bytes that arrived before the kill were not sent again.
  expect(offsets.filter((offset) => offset === '0')).toHaveLength(1);
  expect(offsets.length).toBeGreaterThanOrEqual(3);

  await row.getByRole('link', { name: 'Edit Thunder at Four' }).click();
  const main = page.getByRole('main');
  await expect(main.getByText('Only administrators can hear it now.')).toBeVisible();
  await main.getByRole('button', { name: 'Play preview' }).click();
  await expect(main.getByText(/^0:0\d of 0:20$/)).toBeVisible();
  await main.getByRole('button', { name: 'Stop' }).click();

  // The release is proposed for the mix's own week; another week is possible, with a warning.
  const at = Date.now() + 72 * HOUR;
  await page.getByRole('radio', { name: 'Schedule' }).check();
  const release = page.getByLabel('Release date');
  const year = Number(await page.getByLabel('Year').inputValue());
  const rhythm = { releaseDay: 4, releaseHour: 6, timeZone: ZONE };
  await expect(release).toHaveValue(suggestRelease({ year, week: 47 }, rhythm, Date.now()));
  await page.getByLabel('Year').fill(String(year + 1));
  await expect(release).toHaveValue(releaseTimeOf({ year: year + 1, week: 47 }, rhythm));
  await expect(main.getByText('Week 47 is')).toBeHidden();
  await release.fill(`${year + 1}-01-20T06:00`);
  await expect(main.getByText(/^Week 47 is .*, and this is in week \d+\.$/)).toBeVisible();
  await page.getByLabel('Year').fill(String(year));
  await release.fill('2020-01-01T06:00');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('This time has passed.')).toBeVisible();
  await page.getByLabel('Release date').fill(formatZoned(at, ZONE));
  await page.getByRole('textbox', { name: 'Tracklist' }).fill('12:75 nonsense');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Line 1 has an invalid time: 12:75.')).toBeVisible();
  await page.getByLabel('Import a tracklist file').setInputFiles({
    name: 'friday.m3u',
    mimeType: 'audio/x-mpegurl',
    buffer: Buffer.from(
      '#EXTM3U\n#EXTINF:9,Relay Room - Substation Intro\na.mp3\n#EXTINF:9,Log Drum\nb.mp3',
    ),
  });
  await expect(page.getByText('Read 2 tracks from friday.m3u (playlist).')).toBeVisible();
  await expect(page.getByText('2 tracks, 2 without a time')).toBeVisible();
  await expect(page.getByLabel('What the tracklist says').getByRole('listitem')).toHaveText([
    'Substation Intro Relay Room',
    'Log Drum',
  ]);
  await page.getByRole('button', { name: 'It starts now' }).click();
  const timing = page.getByRole('region', { name: 'Add the missing times' });
  await timing.locator('audio').evaluate((audio: HTMLAudioElement) => {
    audio.currentTime = 20;
    return audio.play();
  });
  await page.keyboard.press('t');
  await expect(page.getByRole('textbox', { name: 'Tracklist' })).toHaveValue(
    /^0:00 Relay Room - Substation Intro\n0:2\d Log Drum$/,
  );
  await expect(timing).toBeHidden();
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Mix saved', { exact: true })).toBeVisible();
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  const preview = await context.newPage();
  await preview.goto(`${origin}/track/${id}`);
  const stage = preview.getByRole('region', { name: 'Thunder at Four' });
  await expect(stage.getByText('Only administrators can see and hear it.')).toBeVisible();
  await expect(stage.getByText(/^Scheduled/).first()).toContainText('public on');
  await stage.getByRole('button', { name: 'Play', exact: true }).click();
  await expect(stage.getByRole('button', { name: 'Pause' })).toBeVisible();
  await preview.close();

  // Another administrator edits it too: the page says so, and keeps the input until the other version is loaded.
  await page.getByLabel('Title').fill('Thunder at Five');
  const path = `${origin}/api/admin/tracks/${id}`;
  const { version } = (await (await context.request.get(path)).json()) as { version: number };
  const other = { data: { version, genre: 'Gqom' }, headers: { origin } };
  expect((await context.request.patch(path, other)).status()).toBe(200);
  expect((await context.request.patch(path, other)).status()).toBe(409);
  await expect(
    page.getByText('Someone else edited this mix while you were working.'),
  ).toBeVisible();
  await expect(page.getByLabel('Title')).toHaveValue('Thunder at Five');
  await page.getByRole('button', { name: 'Load their version' }).click();
  await expect(page.getByLabel('Genre')).toHaveValue('Gqom');
  await expect(page.getByLabel('Title')).toHaveValue('Thunder at Four');

  const member = await openAs(browser, origin, 'premium');
  const visitor = await openAs(browser, origin, null);
  const answers = async () => [
    (await member.request.get(`${origin}/api/tracks/${id}`)).status(),
    (await visitor.request.get(`${origin}/api/tracks/${id}`)).status(),
  ];
  expect(await answers()).toEqual([404, 404]);
  for (const { request } of [member, visitor])
    for (const file of ['stream', 'preview'])
      expect((await request.get(`${origin}/media/tracks/${id}/${file}`)).status()).toBe(404);
  letPass(ownServer, 24 * HOUR + 60_000);
  expect(await answers()).toEqual([200, 404]);
  const memberPage = await member.newPage();
  await memberPage.goto(`${origin}/track/${id}`);
  await expect(memberPage.getByRole('heading', { level: 1 })).toContainText('Thunder at Four');
  letPass(ownServer, 48 * HOUR);
  const visitorPage = await visitor.newPage();
  await visitorPage.goto(origin);
  await expect(visitorPage.getByText('Thunder at Four').first()).toBeVisible();
  await visitor.close();
  await member.close();

  await page.goto(`${origin}/admin/track-management`);
  await page.getByLabel('Select Thunder at Four').check();
  await page.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('1 mix deleted', { exact: true })).toBeVisible();
  await expect(page.getByText('The catalogue is empty')).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('1 mix restored', { exact: true })).toBeVisible();
  await expect(page.getByLabel('Select Thunder at Four')).toBeVisible();
  await page.getByLabel('Select Thunder at Four').check();
  await page.getByRole('button', { name: 'Unpublish' }).click();
  await expect(page.getByText('1 mix unpublished', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('1 mix reverted', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Rename Thunder at Four' }).click();
  await page.getByRole('textbox', { name: 'Title of Thunder at Four' }).fill('Thunder at Noon');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Rename Thunder at Noon' })).toBeFocused();

  const plain = await browser.newContext({ javaScriptEnabled: false });
  await signInTo(plain, origin, 'admin');
  const basicPage = await plain.newPage();
  await basicPage.goto(`${origin}/admin/upload-old`);
  await basicPage.getByLabel('Title').fill('By hand');
  await basicPage
    .getByLabel('Audio file')
    .setInputFiles({ name: 'wk48.wav', mimeType: 'audio/wav', buffer: writeMaster(3) });
  await basicPage.getByRole('button', { name: 'Upload' }).click();
  await expect(basicPage.getByRole('heading', { name: 'Upload complete' })).toBeVisible();
  await plain.close();
  await expect(page.getByLabel('Select By hand')).toBeVisible({ timeout: 30_000 });

  const mixes = page.getByRole('list', { name: 'Mixes' });
  const tools = page.getByRole('toolbar', { name: 'Selected mixes' });
  const dialog = page.getByRole('dialog');
  // Ticking moves nothing: a second click hits the row that it was meant for.
  const measure = () =>
    mixes
      .getByRole('checkbox')
      .evaluateAll((boxes) =>
        boxes.map((box) => [
          box.getBoundingClientRect().x,
          box.getBoundingClientRect().y + scrollY,
        ]),
      );
  for (const width of [320, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    const before = await measure();
    await page.getByLabel('Select By hand').check();
    expect(await measure(), `at ${width} pixels`).toEqual(before);
    await page.getByLabel('Select By hand').uncheck();
  }
  await page.getByLabel('Select By hand').check();
  await tools.getByRole('button', { name: 'Schedule' }).click();
  await dialog.getByLabel('Release date').fill(formatZoned(at, ZONE));
  await dialog.getByRole('button', { name: 'Schedule' }).click();
  await expect(mixes.getByText(/^Scheduled · public on/)).toHaveCount(1);
  await page.getByLabel('Select all').check();
  await tools.getByRole('button', { name: 'Publish', exact: true }).click();
  await dialog.getByRole('button', { name: 'Publish now' }).click();
  await expect(mixes.getByText(/^Published /)).toHaveCount(2);
});

/** Like dragging files out of a folder. */
async function dropFiles(page: Page, files: readonly { name: string; bytes: Buffer }[]) {
  const texts = files.map(({ name, bytes }) => ({ name, text: bytes.toString('base64') }));
  const dataTransfer = await page.evaluateHandle((dropped) => {
    const transfer = new DataTransfer();
    for (const { name, text } of dropped) {
      const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
      transfer.items.add(new File([bytes], name, { type: 'audio/wav' }));
    }
    return transfer;
  }, texts);
  await page.getByText('Drop audio files here').dispatchEvent('drop', { dataTransfer });
}

const CUE = `FILE "first.wav" WAVE
TRACK 01 AUDIO
TITLE "Relay Room - Substation"
INDEX 01 00:00:00
TRACK 02 AUDIO
TITLE "Log Drum"
INDEX 01 00:02:00
TRACK 03 AUDIO`;

test('two of several dropped files upload at a time, and each can be paused, resumed or cancelled', async ({
  page,
  context,
  ownServer: { origin },
}) => {
  await signInTo(context, origin, 'admin');
  let letGo: () => void = () => undefined;
  const isLetGo = new Promise<void>((resolve) => (letGo = resolve));
  const started: string[] = [];
  const offsets: string[] = [];
  await page.route('**/api/admin/uploads/*', async (route) => {
    const offset = route.request().headers()['upload-offset'];
    if (route.request().method() === 'PATCH' && offset) {
      offsets.push(offset);
      if (offset !== '0') await isLetGo;
    }
    // The request was paused or cancelled meanwhile.
    await route.continue().catch(() => undefined);
  });
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/api/admin/uploads'))
      started.push(request.url());
  });
  await page.goto(`${origin}/admin/upload`);
  await dropFiles(page, [
    { name: 'wk01-first.wav', bytes: writeMaster(3) },
    { name: 'wk02-second.wav', bytes: writeMaster(4) },
    { name: 'wk03-third.wav', bytes: writeMaster(5) },
    { name: 'WK01-First.cue', bytes: Buffer.from(CUE) },
    { name: 'other.txt', bytes: Buffer.from('0:00 Nobody - Nothing') },
  ]);
  await expect(page.getByText('other.txt wasn’t used', { exact: true })).toBeVisible();
  const list = page.getByRole('list', { name: 'Uploads' });
  await expect.poll(() => offsets.filter((offset) => offset !== '0').length).toBe(2);
  expect(started).toHaveLength(2);

  // The tracklist with the name of a mix is checked before it is saved.
  await list.getByRole('button', { name: 'Check tracklist' }).click();
  const sheet = page.getByRole('dialog');
  await expect(sheet.getByText('Read 2 tracks from WK01-First.cue (cue sheet).')).toBeVisible();
  await expect(sheet.getByText('Line 8 is missing a TITLE.')).toBeVisible();
  await expect(sheet.getByLabel('What the tracklist says').getByRole('listitem')).toHaveText([
    '0:00Substation Relay Room',
    '0:02Log Drum',
  ]);
  await sheet.getByRole('button', { name: 'Save' }).click();
  await expect(list.getByText('WK01-First.cue isn’t saved yet.')).toBeHidden();

  await list.getByRole('button', { name: 'Pause First' }).click();
  await expect.poll(() => started.length).toBe(3);
  await list.getByRole('button', { name: 'Cancel Second' }).click();
  await expect(list.getByRole('button', { name: 'Cancel Second' })).toHaveCount(0);
  letGo();
  await list.getByRole('button', { name: 'Resume First' }).click();
  await expect(list.getByText('Draft', { exact: true })).toHaveCount(2, { timeout: 60_000 });
  await expect(list.getByRole('link', { name: 'Edit Third' })).toBeVisible();
  // The bytes that arrived before the pause were not sent again.
  expect(offsets.filter((offset) => offset === '0')).toHaveLength(3);
  await list.getByRole('link', { name: 'Edit First' }).click();
  await expect(page.getByRole('textbox', { name: 'Tracklist' })).toHaveValue(
    '0:00 Relay Room - Substation\n0:02 Log Drum',
  );
});

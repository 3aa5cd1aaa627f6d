import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Page } from '@playwright/test';
import { golden } from '../support/e2e-tracks.ts';
import { expect, newAccount, test, type Account } from '../support/fixtures.ts';
import { changeConnection, emulateConnection } from '../support/connection.ts';
import { bar, inBar } from '../support/player-page.ts';
import { formatMegabytes } from '#contract/rules/data-use.ts';
import { formatFileSize } from '#contract/rules/format.ts';
import { DAY } from '#contract/rules/time.ts';
import type { TrackDetail } from '#contract/tracks.ts';
import { CHUNK_BYTES } from '#web/offline/store/saved-file.ts';

test.use({ serviceWorkers: 'allow' });

/** As after a payment. */
function payFor({ username }: Account): void {
  const database = new DatabaseSync(process.env.E2E_DATABASE ?? '', { timeout: 10_000 });
  database
    .prepare('update users set paid_through = ? where username = ?')
    .run(Date.now() + 30 * DAY, username);
  database.close();
}

const waitForWorker = (page: Page) =>
  page.waitForFunction(() => navigator.serviceWorker.controller !== null);

const isReachable = (page: Page): Promise<boolean> =>
  page.evaluate(() =>
    fetch('/api/version').then(
      () => true,
      () => false,
    ),
  );

const listPrivateCaches = (page: Page): Promise<string[]> =>
  page.evaluate(async () => (await caches.keys()).filter((name) => /^(saved|api):/.test(name)));

/** As if the device had been offline until the lease expired. */
const expireLease = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const state = await caches.open('offline-state');
    const stored = await state.match('/offline/account');
    const account = (await stored?.json()) as { lease: { until: number } };
    account.lease.until = Date.now() - 1000;
    await state.put('/offline/account', Response.json(account));
  });

const readPosition = async (page: Page): Promise<number> =>
  Number(await bar(page).getByRole('slider', { name: 'Seek' }).getAttribute('aria-valuenow'));

test('a saved mix plays and seeks offline until its lease expires, and is deleted on logout', async ({
  page,
  context,
  problems,
  registerByApi,
}) => {
  problems.expect(/ERR_INTERNET_DISCONNECTED|Failed to load|Failed to fetch|Error playing track/);
  problems.expect(/Version check failed|health|net::ERR_FAILED/);
  // Home may still be loading when the user logs out.
  problems.expect(/401 GET \/(?:api\/history|media\/tracks\/[\w-]+\/stream)$/);
  const account = newAccount();
  await registerByApi(account);
  payFor(account);
  await page.goto(`/track/${golden.id}`);
  await waitForWorker(page);
  await page.getByRole('button', { name: 'Download', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Download' });
  await dialog.getByRole('button', { name: 'Save offline' }).click();
  await expect(dialog.getByRole('button', { name: 'Remove' })).toBeVisible();

  await context.setOffline(true);
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: golden.title })).toBeVisible();
  expect(await isReachable(page)).toBe(false);
  await page.getByRole('main').getByRole('button', { name: 'Play', exact: true }).click();
  await expect(inBar(page, 'Pause')).toBeVisible();
  await expect.poll(() => readPosition(page)).toBeGreaterThan(0);
  await page
    .getByRole('button', { name: /Candle Math/ })
    .first()
    .click();
  await expect.poll(() => readPosition(page)).toBeGreaterThan(45);

  await page.goto('/downloads');
  const saved = page.getByRole('region', { name: 'Saved offline' });
  await expect(saved.getByRole('link', { name: golden.title }).last()).toBeVisible();
  await expect(saved.getByText(/1 mix · .*Available offline until/)).toBeVisible();

  await expireLease(page);
  await saved.getByRole('button', { name: `Play: ${golden.title}` }).click();
  await expect(page.getByText('Can’t play this mix right now', { exact: true })).toBeVisible();
  await expect(page.getByText(/Your offline access has expired/).first()).toBeVisible();

  await context.setOffline(false);
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect((await listPrivateCaches(page)).length).toBeGreaterThan(1);
  await page.getByRole('button', { name: 'Logout' }).first().click();
  await expect(page.getByRole('link', { name: 'Login' }).first()).toBeVisible();
  await expect.poll(() => listPrivateCaches(page)).toEqual([]);
});

const listSavedCaches = (page: Page): Promise<string[]> =>
  page.evaluate(async () => (await caches.keys()).filter((name) => name.startsWith('saved:')));

test('a save goes on by itself after the browser was killed, and new mixes wait for Wi-Fi', async ({
  playwright,
  launchOptions,
  origin,
  context,
  registerByApi,
}) => {
  const account = newAccount();
  await registerByApi(account);
  payFor(account);
  const cookies = await context.cookies();
  const answer = await context.request.get(`/api/tracks/${golden.id}`);
  const { sizes } = (await answer.json()) as TrackDetail;
  const size = sizes.stream ?? 0;
  const profile = await mkdtemp(join(tmpdir(), 'e2e-profile-'));
  const open = async () => {
    const phone = await playwright.chromium.launchPersistentContext(profile, {
      ...launchOptions,
      baseURL: origin,
      serviceWorkers: 'allow',
    });
    // A browser writes new cookies down only after a while.
    await phone.addCookies(cookies);
    await emulateConnection(phone, { type: 'wifi', effectiveType: '4g' });
    return phone;
  };

  const before = await open();
  const page = before.pages()[0] ?? (await before.newPage());
  let partsAtCut = 0;
  await before.route(/\/media\/tracks\/golden-hour\/stream/, async (route) => {
    const range = await route.request().headerValue('range');
    // The second part never comes.
    if (range?.startsWith('bytes=0-')) await route.continue();
    else partsAtCut += 1;
  });
  await page.goto(`/track/${golden.id}`);
  await waitForWorker(page);
  await page.getByRole('button', { name: 'Download', exact: true }).click();
  await page.getByRole('button', { name: 'Save offline' }).click();
  await expect(
    page.getByRole('progressbar', { name: `Saving ${golden.title} offline` }),
  ).toHaveAttribute('aria-valuenow', String(Math.floor((CHUNK_BYTES / size) * 100)));
  await expect.poll(() => partsAtCut).toBeGreaterThan(0);
  const browser = before.browser();
  const killed = new Promise((resolve) => browser?.once('disconnected', resolve));
  const session = await browser?.newBrowserCDPSession();
  // No code of the page runs any more, as when the power goes.
  void session?.send('Browser.crash').catch(() => undefined);
  await killed;
  expect(browser?.isConnected()).toBe(false);

  const after = await open();
  const next = after.pages()[0] ?? (await after.newPage());
  const parts = new Set<string>();
  after.on('request', (request) => {
    const { range } = request.headers();
    if (range !== undefined) parts.add(range);
  });
  await next.goto('/downloads');
  const saved = next.getByRole('region', { name: 'Saved offline' });
  await expect(saved.getByText(`1 mix · ${formatFileSize(size)}`)).toBeVisible();
  // What came before isn’t loaded again.
  expect([...parts][0]).toMatch(new RegExp(`^bytes=${CHUNK_BYTES}-`));
  expect([...parts].filter((range) => range.startsWith('bytes=0-'))).toEqual([]);

  await saved.getByRole('button', { name: `Remove from this browser: ${golden.title}` }).click();
  await expect(saved).toHaveCount(0);
  await next.goto('/settings');
  const playback = next.getByRole('region', { name: 'Listening', exact: true });
  const loaded = formatMegabytes(size - CHUNK_BYTES);
  await expect(playback.getByText(`${loaded} saved, ${loaded} of it on Wi-Fi.`)).toBeVisible();
  await changeConnection(next, { type: 'cellular' });
  const newMixes = playback.getByRole('switch', { name: 'Save new mixes when I’m on Wi-Fi' });
  await expect(playback.getByText(/^This browser does it when you open the site/)).toBeVisible();
  await newMixes.click();
  await expect(newMixes).toBeChecked();
  expect(await listSavedCaches(next)).toEqual([]);
  await changeConnection(next, { type: 'wifi' });
  await expect(next.getByText('Saved offline', { exact: true })).toBeVisible();
  expect(await listSavedCaches(next)).toEqual([expect.stringMatching(/:golden-hour$/)]);
  await after.close();
  await rm(profile, { recursive: true, force: true });
});

test('a new version is offered, waits during playback, and loads on request', async ({
  page,
  signIn,
}) => {
  await signIn('premium');
  await page.goto(`/track/${golden.id}`);
  await waitForWorker(page);
  await page.getByRole('main').getByRole('button', { name: 'Play', exact: true }).click();
  await expect(inBar(page, 'Pause')).toBeVisible();
  await page.evaluate(() => Object.assign(window, { isSamePage: true }));
  // To the browser, another URL of the script is another version.
  await page.evaluate(() =>
    navigator.serviceWorker.register('/service-worker.js?newer', { scope: '/' }),
  );
  await expect(page.getByText('Update available', { exact: true })).toBeVisible();
  await expect(inBar(page, 'Pause')).toBeVisible();
  expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true);
  // A control under the toast would make it move, but not while it is pressed.
  await page.getByRole('button', { name: 'Reload' }).evaluate((button) => {
    const { left, top } = button.getBoundingClientRect();
    const control = document.createElement('button');
    control.style.cssText = `position: fixed; left: ${left}px; top: ${top}px; width: 9px; height: 9px`;
    document.getElementById('main')?.append(control);
  });
  await page.getByRole('button', { name: 'Reload' }).click();
  await page.waitForFunction(() => !('isSamePage' in window));
  await expect(page.getByRole('heading', { level: 1, name: golden.title })).toBeVisible();
});

test('a visitor without a network sees a message, and the mix once the network is back', async ({
  page,
  context,
  origin,
  problems,
}) => {
  problems.expect(/ERR_INTERNET_DISCONNECTED|Failed to load|Failed to fetch|net::ERR_FAILED/);
  problems.expect(/Version check failed|health/i);
  await page.goto('/');
  await waitForWorker(page);
  const registered = await page.evaluate(async () => {
    const all = await navigator.serviceWorker.getRegistrations();
    return all.map(({ active, scope }) => [active?.scriptURL, scope]);
  });
  expect(registered).toEqual([[`${origin}/service-worker.js`, `${origin}/`]]);
  await context.setOffline(true);
  await page.reload();
  const main = page.getByRole('main');
  await expect(main.getByRole('heading', { name: 'You’re offline', level: 1 })).toBeVisible();
  await expect(main.getByText('This week’s mix isn’t out yet')).toBeHidden();
  await context.setOffline(false);
  await expect(main.getByRole('heading', { name: golden.title, level: 1 })).toBeVisible();
});

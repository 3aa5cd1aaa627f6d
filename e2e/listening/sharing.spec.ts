import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { embedPath } from '#contract/rules/embed.ts';
import { golden } from '../support/e2e-tracks.ts';
import { expect, test } from '../support/fixtures.ts';
import { soundTime, watchSound } from '../support/sound.ts';

test('a mix is shared from a second of it, as a player for other sites and as a picture', async ({
  page,
  context,
  signIn,
  problems,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await watchSound(page);
  await signIn('premium');
  await page.goto(`/track/${golden.id}`);
  await page.getByRole('button', { name: 'Play from Candle Math' }).click();
  await expect.poll(() => soundTime(page)).toBeGreaterThan(45);
  await page.getByRole('button', { name: 'Share' }).click();
  const dialog = page.getByRole('dialog', { name: 'Share' });
  await dialog.getByRole('checkbox', { name: /^Start at 0:4\d$/ }).check();
  const start = dialog.getByLabel('Start time');
  await start.fill('2:00');
  await expect(dialog.getByText('This mix ends at 1:00.')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Copy link' })).toBeDisabled();
  await start.fill('0:50');
  await dialog.getByRole('button', { name: 'Copy link' }).click();
  await expect(page.getByRole('listitem').filter({ hasText: 'Link copied' })).toBeVisible();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(new URL(link).pathname + new URL(link).search).toBe(`/track/${golden.id}?t=50`);

  const chat = dialog.getByRole('link', { name: 'WhatsApp' });
  expect(await chat.getAttribute('href')).toBe(
    `https://wa.me/?text=${encodeURIComponent(`${golden.title}, week ${await readWeek(page)}\n${link}`)}`,
  );
  await dialog.getByRole('button', { name: 'QR code' }).click();
  await expect(dialog.getByRole('img', { name: /^QR code of the link to/ })).toBeVisible();

  await dialog.getByText('Embed', { exact: true }).click();
  const look = dialog.frameLocator(`iframe[src="${embedPath(golden.id)}"]`);
  await expect(look.getByRole('heading', { name: golden.title })).toBeVisible();
  await dialog.getByText('Light', { exact: true }).click();
  await dialog.getByRole('button', { name: 'Copy code' }).click();
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toContain(`${embedPath(golden.id, 'light')}"`);

  problems.expect(/\/cards\//);
  await page.route('**/cards/**', (route) => route.abort());
  await dialog.getByText('Picture', { exact: true }).click();
  await expect(dialog.getByText('Couldn’t load the picture')).toBeVisible();
  await page.unroute('**/cards/**');
  await dialog.getByRole('button', { name: 'Try again' }).click();
  const picture = dialog.getByRole('img', { name: `${golden.title}, as it will be saved` });
  await expect
    .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBe(1080);

  // As someone who opens the link from elsewhere: it starts there with the first press of play.
  const other = await context.newPage();
  await watchSound(other);
  await other.addInitScript(() =>
    // The tests' own calls count as presses of a key.
    Object.defineProperty(navigator, 'userActivation', { value: { hasBeenActive: false } }),
  );
  await other.goto(link);
  await expect(other.getByText('from 0:50')).toBeVisible();
  await other.getByRole('button', { name: 'Play', exact: true }).first().click();
  await expect.poll(() => soundTime(other)).toBeGreaterThan(50);
});

const readWeek = (page: Page): Promise<string | null> =>
  page.locator('#main [data-week]').first().getAttribute('data-week');

test('on a phone, sharing is one tap, and the menu has the other ways', async ({
  openAs,
  origin,
}) => {
  const page = await openAs('free', {
    baseURL: origin,
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  // This browser has no list of apps.
  await page.addInitScript(() =>
    Object.assign(navigator, {
      share: async (data: ShareData) => Object.assign(window, { sharedUrl: data.url }),
    }),
  );
  await page.goto(`/track/${golden.id}`);
  await page.getByRole('main').getByRole('button', { name: 'Share' }).tap();
  expect(await page.evaluate(() => (window as { sharedUrl?: string }).sharedUrl)).toBe(
    `${origin}/track/${golden.id}`,
  );
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.getByRole('button', { name: `More options for ${golden.title}` }).tap();
  await page.getByRole('menuitem', { name: 'Other ways to share…' }).tap();
  const dialog = page.getByRole('dialog', { name: 'Share' });
  // Nothing plays.
  await expect(dialog.getByRole('checkbox', { name: 'Start at a time you choose' })).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Share with…' })).toBeVisible();
});

test('of several players on a page, only one plays', async ({ page, origin }) => {
  const embed = origin + embedPath(golden.id);
  const blog = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end(`<!doctype html><title>Blog</title>
      <iframe name="first" src="${embed}" width="600" height="160"></iframe>
      <iframe name="second" sandbox="allow-scripts" src="${embed}" width="600" height="160"></iframe>
      <iframe name="wrapped" srcdoc="<iframe src='${embed}' width='500' height='120'></iframe>" width="600" height="160"></iframe>
      <iframe name="other" srcdoc="<script>onmessage = ({ data }) => { document.title = data; };</script>"></iframe>`);
  }).listen(0, '127.0.0.1');
  await once(blog, 'listening');
  try {
    await page.goto(`http://localhost:${(blog.address() as AddressInfo).port}/`);
    const players = [
      page.frameLocator('iframe[name=first]'),
      page.frameLocator('iframe[name=second]'),
      page.frameLocator('iframe[name=wrapped]').frameLocator('iframe'),
    ];
    for (const player of players) {
      await player.getByRole('button', { name: 'Play preview' }).press('Enter');
      await expect(player.getByRole('button', { name: 'Pause' })).toBeVisible();
      for (const silent of players.filter((each) => each !== player))
        await expect(silent.getByRole('button', { name: 'Play preview' })).toBeVisible();
    }
    // Frames of others get a word that says nothing about the mix or the listener.
    const told = await page.frame({ name: 'other' })?.title();
    expect(told).toBe('embed:playing');
  } finally {
    blog.close();
  }
});

test('a hostile page can frame the player of a preview, and nothing else', async ({
  page,
  origin,
  signIn,
  problems,
}) => {
  problems.expect(/frame-ancestors/);
  problems.expect(/ERR_BLOCKED_BY_RESPONSE/);
  problems.expect(/^response: 404 GET \/embed\/track\/unknown$/);
  problems.expect(/^console: .*404.*\/embed\/track\/unknown$/);
  await signIn('premium');
  const embed = origin + embedPath(golden.id);
  const hostile = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end(`<!doctype html><title>Hostile</title>
      <iframe name="plain" src="${embed}" width="600" height="160"></iframe>
      <iframe name="sandboxed" sandbox="allow-scripts" src="${embed}" width="320" height="120"></iframe>
      <iframe name="nested" sandbox="allow-scripts" srcdoc="<iframe src='${embed}'></iframe>"></iframe>
      <iframe name="missing" src="${origin}/embed/track/unknown"></iframe>
      <iframe name="home" src="${origin}/"></iframe>
      <script>addEventListener('message', () => { document.title = 'Told'; });
      for (const frame of document.querySelectorAll('iframe')) frame.onload = () => frame.contentWindow.postMessage({ play: true, src: '/x' }, '*');</script>`);
  }).listen(0, '127.0.0.1');
  await once(hostile, 'listening');
  const files: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (/^\/(?:api|media\/tracks)\//.test(pathname)) files.push(pathname);
  });
  try {
    // Another site than 127.0.0.1, not just another origin.
    await page.goto(`http://localhost:${(hostile.address() as AddressInfo).port}/`, {
      waitUntil: 'load',
    });
    for (const name of ['plain', 'sandboxed']) {
      const frame = page.frameLocator(`iframe[name=${name}]`);
      await expect(frame.getByRole('heading', { name: golden.title })).toBeVisible();
      await frame.getByRole('button', { name: 'Play preview' }).press('Enter');
      const slider = frame.getByRole('slider', { name: 'Position in the preview' });
      await expect(slider).toHaveAttribute('aria-valuetext', /^0:0[1-9] of 0:20$/);
      await frame.getByRole('button', { name: 'Pause' }).click();
      await slider.press('End');
      await expect(slider).toHaveAttribute('aria-valuetext', /^0:(?:19|20) of 0:20$/);
    }
    const nested = page.frameLocator('iframe[name=nested]').frameLocator('iframe');
    await expect(nested.getByRole('button', { name: 'Play preview' })).toBeVisible();
    await expect(
      page.frameLocator('iframe[name=missing]').getByText('This mix isn’t available'),
    ).toBeVisible();
    expect(page.frame({ name: 'home' })?.url()).toMatch(/^chrome-error:/);
    expect(new Set(files)).toEqual(new Set([`/media/tracks/${golden.id}/preview`]));
    await expect(page).toHaveTitle('Hostile');
    const cookie = await page.frame({ name: 'plain' })?.evaluate(() => {
      try {
        return document.cookie;
      } catch {
        return 'none';
      }
    });
    expect(cookie).toBe('none');
  } finally {
    await page.goto('about:blank');
    hostile.close();
  }
});

import type { Locator, Page } from '@playwright/test';
import { coverArt } from '#contract/art/cover-art.ts';
import { DEFAULT_SLEEVE_STYLE as style } from '#contract/art/sleeve-style.ts';
import { sleeveName, sleevePath } from '#contract/art/sleeve-names.ts';
import type { Track } from '#contract/tracks.ts';
import { broken, golden, membersOnly, robots, short } from '../support/e2e-tracks.ts';
import { expect, ROLES, test, sendEmptyPages } from '../support/fixtures.ts';
import { DESKTOP, DEVICES, isNightly, PHONE } from '../support/nightly.ts';
import { LayoutWalk } from '../support/page-layout.ts';
import {
  bar,
  currentTitle,
  inBar,
  playFromHome,
  PREVIEW_END,
  release,
} from '../support/player-page.ts';
import { expectSilence, expectSound, soundVolume, watchSound } from '../support/sound.ts';

/** A finger presses differently than a mouse. */
const POINTERS = [
  { device: 'phone', ...PHONE },
  { device: 'desktop', ...DESKTOP },
];

test.beforeEach(({ page }) => watchSound(page));

const toast = (page: Page, title: string, description: string) =>
  page.getByRole('listitem').filter({ hasText: title }).filter({ hasText: description });
const seekIn = (part: Locator) => part.getByRole('slider', { name: 'Seek' });
const expandPlayer = (page: Page) =>
  bar(page).getByRole('button', { name: 'Expand player' }).filter({ visible: true }).click();

/** Changes a track in every answer of the server. */
async function changeTrack(page: Page, id: string, change: object): Promise<void> {
  await sendEmptyPages(page);
  await page.route(/\/api\/tracks(\?|\/[^/]+$|$)/, async (route) => {
    const response = await route.fetch();
    const text = await response.text();
    const body: unknown = JSON.parse(text, (_, value: { id?: unknown } | null) =>
      value?.id === id ? { ...value, ...change } : value,
    );
    await route.fulfill({ response, json: body });
  });
}

for (const { device, ...options } of POINTERS)
  test.describe(`on a ${device}`, () => {
    test.use(options);

    /** Presses a share of the waveform’s width, where its bars are. */
    const press = async (slider: Locator, share: number): Promise<void> => {
      const { width = 0, height = 0 } = (await slider.boundingBox()) ?? {};
      const position = { x: width * share, y: height - 6 };
      await (options.hasTouch ? slider.tap({ position }) : slider.click({ position }));
    };

    test('a preview has the full width, and a press on what is locked says so', async ({
      page,
      signIn,
    }) => {
      await signIn('free');
      await playFromHome(page, golden.title);
      await expectSound(page);
      const main = page.getByRole('main');
      await press(seekIn(main), 0.25);
      await expect(seekIn(main)).toHaveAttribute('aria-valuenow', /^[5-7]$/);

      const message = 'The rest of this mix is for Premium members.';
      await main.getByRole('button', { name: 'What’s locked in this mix' }).click();
      await expect(main.getByText(message)).toBeVisible();
      const link = main.getByText(message).locator('..').getByRole('link');
      await expect(link).toHaveAttribute('href', '/pricing');
      await expect(link).toBeFocused();

      await expandPlayer(page);
      const expanded = page.getByRole('dialog', { name: golden.title });
      await press(seekIn(expanded), 0.5);
      await expect(seekIn(expanded)).toHaveAttribute('aria-valuenow', /^1[0-2]$/);
      await expanded.getByRole('button', { name: 'What’s locked in this mix' }).click();
      await expect(expanded.getByText(message)).toBeVisible();
      await expectSound(page);

      await seekIn(expanded).press('End');
      const premium = page.getByRole('dialog', { name: 'Unlock Premium Downloads' });
      await premium.getByRole('button', { name: 'Maybe Later' }).click();
      await expanded.getByRole('button', { name: 'Minimise player' }).click();
      await expect(expanded).toBeHidden();
      const limit = main.getByText(`Preview ends ${PREVIEW_END}`);
      const play = main.getByRole('button', { name: 'Play preview', exact: true });
      const { y: top = 0 } = (await limit.boundingBox()) ?? {};
      const { y = 0, height = 0 } = (await play.boundingBox()) ?? {};
      expect(top, 'The limit does not touch the button').toBeGreaterThan(y + height);
      await press(seekIn(main), 0.6);
      await expect(main.getByText(message)).toBeVisible();
      await expect(seekIn(main)).toHaveAttribute('aria-valuenow', '20');
      await expectSilence(page);
    });
  });

for (const { size, options } of DEVICES)
  test.describe(`on a ${size}`, () => {
    test.use(options);

    test.describe('a mix that can’t be played', () => {
      // A service worker would answer instead of the routes below.
      test.use({ serviceWorkers: 'block' });

      test('is named, and the connection is blamed only if it is lost', async ({
        page,
        signIn,
        problems,
      }) => {
        problems.expect(/^console: (Error playing|Could not start) track/);
        problems.expect(/ \/(media|api)\/.*$/);
        problems.expect(/^console: Couldn’t load the favorite status/);
        await signIn('premium');
        await page.goto('/');
        await release(page, broken.title).click();
        await expect(
          toast(page, `We couldn’t play ${broken.title}.`, 'Skipping to the next mix.'),
        ).toBeVisible();
        await currentTitle(page, robots.title);
        await expectSound(page);

        await page.route(`**/media/tracks/${short.id}/**`, (route) =>
          route.fulfill({ status: 404 }),
        );
        await release(page, short.title).click();
        const missing = toast(page, `We couldn’t play ${short.title}`, 'Skipping to the next mix.');
        await expect(missing).toBeVisible();
        await expect(missing).not.toContainText('connection');
        await currentTitle(page, robots.title);
        await expectSound(page);

        await page.route(`**/media/tracks/${membersOnly.id}/**`, (route) =>
          route.fulfill({ status: 500 }),
        );
        await release(page, membersOnly.title).click();
        const failed = toast(page, `We couldn’t play ${membersOnly.title}`, 'It was the last one');
        await expect(failed).toBeVisible();
        await expect(failed).not.toContainText('connection');

        // The network works, but the server doesn’t answer.
        await page.route(/\/(media|api)\//, (route) => route.abort('connectionrefused'));
        await release(page, short.title).click();
        const away = page.getByRole('status').filter({ hasText: 'We can’t reach Weekender' });
        await expect(away).toContainText('We’ll keep trying.');
        await expect(toast(page, `We couldn’t play ${short.title}`, '')).toHaveCount(0);
        await currentTitle(page, short.title);
        await expect(inBar(page, 'Play')).toBeVisible();
      });
    });
  });

test.describe('on a phone', () => {
  test.use(PHONE);

  test('mute and volume are in the expanded player', async ({ page, signIn }) => {
    await signIn('free');
    await playFromHome(page, golden.title);
    await expectSound(page);
    const { y = 0, height = 0 } = (await bar(page).boundingBox()) ?? {};
    const tab = page.getByRole('navigation', { name: 'Main' }).getByRole('link').first();
    expect(y + height, 'The bar is above the tabs').toBe((await tab.boundingBox())?.y);
    await expandPlayer(page);
    const expanded = page.getByRole('dialog', { name: golden.title });
    const volume = expanded.getByRole('slider', { name: 'Volume' });
    await expect(volume).toHaveValue('70');
    await expanded.getByRole('button', { name: 'Mute' }).tap();
    await expect(volume).toHaveValue('0');
    expect(await soundVolume(page)).toBe(0);
    await expanded.getByRole('button', { name: 'Unmute' }).tap();
    await volume.press('ArrowRight');
    await expect(volume).toHaveValue('71');
    expect(await soundVolume(page)).toBeCloseTo(0.71, 5);
  });
});

test('the bar shows the cover, or No Cover on a drawn sleeve', async ({ page, signIn }) => {
  const cover = '/media/covers/robots.png';
  const pixel =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  await page.route(`**${cover}`, (route) =>
    route.fulfill({ contentType: 'image/png', body: Buffer.from(pixel, 'base64') }),
  );
  await changeTrack(page, robots.id, { coverUrl: cover });
  await signIn('premium');
  await playFromHome(page, golden.title);
  const words = bar(page).getByText('No Cover').filter({ visible: true });
  const sleeve = bar(page).locator('img').filter({ visible: true });
  const response = await page.request.get(`/api/tracks/${golden.id}`);
  const { weekNumber } = (await response.json()) as Track;
  const path = sleevePath(sleeveName(style, weekNumber, golden.id));
  await expect(sleeve).toHaveAttribute('src', path);
  const drawing = coverArt({ style, week: weekNumber, trackId: golden.id });
  expect(await (await page.request.get(path)).text()).toBe(drawing);
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 844 });
    await expect(words).toHaveCount(1);
    await expect(words).toBeInViewport({ ratio: 1 });
    const { y = 0, height = 0 } = (await sleeve.boundingBox()) ?? {};
    const caption = (await words.boundingBox()) ?? { y: 0, height: 0 };
    expect(caption.height, 'The words are small').toBeLessThan(height / 2);
    expect(caption.y, 'The words are on the sleeve').toBeGreaterThan(y);
    expect(caption.y + caption.height).toBeLessThanOrEqual(y + height);
  }
  await release(page, robots.title).click();
  await currentTitle(page, robots.title);
  await expect(words).toHaveCount(0);
  await expect(sleeve).toHaveAttribute('src', cover);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

test('the expanded player asks once for what it shows of a mix', async ({ page }) => {
  await playFromHome(page, golden.title);
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname === `/api/tracks/${golden.id}`) asked.push(pathname);
  });
  const expanded = page.getByRole('dialog', { name: golden.title });
  for (let time = 1; time <= 2; time++) {
    await inBar(page, 'Expand player').click();
    await expect(expanded.getByText('Test track 1.')).toBeVisible();
    await expect(expanded.getByText(/^Now: /)).toBeVisible();
    await expanded.getByRole('button', { name: 'Minimise player' }).click();
    await expect(expanded).toBeHidden();
  }
  await page.waitForLoadState('networkidle');
  expect(asked).toHaveLength(1);
});

test('the premium dialog opens on the global event, with and without a track', async ({
  openAs,
}) => {
  const titles = {
    visitor: 'Register and Subscribe to Premium',
    free: 'Unlock Premium Downloads',
    premium: null,
    admin: null,
  };
  for (const role of ROLES) {
    // An administrator hears everything, as a subscriber does.
    if (role === 'admin' && !isNightly()) continue;
    const page = await openAs(role);
    const announceEnd = () =>
      page.evaluate(() => void window.dispatchEvent(new Event('preview-ended')));
    const expectDialog = async () => {
      // If it were open, the help couldn't open.
      if (titles[role] === null) await page.keyboard.press('?');
      const title = titles[role] ?? 'Keyboard shortcuts';
      await expect(page.getByRole('dialog', { name: title })).toBeVisible();
      await expect(page.getByRole('dialog')).toHaveCount(1);
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toHaveCount(0);
    };
    await page.goto('/');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await announceEnd();
    await expectDialog();
    await release(page, robots.title).click();
    await currentTitle(page, robots.title);
    await inBar(page, 'Pause').click();
    await announceEnd();
    await expectDialog();
    await page.close();
  }
});

test('the player fits every window, with a long title, with large text and at 400 % zoom', async ({
  page,
  signIn,
}) => {
  const title =
    'A very long night between the harbour wall and the mountain, recorded live on the roof';
  await changeTrack(page, golden.id, { title });
  await signIn('free');
  await playFromHome(page, title);
  await inBar(page, 'Pause').click();
  await page.getByRole('link', { name: 'Favorites' }).filter({ visible: true }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: 'Favorites' })).toBeVisible();
  const walk = await LayoutWalk.start(page);
  expect(await walk.findProblems()).toEqual([]);
  for (const width of [768, 820, 1024]) {
    await page.setViewportSize({ width, height: 1024 });
    const { width: room = 0 } = (await seekIn(bar(page)).boundingBox()) ?? {};
    expect(room, `The waveform at ${width}`).toBeGreaterThan(150);
  }

  await page.setViewportSize({ width: 320, height: 256 });
  const { height = 99 } = (await bar(page).boundingBox()) ?? {};
  expect(height).toBeLessThan(256 / 4);
  await page.setViewportSize({ width: 1440, height: 900 });
  await expandPlayer(page);
  const heading = page.getByRole('dialog', { name: title }).getByRole('heading');
  await expect(heading).toBeVisible();
  for (const width of [390, 820, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    const lines = await heading.evaluate(
      (element) =>
        element.getBoundingClientRect().height /
        Number.parseFloat(getComputedStyle(element).lineHeight),
    );
    expect(Math.round(lines), `Lines of the title at ${width}`).toBeLessThanOrEqual(3);
  }
  expect(await walk.findProblems('[role="dialog"]')).toEqual([]);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

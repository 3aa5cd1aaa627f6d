import type { Page } from '@playwright/test';
import { broken, golden, robots, short } from '../support/e2e-tracks.ts';
import { expect, newAccount, subscribe, test } from '../support/fixtures.ts';
import {
  bar,
  currentTitle,
  inBar,
  playFromHome,
  queueSheet,
  seekBar,
  PREVIEW_END,
} from '../support/player-page.ts';
import {
  expectSilence,
  expectSound,
  soundTime,
  soundVolume,
  watchSound,
} from '../support/sound.ts';

test.use({ viewport: { width: 1440, height: 900 } });
test.beforeEach(({ page }) => watchSound(page));

test('plays audio, and the bar shows the track and the position', async ({ page, signIn }) => {
  const recorded: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (request.method() === 'POST' && pathname.endsWith('/play')) recorded.push(pathname);
  });
  await signIn('free');
  await playFromHome(page, golden.title);
  await expectSound(page);
  expect(recorded).toEqual([`/api/tracks/${golden.id}/play`]);
  const title = bar(page).getByRole('link', { name: golden.title });
  await expect(title).toHaveAttribute('href', `/track/${golden.id}`);
  const answer = await page.request.get(`/api/tracks/${golden.id}`);
  const { weekNumber } = (await answer.json()) as { weekNumber: number };
  await expect(bar(page).getByText(`Week ${weekNumber}`, { exact: true })).toBeVisible();
  await expect(bar(page).getByText('Preview')).toBeVisible();
  await expect(seekBar(page)).toHaveAttribute(
    'aria-valuetext',
    new RegExp(`^0:\\d\\d of ${PREVIEW_END}$`),
  );
  await inBar(page, 'Pause').click();
  await expectSilence(page);
  await inBar(page, 'Play').click();
  await expectSound(page);
  expect(recorded).toHaveLength(2);
  await expect
    .poll(async () => {
      // The page grows while its rows load.
      await page.keyboard.press('End');
      return page.evaluate(() => window.scrollY);
    })
    .toBeGreaterThan(0);
  const { y = 0, height = 0 } = (await bar(page).boundingBox()) ?? {};
  expect(y + height).toBe(900);
});

test.describe('a preview', () => {
  const BENEFITS = [
    'Unlimited downloads of all tracks',
    'Early access to new weekly releases',
    'High-quality lossless audio formats',
    'Exclusive subscriber-only tracks',
  ];
  const lockedText = (page: Page) => page.getByText('Subscribe to listen to the full track');

  test('stops at 20 seconds and offers Premium to a logged-in user', async ({ page, signIn }) => {
    await signIn('free');
    await playFromHome(page, golden.title);
    await expectSound(page);
    for (let i = 0; i < 3; i++) await seekBar(page).press('ArrowRight');
    const dialog = page.getByRole('dialog', { name: 'Unlock Premium Downloads' });
    await expect(dialog).toBeVisible();
    await expectSilence(page);
    await expect(dialog.getByRole('listitem')).toHaveText(BENEFITS);
    await expect(dialog.getByRole('link', { name: 'Upgrade to Premium' })).toHaveAttribute(
      'href',
      '/subscription',
    );
    await dialog.getByRole('button', { name: 'Maybe Later' }).click();
    await expect(dialog).toBeHidden();
    await expect(seekBar(page)).toBeFocused();
    await expect(seekBar(page)).toHaveAttribute(
      'aria-valuetext',
      `${PREVIEW_END} of ${PREVIEW_END}`,
    );

    await inBar(page, 'Expand player').click();
    const expanded = page.getByRole('dialog', { name: golden.title });
    await expect(lockedText(page)).toBeVisible();
    await expanded.getByRole('button', { name: 'Play again' }).click();
    await expectSound(page);
    await expect(lockedText(page)).toBeHidden();
  });

  test('offers a guest an account', async ({ page }) => {
    await playFromHome(page, golden.title);
    await expectSound(page);
    const ended = page.evaluate(
      () =>
        new Promise((resolve) => {
          window.addEventListener('preview-ended', (event) =>
            resolve((event as CustomEvent).detail),
          );
        }),
    );
    await seekBar(page).press('End');
    expect(await ended).toEqual({ trackId: golden.id });
    const dialog = page.getByRole('dialog', { name: 'Register and Subscribe to Premium' });
    await expect(dialog.getByRole('listitem')).toHaveText(BENEFITS);
    await expect(dialog.getByRole('link', { name: 'Login' })).toHaveAttribute('href', '/login');
    await expect(dialog.getByRole('link', { name: 'Create Account' })).toHaveAttribute(
      'href',
      '/register?next=%2Fpricing%3Fplan%3Dmonthly%26checkout%3Dstart',
    );
    await dialog.getByRole('button', { name: 'Continue as Guest' }).click();
    await expect(dialog).toBeHidden();
    await inBar(page, 'Expand player').click();
    await expect(lockedText(page)).toBeVisible();
    await page.getByRole('dialog').getByRole('button', { name: 'Minimise player' }).click();
    await expect(lockedText(page)).toBeHidden();
    await page.evaluate(() => window.dispatchEvent(new Event('preview-ended')));
    await expect(dialog).toBeVisible();
  });

  test('is never cut short for a subscriber', async ({ page, signIn }) => {
    await signIn('premium');
    await playFromHome(page, golden.title);
    await expectSound(page);
    await seekBar(page).press('Home');
    await seekBar(page).press('PageUp');
    await expect.poll(() => soundTime(page)).toBeGreaterThan(30);
    await page.evaluate(() => window.dispatchEvent(new Event('preview-ended')));
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(bar(page).getByText('Preview')).toHaveCount(0);
    await inBar(page, 'Expand player').click();
    const expanded = page.getByRole('dialog', { name: golden.title });
    await expect(expanded.getByText(/^0:[345]\d$/)).toBeVisible();
    await expect(lockedText(page)).toHaveCount(0);
  });
});

test.describe('the queue', () => {
  test('plays the next track, and skips a file that fails', async ({ page, signIn, problems }) => {
    problems.expect(/^console: Error playing track: Broken Pressing/);
    const logged: string[] = [];
    page.on('console', (message) => logged.push(message.text()));
    await signIn('premium');
    await playFromHome(page, short.title);
    await expectSound(page);
    await currentTitle(page, robots.title);
    await expectSound(page);
    expect(
      logged.filter((line) => line.startsWith(`Error playing track: ${broken.title}`)),
    ).toHaveLength(1);
  });

  test('skips back and forth in the expanded player', async ({ page, signIn }) => {
    await signIn('premium');
    await playFromHome(page, golden.title);
    await inBar(page, 'Expand player').click();
    const expanded = page.getByRole('dialog');
    await expect(page.locator('body')).toHaveCSS('overflow', 'hidden');
    await expanded.getByRole('button', { name: 'Next' }).click();
    await expect(expanded.getByRole('heading', { name: short.title })).toBeVisible();
    await expanded.getByRole('button', { name: 'Previous' }).click();
    await expect(expanded.getByRole('heading', { name: golden.title })).toBeVisible();
    await expect(expanded.getByRole('slider', { name: 'Seek' })).toBeVisible();
    await expect(expanded.getByText('Test track 1.')).toBeVisible();
    await expect(expanded.getByText(/^0:\d\d$/)).toBeVisible();
    await expect(expanded.getByText('1:00', { exact: true })).toBeVisible();
    await expanded.getByRole('button', { name: 'Minimise player' }).click();
    await expect(expanded).toBeHidden();
    await expect(page.locator('body')).not.toHaveCSS('overflow', 'hidden');
  });
});

test('seeks in the waveform by keyboard and by dragging', async ({ page, signIn }) => {
  await signIn('premium');
  await playFromHome(page, golden.title);
  await expectSound(page);
  await inBar(page, 'Pause').click();
  const steps = [
    ['Home', '0:00'],
    ['ArrowRight', '0:05'],
    ['ArrowLeft', '0:00'],
    ['PageUp', '0:30'],
    ['ArrowUp', '0:35'],
    ['PageDown', '0:05'],
  ];
  for (const [key, time] of steps) {
    await seekBar(page).press(key ?? '');
    await expect(seekBar(page)).toHaveAttribute('aria-valuetext', `${time} of 1:00`);
  }

  const { x = 0, y = 0, width = 0, height = 0 } = (await seekBar(page).boundingBox()) ?? {};
  const moveTo = (share: number) => page.mouse.move(x + width * share, y + height / 2);
  await moveTo(0.25);
  await page.mouse.down();
  await moveTo(0.755);
  await expect(seekBar(page)).toHaveAttribute('aria-valuetext', '0:45 of 1:00');
  await inBar(page, 'Play').press('Enter');
  await expectSound(page);
  expect(await soundTime(page), 'It seeks when it is let go').toBeLessThan(20);
  await page.mouse.up();
  await expect.poll(() => soundTime(page)).toBeGreaterThanOrEqual(45);
});

test.describe('by keyboard', () => {
  test('runs the shortcuts, and lists them with ?', async ({ page, signIn }) => {
    await signIn('premium');
    await page.goto('/');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    const main = page.getByRole('main');
    await main.focus();
    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await expect(help.getByText('Play or pause')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(help).toBeHidden();
    await expect(main).toBeFocused();

    await playFromHome(page, golden.title);
    await expectSound(page);
    await main.focus();
    await page.keyboard.press('k');
    await expectSilence(page);
    // In an open menu, letters jump to its entries.
    await page.getByRole('button', { name: /^My Account/ }).press('Enter');
    await expect(page.getByRole('menu')).toBeVisible();
    await page.keyboard.press('q');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('menu')).toBeHidden();
    await main.focus();
    await page.keyboard.press('q');
    await expect(queueSheet(page)).toBeVisible();
    await page.keyboard.press('q');
    await expect(queueSheet(page)).toBeHidden();
    await expect(main).toBeFocused();

    const overlays = [
      ['Queue', queueSheet(page)],
      ['Expand player', page.getByRole('dialog', { name: golden.title })],
    ] as const;
    for (const [name, overlay] of overlays) {
      await inBar(page, name).press('Enter');
      await expect(overlay).toBeVisible();
      await expect(overlay.locator(':focus')).toHaveCount(1);
      await page.keyboard.press('Escape');
      await expect(overlay).toBeHidden();
      await expect(inBar(page, name)).toBeFocused();
    }
  });
});

test('mute remembers the volume, and the slider moves in steps of one', async ({
  page,
  signIn,
}) => {
  await signIn('free');
  await playFromHome(page, golden.title);
  const volume = bar(page).getByRole('slider', { name: 'Volume' });
  await expect(volume).toHaveValue('70');
  await volume.press('ArrowLeft');
  await expect(volume).toHaveValue('69');
  await inBar(page, 'Mute').click();
  await expect(volume).toHaveValue('0');
  await inBar(page, 'Unmute').click();
  await expect(volume).toHaveValue('69');
  await expectSound(page);
  const steps = [
    ['End', '100', 1],
    ['ArrowLeft', '99', 0.99],
    ['Home', '0', 0],
  ] as const;
  for (const [key, position, loudness] of steps) {
    await volume.press(key);
    await expect(volume).toHaveValue(position);
    expect(await soundVolume(page)).toBeCloseTo(loudness, 5);
  }
});

test('closing stops playback and hides the bar', async ({ page, signIn }) => {
  await signIn('free');
  await playFromHome(page, golden.title);
  await expectSound(page);
  await inBar(page, 'Close player').click();
  await expect(bar(page)).toBeHidden();
  await expectSilence(page);

  // Queueing a track while the player is closed brings the bar back, paused.
  await page.getByRole('main').getByRole('button', { name: 'Add to queue' }).click();
  await currentTitle(page, golden.title);
  await expect(inBar(page, 'Play')).toBeVisible();
  await expectSilence(page);
});

test('a reload restores the queue and the position, paused', async ({ page, registerByApi }) => {
  // A new account: other tests that listen as the same user would move the position.
  const account = newAccount();
  await registerByApi(account);
  subscribe(account);
  await playFromHome(page, golden.title);
  await expectSound(page);
  await seekBar(page).press('PageUp');
  await expect.poll(() => soundTime(page)).toBeGreaterThan(30);
  await page.reload();
  await currentTitle(page, golden.title);
  await expect(inBar(page, 'Play')).toBeVisible();
  await expect(seekBar(page)).toHaveAttribute('aria-valuetext', /^0:3\d of 1:00$/);
  await inBar(page, 'Queue').click();
  const rows = page.getByRole('dialog', { name: 'Current Queue' }).getByRole('listitem');
  await expect(rows).toHaveCount(5);
  await inBar(page, 'Play').click();
  await expect.poll(() => soundTime(page)).toBeGreaterThan(30);
});

test('only one of two tabs plays', async ({ page, context, signIn }) => {
  await signIn('premium');
  await playFromHome(page, golden.title);
  await expectSound(page);
  const other = await context.newPage();
  await watchSound(other);
  await playFromHome(other, robots.title);
  await expectSound(other);
  await expectSilence(page);
  // It keeps its own mix, and can take over again.
  await currentTitle(page, golden.title);
  await inBar(page, 'Play').click();
  await expectSound(page);
  await expectSilence(other);
  await currentTitle(other, robots.title);
});

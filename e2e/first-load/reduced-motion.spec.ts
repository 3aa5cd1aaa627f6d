import type { Page } from '@playwright/test';
import { golden, short } from '../support/e2e-tracks.ts';
import { expect, test } from '../support/fixtures.ts';
import { inBar, playFromHome, queueSheet } from '../support/player-page.ts';

type WatchedWindow = { motions: string[] };

/** Records every animation and transition that the browser starts. */
const watchMotion = (page: Page) =>
  page.addInitScript(() => {
    const motions: string[] = [];
    Object.assign(window, { motions });
    for (const type of ['animationstart', 'transitionrun'])
      addEventListener(
        type,
        (event) => {
          const { animationName, propertyName } = event as AnimationEvent & TransitionEvent;
          const { outerHTML } = event.target as Element;
          motions.push(`${animationName ?? propertyName} of ${outerHTML.slice(0, 200)}`);
        },
        true,
      );
  });
const readMotions = (page: Page) =>
  page.evaluate(() => (window as unknown as WatchedWindow).motions);

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

test('nothing moves for someone who asked for less motion: player, queue and toasts', async ({
  page,
  signIn,
}) => {
  await watchMotion(page);
  await signIn('premium');
  await playFromHome(page, golden.title);
  await inBar(page, 'Expand player').click();
  const player = page.getByRole('dialog', { name: golden.title });
  await player.getByRole('button', { name: 'Queue' }).click();
  const sheet = queueSheet(page);
  await sheet.getByRole('button', { name: `Remove ${short.title} from the queue` }).click();
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await sheet.getByRole('button', { name: 'Close', exact: true }).click();
  await expect(sheet).toBeHidden();
  await player.getByRole('button', { name: 'Minimise player' }).click();
  await expect(player).toBeHidden();
  expect(await readMotions(page)).toEqual([]);

  // Everyone else sees the player slide in.
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await inBar(page, 'Expand player').click();
  await expect(player).toBeVisible();
  await expect.poll(() => readMotions(page)).not.toEqual([]);
});

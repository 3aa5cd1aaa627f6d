import type { Page } from '@playwright/test';
import { expect } from './fixtures.ts';

type WatchedWindow = { media: Set<HTMLMediaElement> };

/** Records every element that plays, because the player doesn't add them to the page. */
export const watchSound = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const media = new Set<HTMLMediaElement>();
    Object.assign(window, { media });
    const { play } = HTMLMediaElement.prototype;
    HTMLMediaElement.prototype.play = function (this: HTMLMediaElement) {
      media.add(this);
      return play.call(this);
    };
  });

/** The current time of the playing element; null in silence. */
export const soundTime = (page: Page): Promise<number | null> =>
  page.evaluate(() => {
    const all = [...(window as unknown as WatchedWindow).media];
    const playing = all.filter((element) => !element.paused && !element.ended);
    return playing[0]?.currentTime ?? null;
  });

/** The file of the playing element. */
export const soundFile = (page: Page): Promise<string | undefined> =>
  page.evaluate(() => {
    const all = [...(window as unknown as WatchedWindow).media];
    return all.find((element) => !element.paused)?.currentSrc;
  });

/** The volume of the playing element, 0 to 1. */
export const soundVolume = (page: Page): Promise<number | undefined> =>
  page.evaluate(() => {
    const all = [...(window as unknown as WatchedWindow).media];
    return all.find((element) => !element.paused)?.volume;
  });

export async function expectSound(page: Page): Promise<void> {
  await expect.poll(() => soundTime(page), { message: 'Something is playing' }).not.toBeNull();
  const from = (await soundTime(page)) ?? 0;
  await expect.poll(() => soundTime(page), { message: 'The time advances' }).toBeGreaterThan(from);
}

/** What plays needs no network any more. */
export const expectLoaded = (page: Page): Promise<void> =>
  expect
    .poll(
      () =>
        page.evaluate(() => {
          const all = [...(window as unknown as WatchedWindow).media];
          const playing = all.find((element) => !element.paused);
          const { buffered, duration } = playing ?? {};
          return buffered?.length === 1 && buffered.end(0) === duration;
        }),
      { message: 'All of it is loaded' },
    )
    .toBe(true);

export const expectSilence = (page: Page): Promise<void> =>
  expect.poll(() => soundTime(page), { message: 'Nothing is playing' }).toBeNull();

import type { Page } from '@playwright/test';
import { expect } from './fixtures.ts';
import { readSoundTime, recordMedia, type WatchedWindow } from './sound-in-page.ts';

export const watchSound = (page: Page): Promise<unknown> => page.addInitScript(recordMedia);

export const soundTime = (page: Page): Promise<number | null> => page.evaluate(readSoundTime);

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

import type { Page } from '@playwright/test';
import { expect } from './fixtures.ts';

type Probed = { media: Set<HTMLMediaElement> };

/** Keeps hold of every element that is told to play: the player does not put them into the page. */
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

/** Where the one element that sounds is; null in silence. */
export const soundTime = (page: Page): Promise<number | null> =>
  page.evaluate(() => {
    const all = [...(window as unknown as Probed).media];
    const sounding = all.filter((element) => !element.paused && !element.ended);
    return sounding[0]?.currentTime ?? null;
  });

/** The file of the one element that sounds. */
export const soundFile = (page: Page): Promise<string | undefined> =>
  page.evaluate(() => {
    const all = [...(window as unknown as Probed).media];
    return all.find((element) => !element.paused)?.currentSrc;
  });

/** From 0 to 1, of the one element that sounds. */
export const soundVolume = (page: Page): Promise<number | undefined> =>
  page.evaluate(() => {
    const all = [...(window as unknown as Probed).media];
    return all.find((element) => !element.paused)?.volume;
  });

export async function expectSound(page: Page): Promise<void> {
  await expect.poll(() => soundTime(page), { message: 'Something sounds' }).not.toBeNull();
  const from = (await soundTime(page)) ?? 0;
  await expect.poll(() => soundTime(page), { message: 'The time advances' }).toBeGreaterThan(from);
}

export const expectSilence = (page: Page): Promise<void> =>
  expect.poll(() => soundTime(page), { message: 'Nothing sounds' }).toBeNull();

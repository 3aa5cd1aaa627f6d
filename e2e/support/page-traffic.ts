import type { Page, Request } from '@playwright/test';
import { expect } from './fixtures.ts';

/** React delays content that arrives within 300 ms of a skeleton; these frames last a little longer. */
const STILL_FRAMES = 20;
/** A page whose content is there, or that was only resized, delays nothing. */
const RENDERED_FRAMES = 4;
/** After this many frames the check names what is still changing. */
const WATCHED_FRAMES = 120;

const SKELETONS = '.animate-breathe, .animate-bounce-bar, [aria-busy="true"]';

/** Tracks a page's requests, to wait until it has loaded completely. */
export class PageTraffic {
  readonly #pending = new Set<Request>();
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    page.on('request', (request) => {
      // A new document starts from scratch; the old one's requests are gone.
      if (request.isNavigationRequest()) this.#pending.clear();
      // The live stream stays open as long as the page does.
      if (request.resourceType() !== 'eventsource') this.#pending.add(request);
    });
    page.on('requestfinished', (request) => this.#pending.delete(request));
    page.on('requestfailed', (request) => this.#pending.delete(request));
  }

  /** Waits until every request has ended, no skeleton is left and nothing on the page changes. */
  async settle({ hasSkeletons = false, isRendered = false } = {}): Promise<void> {
    const skeletons = hasSkeletons ? '' : SKELETONS;
    const still = isRendered ? RENDERED_FRAMES : STILL_FRAMES;
    const options = { skeletons, still, watched: WATCHED_FRAMES };
    const findUnsettled = async (): Promise<string[]> => {
      const moving = await this.#page.evaluate(watchUntilStill, options);
      return [...moving, ...Array.from(this.#pending, (request) => request.url())];
    };
    const { pathname } = new URL(this.#page.url());
    await expect
      .poll(findUnsettled, {
        message: `${pathname} is still waiting for`,
        intervals: [0],
        timeout: 30_000,
      })
      .toEqual([]);
  }
}

type Watch = { skeletons: string; still: number; watched: number };

/** Runs in the page. Returns nothing once the page is still, else what is still changing. */
const watchUntilStill = ({ skeletons, still, watched }: Watch): Promise<string[]> =>
  new Promise((resolve) => {
    let quiet = 0;
    let frames = 0;
    const observer = new MutationObserver(() => {
      quiet = 0;
    });
    const what = { subtree: true, childList: true, attributes: true, characterData: true };
    observer.observe(document, what);
    const count = (): void => {
      const skeleton = skeletons && document.querySelector(skeletons);
      quiet = skeleton ? 0 : quiet + 1;
      frames += 1;
      if (quiet <= still && frames <= watched) {
        requestAnimationFrame(count);
        return;
      }
      observer.disconnect();
      if (skeleton) resolve([skeleton.outerHTML]);
      else resolve(quiet > still ? [] : ['The page keeps changing.']);
    };
    count();
  });

import type { Page, Request } from '@playwright/test';
import { expect } from './fixtures.ts';

/** React holds back what arrives within 300 ms of a skeleton: somewhat longer, in frames. */
const STILL_FRAMES = 20;
/** Nothing is held back of what was shown already and only gets another width. */
const RESIZED_FRAMES = 4;
/** After so many, what is in the way is named. */
const WATCHED_FRAMES = 120;

const SKELETONS = '.animate-breathe, .animate-bounce-bar, [aria-busy="true"]';

/** Knows what a page still waits for, and so when it is as somebody will look at it. */
export class PageTraffic {
  readonly #pending = new Set<Request>();
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    page.on('request', (request) => {
      // A new document asks anew; nobody answers what the last one asked.
      if (request.isNavigationRequest()) this.#pending.clear();
      // What tells the news stays open for as long as the page does.
      if (request.resourceType() !== 'eventsource') this.#pending.add(request);
    });
    page.on('requestfinished', (request) => this.#pending.delete(request));
    page.on('requestfailed', (request) => this.#pending.delete(request));
  }

  /** Everything has come, no skeleton stands in for it, and nothing moves any more. */
  async settle({ hasSkeletons = false, isResized = false } = {}): Promise<void> {
    const skeletons = hasSkeletons ? '' : SKELETONS;
    const still = isResized ? RESIZED_FRAMES : STILL_FRAMES;
    const options = { skeletons, still, watched: WATCHED_FRAMES };
    const findUnsettled = async (): Promise<string[]> => {
      const moving = await this.#page.evaluate(watchUntilStill, options);
      return [...moving, ...Array.from(this.#pending, (request) => request.url())];
    };
    const { pathname } = new URL(this.#page.url());
    await expect
      .poll(findUnsettled, { message: `${pathname} waits for`, intervals: [0], timeout: 30_000 })
      .toEqual([]);
  }
}

type Watch = { skeletons: string; still: number; watched: number };

/** Runs in the page: answers nothing once it stands still, and otherwise what keeps it from that. */
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
      else resolve(quiet > still ? [] : ['The page changes all the time.']);
    };
    count();
  });

import type { BrowserContext, Page } from '@playwright/test';
import type { Connection } from '#contract/rules/line.ts';

/** Pages of this context believe to be on this line. */
export const emulateLine = (context: BrowserContext, connection: Connection): Promise<unknown> =>
  context.addInitScript((line) => {
    const emulated = Object.assign(new EventTarget(), line);
    Object.defineProperty(Navigator.prototype, 'connection', {
      configurable: true,
      get: () => emulated,
    });
  }, connection);

/** The phone changes to another line while the page is open. */
export const changeLine = (page: Page, connection: Connection): Promise<void> =>
  page.evaluate((line) => {
    const { connection: emulated } = navigator as Navigator & { connection: EventTarget };
    Object.assign(emulated, line);
    emulated.dispatchEvent(new Event('change'));
  }, connection);

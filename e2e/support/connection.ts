import type { BrowserContext, Page } from '@playwright/test';
import type { Connection } from '#contract/rules/connection.ts';

/** Pages of this context believe that this is their connection. */
export const emulateConnection = (
  context: BrowserContext,
  connection: Connection,
): Promise<unknown> =>
  context.addInitScript((described) => {
    const emulated = Object.assign(new EventTarget(), described);
    Object.defineProperty(Navigator.prototype, 'connection', {
      configurable: true,
      get: () => emulated,
    });
  }, connection);

/** The phone’s connection changes while the page is open. */
export const changeConnection = (page: Page, connection: Connection): Promise<void> =>
  page.evaluate((described) => {
    const { connection: emulated } = navigator as Navigator & { connection: EventTarget };
    Object.assign(emulated, described);
    emulated.dispatchEvent(new Event('change'));
  }, connection);

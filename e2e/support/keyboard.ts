import type { Locator, Page } from '@playwright/test';
import { expect } from './fixtures.ts';

const MAX_STOPS = 80;
/** Sent at a time: waiting after every press takes long. */
const PRESSES = 8;

const isFocused = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => element === document.activeElement);

/** Presses Tab until the target has the focus, as someone without a pointer does. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  // Until the next other key, Tab doesn't leave the target again.
  await target.evaluate((element) => {
    const arrived = new AbortController();
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Tab') return arrived.abort();
      if (document.activeElement !== element) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    window.addEventListener('keydown', onKeyDown, { capture: true, signal: arrived.signal });
  });
  for (let stop = 0; stop < MAX_STOPS && !(await isFocused(target)); stop += PRESSES)
    await Promise.all(Array.from({ length: PRESSES }, () => page.keyboard.press('Tab')));
  await expect(target).toBeFocused();
}

/** Reaches the target with Tab and presses Enter on it. */
export async function enter(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press('Enter');
}

import type { Locator, Page } from '@playwright/test';
import { expect } from './fixtures.ts';

const MAX_STOPS = 80;

const isFocused = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => element === document.activeElement);

/** Presses Tab until the target has the focus, as someone without a pointer does. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  for (let stop = 0; stop < MAX_STOPS && !(await isFocused(target)); stop += 1)
    await page.keyboard.press('Tab');
  await expect(target).toBeFocused();
}

/** Reaches the target with Tab and presses Enter on it. */
export async function enter(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press('Enter');
}

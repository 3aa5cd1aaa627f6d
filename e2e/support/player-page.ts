import type { Locator, Page } from '@playwright/test';
import { formatDuration } from '#contract/rules/time.ts';
import { PREVIEW_SECONDS } from '#contract/rules/preview.ts';
import { expect } from './fixtures.ts';

/** The time at which a preview ends, as the player shows it. */
export const PREVIEW_END = formatDuration(PREVIEW_SECONDS);

export const bar = (page: Page): Locator =>
  page.getByRole('region', { name: 'Player', exact: true });
export const seekBar = (page: Page): Locator => bar(page).getByRole('slider', { name: 'Seek' });
export const inBar = (page: Page, name: string): Locator =>
  bar(page).getByRole('button', { name, exact: true });
export const queueSheet = (page: Page): Locator =>
  page.getByRole('dialog', { name: 'Current Queue' });

/** The play button of a mix in the new releases on the home page; a chart may list the mix too. */
export const release = (page: Page, title: string): Locator =>
  page
    .getByRole('region', { name: 'New releases' })
    .getByRole('button', { name: new RegExp(`^Play( preview)?: ${title}$`) });

/** Presses play on a mix of the home page; the rest of the list becomes the queue. */
export async function playFromHome(page: Page, title: string): Promise<void> {
  await page.goto('/');
  const heading = page.getByRole('heading', { level: 1 });
  await expect(heading).toBeVisible();
  const isOnStage = (await heading.textContent()) === title;
  const button = isOnStage
    ? page.getByRole('main').getByRole('button', { name: /^Play( preview)?$/ })
    : release(page, title);
  await button.click();
  await expect(bar(page).getByRole('link', { name: title })).toBeVisible();
}

export const currentTitle = (page: Page, title: string): Promise<void> =>
  expect(bar(page).getByRole('link')).toHaveText(title);

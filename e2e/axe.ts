import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import type axe from 'axe-core';
import { expect } from './fixtures.ts';
import { isNightly } from './nightly.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

const EVERYTHING: axe.RunOnly = { type: 'tag', values: TAGS };
const COLOURS: axe.RunOnly = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };

/** Everything axe finds on the page, one text per element. */
export const findAxeViolations = (page: Page): Promise<string[]> => runAxe(page, EVERYTHING);

/** Only the rules whose result depends on the theme. */
const findContrastViolations = (page: Page): Promise<string[]> => runAxe(page, COLOURS);

async function runAxe(page: Page, rules: axe.RunOnly): Promise<string[]> {
  const isLoaded = await page.evaluate(() => 'axe' in window);
  if (!isLoaded) await page.evaluate(AXE);
  return page.evaluate(async (runOnly) => {
    const { axe: checker } = window as unknown as { axe: typeof axe };
    const options: axe.RunOptions = {
      runOnly,
      resultTypes: ['violations'],
      elementRef: false,
      selectors: false,
      // Only an experimental rule needs the style sheets, which axe would parse again each time.
      preload: { assets: ['media'] },
    };
    const { violations } = await checker.run(document, options);
    return violations.flatMap(({ id, help, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${help}\n${html}\n${failureSummary ?? ''}`),
    );
  }, rules);
}

/** Switches the theme of an open page. */
const showTheme = (page: Page, theme: 'dark' | 'light'): Promise<void> =>
  page.evaluate((chosen) => {
    if (chosen === 'light') document.documentElement.dataset.theme = 'light';
    else delete document.documentElement.dataset.theme;
  }, theme);

/**
 * Checks the open page with axe, and that it fits the window's width. The colours of the light
 * theme are checked every night; `tools/testing/contrast-check.ts` compares them in every run.
 */
export async function expectAccessible(page: Page, name: string): Promise<void> {
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect.soft(overflow, `${name} is wider than the window, in pixels`).toBeLessThanOrEqual(0);
  expect.soft(await findAxeViolations(page), `axe on ${name}, dark`).toEqual([]);
  if (!isNightly()) return;
  await showTheme(page, 'light');
  expect.soft(await findContrastViolations(page), `axe on ${name}, light`).toEqual([]);
  await showTheme(page, 'dark');
}

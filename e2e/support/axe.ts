import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import type axe from 'axe-core';
import { expect } from './fixtures.ts';
import { isNightly } from './nightly.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

type Scope = {
  /** Only the rules whose result depends on the theme, or all but those. */
  colours?: 'only' | 'none';
  /** Selectors of what is left out. */
  exclude?: string[];
};

/** Everything axe finds on the page, one text per element. */
export async function findAxeViolations(page: Page, scope: Scope = {}): Promise<string[]> {
  const isLoaded = await page.evaluate(() => 'axe' in window);
  if (!isLoaded) await page.evaluate(AXE);
  const { colours, exclude = [] } = scope;
  const runOnly: axe.RunOnly =
    colours === 'only' ? { type: 'rule', values: COLOUR_RULES } : { type: 'tag', values: TAGS };
  const rules = Object.fromEntries(
    colours === 'none' ? COLOUR_RULES.map((rule) => [rule, { enabled: false }]) : [],
  );
  const run = async (chosen: {
    runOnly: axe.RunOnly;
    rules: axe.RuleObject;
    exclude: string[];
  }) => {
    const { axe: checker } = window as unknown as { axe: typeof axe };
    const options: axe.RunOptions = {
      runOnly: chosen.runOnly,
      rules: chosen.rules,
      resultTypes: ['violations'],
      elementRef: false,
      selectors: false,
      // Only an experimental rule needs the style sheets, which axe would parse again each time.
      preload: { assets: ['media'] },
    };
    const part = chosen.exclude.length > 0 ? { exclude: chosen.exclude } : document;
    const { violations } = await checker.run(part, options);
    return violations.flatMap(({ id, help, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${help}\n${html}\n${failureSummary ?? ''}`),
    );
  };
  return page.evaluate(run, { runOnly, rules, exclude });
}

/** Switches the theme of an open page. */
const showTheme = (page: Page, theme: 'dark' | 'light'): Promise<void> =>
  page.evaluate((chosen) => {
    if (chosen === 'light') document.documentElement.dataset.theme = 'light';
    else delete document.documentElement.dataset.theme;
  }, theme);

/** The header, the sidebar or the tabs, and the player. */
const SHELL = ['.page-header', '.sidebar', '.tab-bar', '[aria-label="Player"]'];

/**
 * Checks the open page with axe, and that it fits the window's width. With a known shell, only what
 * it surrounds is checked, without the colours, which take axe almost half of its time. The colours
 * of both themes are checked every night; `tools/testing/contrast-check.ts` compares them in every
 * run.
 */
export async function expectAccessible(
  page: Page,
  name: string,
  { isShellKnown = false } = {},
): Promise<void> {
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect.soft(overflow, `${name} is wider than the window, in pixels`).toBeLessThanOrEqual(0);
  const scope: Scope = isShellKnown ? { colours: 'none', exclude: SHELL } : {};
  expect.soft(await findAxeViolations(page, scope), `axe on ${name}, dark`).toEqual([]);
  if (!isNightly()) return;
  await showTheme(page, 'light');
  const inLight = await findAxeViolations(page, { colours: 'only' });
  expect.soft(inLight, `axe on ${name}, light`).toEqual([]);
  await showTheme(page, 'dark');
}

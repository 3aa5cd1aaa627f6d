import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import type axe from 'axe-core';

const AXE_FILE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Puts axe into every document this page will load, once per test instead of once per check. */
export const installAxe = (page: Page): Promise<unknown> => page.addInitScript({ path: AXE_FILE });

const EVERYTHING: axe.RunOnly = { type: 'tag', values: TAGS };
const COLOURS: axe.RunOnly = { type: 'rule', values: ['color-contrast'] };

/** What axe objects to on the page as it stands, one sentence per element. */
export const findAxeViolations = (page: Page): Promise<string[]> => runAxe(page, EVERYTHING);

/** The part of it that another theme can change. */
export const findContrastViolations = (page: Page): Promise<string[]> => runAxe(page, COLOURS);

const runAxe = (page: Page, rules: axe.RunOnly): Promise<string[]> =>
  page.evaluate(async (runOnly) => {
    const { axe: checker } = window as unknown as { axe: typeof axe };
    const options: axe.RunOptions = { runOnly, resultTypes: ['violations'] };
    const { violations } = await checker.run(document, options);
    return violations.flatMap(({ id, help, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${help}\n${html}\n${failureSummary ?? ''}`),
    );
  }, rules);

/** As somebody sees it who switches the theme while the page is open. */
export const showTheme = (page: Page, theme: 'dark' | 'light'): Promise<void> =>
  page.evaluate((chosen) => {
    if (chosen === 'light') document.documentElement.dataset.theme = 'light';
    else delete document.documentElement.dataset.theme;
  }, theme);

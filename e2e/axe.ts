import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import type axe from 'axe-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

const EVERYTHING: axe.RunOnly = { type: 'tag', values: TAGS };
const COLOURS: axe.RunOnly = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };
/** Those that look from one part of the page to another, or at the page as a whole. */
const WHOLE_PAGE: axe.RunOnly = {
  type: 'rule',
  values: [
    'accesskeys',
    'aria-hidden-body',
    'aria-valid-attr-value',
    'bypass',
    'document-title',
    'duplicate-id-aria',
    'heading-order',
    'html-has-lang',
    'html-lang-valid',
    'html-xml-lang-mismatch',
    'landmark-banner-is-top-level',
    'landmark-complementary-is-top-level',
    'landmark-contentinfo-is-top-level',
    'landmark-main-is-top-level',
    'landmark-no-duplicate-banner',
    'landmark-no-duplicate-contentinfo',
    'landmark-no-duplicate-main',
    'landmark-one-main',
    'landmark-unique',
    'meta-refresh',
    'meta-viewport',
    'page-has-heading-one',
    'region',
    'skip-link',
    'target-size',
  ],
};

/** What axe objects to on the page as it stands, one sentence per element. */
export const findAxeViolations = (page: Page): Promise<string[]> => runAxe(page, EVERYTHING);

/** The part of it that another theme can change. */
export const findContrastViolations = (page: Page): Promise<string[]> => runAxe(page, COLOURS);

/** The part of it that depends on what stands together on the page. */
export const findWholePageViolations = (page: Page): Promise<string[]> => runAxe(page, WHOLE_PAGE);

async function runAxe(page: Page, rules: axe.RunOnly): Promise<string[]> {
  const isThere = await page.evaluate(() => 'axe' in window);
  if (!isThere) await page.evaluate(AXE);
  return page.evaluate(async (runOnly) => {
    const { axe: checker } = window as unknown as { axe: typeof axe };
    const options: axe.RunOptions = {
      runOnly,
      resultTypes: ['violations'],
      elementRef: false,
      selectors: false,
    };
    const { violations } = await checker.run(document, options);
    return violations.flatMap(({ id, help, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${help}\n${html}\n${failureSummary ?? ''}`),
    );
  }, rules);
}

/** As somebody sees it who switches the theme while the page is open. */
export const showTheme = (page: Page, theme: 'dark' | 'light'): Promise<void> =>
  page.evaluate((chosen) => {
    if (chosen === 'light') document.documentElement.dataset.theme = 'light';
    else delete document.documentElement.dataset.theme;
  }, theme);

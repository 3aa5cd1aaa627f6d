import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import type axe from 'axe-core';

const AXE_FILE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Puts axe into every document this page will load, once per test instead of once per check. */
export const installAxe = (page: Page): Promise<unknown> => page.addInitScript({ path: AXE_FILE });

/** What axe objects to on the page as it stands, one sentence per element. */
export async function findAxeViolations(page: Page): Promise<string[]> {
  return page.evaluate(async (values) => {
    const { axe: checker } = window as unknown as { axe: typeof axe };
    const { violations } = await checker.run(document, {
      runOnly: { type: 'tag', values },
      resultTypes: ['violations'],
    });
    return violations.flatMap(({ id, help, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${help}\n${html}\n${failureSummary ?? ''}`),
    );
  }, TAGS);
}

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Page } from '@playwright/test';
import {
  findAxeViolations,
  findContrastViolations,
  findWholePageViolations,
  showTheme,
  type Part,
} from './axe.ts';
import { expect, test } from './fixtures.ts';
import { signPage } from './page-signature.ts';

const THEMES = ['dark', 'light'] as const;
type Theme = (typeof THEMES)[number];

/**
 * What has passed already in this run, in any worker: a file for each, in the folder that every run
 * empties. Axe judges by markup, styles and boxes: where all are the same as on a page that passed,
 * at the same width and in the same theme, so is its verdict.
 */
const fileOf = (mark: string): string => {
  const name = createHash('sha256').update(mark).digest('hex');
  return join(test.info().project.outputDir, 'passed-looks', name);
};

const hasPassed = (mark: string): boolean => existsSync(fileOf(mark));

function notePassed(mark: string): void {
  const file = fileOf(mark);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, '');
}

/** Judges what has not been judged yet of the page as it stands, in both themes, and its width. */
export async function checkLooks(page: Page, name: string): Promise<void> {
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect.soft(overflow, `${name} is wider than the window, in pixels`).toBeLessThanOrEqual(0);
  for (const theme of THEMES) {
    await showTheme(page, theme);
    await checkTheme(page, theme, `${name}, ${theme}`);
  }
  await showTheme(page, 'dark');
}

async function checkTheme(page: Page, theme: Theme, name: string): Promise<void> {
  const { main, shell } = await signPage(page);
  const where = `${page.viewportSize()?.width} ${theme}`;
  const marks = { main: `${where} main ${main}`, shell: `${where} shell ${shell}` };
  const both = `${where} ${main} ${shell}`;
  const parts: Part[] = main ? ['main', 'shell'] : ['shell'];
  const fresh = parts.filter((part) => !hasPassed(marks[part]));

  const objections: string[] = [];
  if (fresh.length > 0) objections.push(...(await judge(page, theme, fresh)));
  const isNewTogether = fresh.length < parts.length && !hasPassed(both);
  // Nothing that depends on both of them asks for colours.
  if (isNewTogether && theme === 'dark') objections.push(...(await findWholePageViolations(page)));
  expect.soft(objections, `axe on ${name}`).toEqual([]);
  if (objections.length > 0) return;
  [marks.main, marks.shell, both].forEach(notePassed);
}

function judge(page: Page, theme: Theme, fresh: Part[]): Promise<string[]> {
  // Both of them are the page.
  const part = fresh.length === 1 ? fresh[0] : undefined;
  return theme === 'dark' ? findAxeViolations(page, part) : findContrastViolations(page, part);
}

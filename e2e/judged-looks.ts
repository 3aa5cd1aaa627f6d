import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Page } from '@playwright/test';
import {
  findAxeViolations,
  findContrastViolations,
  findWholePageViolations,
  showTheme,
} from './axe.ts';
import { expect, test } from './fixtures.ts';
import { signPage } from './page-signature.ts';

/**
 * What has passed already in this run, in any worker: a file for each, in the folder that every run
 * empties. Axe judges by markup, styles and boxes: where all are the same as on a page that passed,
 * at the same width, so is its verdict. In the light theme they are what they are in the dark one,
 * as it changes nothing by what stands beside (`page-signature.spec.ts`).
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
  const { main, links, shell } = await signPage(page);
  const pieces = [main, ...links, shell].map((piece) => `${page.viewportSize()?.width} ${piece}`);
  const together = pieces.join(' ');
  if (hasPassed(together)) return;

  const isKnown = pieces.every(hasPassed);
  const objections = isKnown ? await findWholePageViolations(page) : await judgeInBothThemes(page);
  expect.soft(objections, `axe on ${name}`).toEqual([]);
  if (objections.length === 0) [...pieces, together].forEach(notePassed);
}

async function judgeInBothThemes(page: Page): Promise<string[]> {
  const inDark = await findAxeViolations(page);
  await showTheme(page, 'light');
  const inLight = await findContrastViolations(page);
  await showTheme(page, 'dark');
  return [
    ...inDark.map((sentence) => `dark: ${sentence}`),
    ...inLight.map((sentence) => `light: ${sentence}`),
  ];
}

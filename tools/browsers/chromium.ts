import { chromium, type ElementHandle } from '@playwright/test';
import { findInstalledChromium } from '../testing/find-chromium.ts';
import { KEYS, type Handle, type StartDriver } from './driver.ts';

const call = (source: string, args: unknown[]): string => `(${source})(...${JSON.stringify(args)})`;

const NAMES = new Map(Object.entries(KEYS).map(([name, key]) => [key as string, name]));

function createHandle(element: ElementHandle): Handle {
  return {
    click: () => element.click(),
    type: async (text) => {
      for (const key of text) {
        const name = NAMES.get(key);
        await (name ? element.press(name) : element.type(key));
      }
    },
    setFiles: (paths) => element.setInputFiles(paths),
  };
}

/** Chromium, as the end-to-end tests have it. */
export const startChromium: StartDriver = async (_folder, env) => {
  const executablePath = await findInstalledChromium();
  if (!executablePath) return null;
  const browser = await chromium.launch({ executablePath, env, args: ['--no-sandbox'] });
  return {
    version: browser.version(),
    openTab: async (viewport) => {
      const context = await browser.newContext({ viewport });
      const page = await context.newPage();
      const problems: string[] = [];
      page.on('console', (message) => {
        if (message.type() === 'error')
          problems.push(`${message.text()} ${message.location().url}`);
      });
      page.on('pageerror', (error) => problems.push(error.message));
      return {
        open: async (url) => void (await page.goto(url)),
        run: (source, args) => page.evaluate(call(source, args)),
        find: async (source, args) => {
          const element = (await page.evaluateHandle(call(source, args))).asElement();
          return element && createHandle(element);
        },
        screenshot: () => page.screenshot(),
        problems: () => problems,
        close: () => context.close(),
      };
    },
    close: () => browser.close(),
  };
};

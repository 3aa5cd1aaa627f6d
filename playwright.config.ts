import { defineConfig } from '@playwright/test';
import { findChromium } from './tools/testing/find-chromium.ts';

// Found once; the workers, which load this file again, are handed the answer.
process.env.CHROMIUM_PATH = await findChromium();

const CHROMIUM_ARGS = [
  // Build machines run as root, where the sandbox cannot start.
  '--no-sandbox',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // No page here lives long enough for its code to be worth optimising: a tenth less work.
  '--js-flags=--no-maglev,--no-turbofan,--single-threaded-gc',
];

const LONG = /(?:uploading|paying|every-route|offline|long-lists)\.spec\.ts$/;

const jsonReport = process.env.PLAYWRIGHT_JSON_OUTPUT_FILE;

export default defineConfig({
  testDir: 'e2e',
  globalSetup: './e2e/global-setup.ts',
  fullyParallel: true,
  // What takes longest begins first, so that nobody waits for one test at the end.
  projects: [
    { name: 'long', testMatch: LONG },
    { name: 'short', testIgnore: LONG },
  ],
  // One more than there are cores, as on most build machines: many a test waits for music to play.
  workers: 3,
  // On a build machine one slow moment must not cost a whole run; the list names a second try as flaky.
  retries: process.env.CI ? 1 : 0,
  forbidOnly: true,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: jsonReport ? [['list'], ['json', { outputFile: jsonReport }]] : [['list']],
  use: {
    launchOptions: { executablePath: process.env.CHROMIUM_PATH, args: CHROMIUM_ARGS },
    // Recording doubles the time of a test: asked for when one is to be looked into.
    trace: process.env.E2E_TRACE ? 'retain-on-failure' : 'off',
    locale: 'en-ZA',
    timezoneId: 'Africa/Johannesburg',
    // A service worker answers before `page.route` is asked; the tests that are about it allow it.
    serviceWorkers: 'block',
    contextOptions: { reducedMotion: 'reduce' },
  },
});

import { defineConfig } from '@playwright/test';
import { findChromium } from './tools/testing/find-chromium.ts';

// The workers load this file again and get the path from here.
process.env.CHROMIUM_PATH = await findChromium();

const CHROMIUM_ARGS = [
  // Build machines run as root, where the sandbox doesn't work.
  '--no-sandbox',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // No page stays open long enough for optimised code to pay off: saves a tenth of the time.
  '--js-flags=--no-maglev,--no-turbofan,--single-threaded-gc',
];

const LONG =
  /(?:first-evening|uploading|paying|paystack-year|every-route|offline|long-lists)\.spec\.ts$/;

const jsonReport = process.env.PLAYWRIGHT_JSON_OUTPUT_FILE;

export default defineConfig({
  testDir: 'e2e',
  globalSetup: './e2e/support/global-setup.ts',
  // Node runs TypeScript itself; compiling the tests and the server first would take ten seconds.
  build: { external: ['**/*.ts'] },
  fullyParallel: true,
  // The slowest tests start first, so that the run doesn't end with waiting for one of them.
  projects: [
    { name: 'long', testMatch: LONG },
    { name: 'short', testIgnore: LONG },
  ],
  // One more than most build machines have cores, as many tests wait for music to play.
  workers: 3,
  // A slow build machine must not fail a whole run; the report lists retried tests as flaky.
  retries: process.env.CI ? 1 : 0,
  forbidOnly: true,
  // Generous, only for tests that hang: machines may be busy.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  reporter: jsonReport ? [['list'], ['json', { outputFile: jsonReport }]] : [['list']],
  use: {
    launchOptions: { executablePath: process.env.CHROMIUM_PATH, args: CHROMIUM_ARGS },
    // Recording doubles the time of a test, so it is only on for debugging.
    trace: process.env.E2E_TRACE ? 'retain-on-failure' : 'off',
    locale: 'en-ZA',
    timezoneId: 'Africa/Johannesburg',
    // A service worker would answer requests before `page.route`; its own tests allow it.
    serviceWorkers: 'block',
    contextOptions: { reducedMotion: 'reduce' },
  },
});

import type { Page } from '@playwright/test';
import { expect, test, sendEmptyPages } from '../support/fixtures.ts';
import { HOUR } from '#contract/rules/time.ts';

type Component = { name: string; status: string };
type Report = { status: string; components: Component[] };
type Checked = Window & { healthReport?: { runFullCheck: () => Promise<Report> } };

async function openWithClock(page: Page): Promise<void> {
  await page.clock.install();
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  // After the last part of the page: what has no part yet would be forgotten while an hour passes.
  await expect(page.getByRole('contentinfo')).toBeVisible();
  await page.waitForFunction(() => {
    const [section] = [...document.querySelectorAll('main section')].slice(-1);
    return section && Object.keys(section).some((key) => key.startsWith('__react'));
  });
}

test.describe('the version of the server', () => {
  test('is checked on load and every hour', async ({ page }) => {
    let reads = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/api/version')) reads += 1;
    });
    const wait = () => page.waitForResponse('**/api/version');

    const [first] = await Promise.all([wait(), openWithClock(page)]);
    expect(first.ok()).toBe(true);
    // The clock runs on while the page loads, so a minute is left for that.
    await page.clock.fastForward(HOUR - 60_000);
    expect(reads).toBe(1);
    await Promise.all([wait(), page.clock.fastForward(60_000)]);
    expect(reads).toBe(2);
    await Promise.all([wait(), page.clock.fastForward(HOUR)]);
    expect(reads).toBe(3);
  });

  test('is logged when it differs from 1.0.0', async ({ page }) => {
    const logged: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'info') logged.push(message.text());
    });
    const answered = page.waitForResponse('**/api/version');
    await openWithClock(page);
    expect(await (await answered).json()).toMatchObject({ version: '1.0.0' });

    await page.route('**/api/version', (route) => route.fulfill({ json: { version: '1.1.0' } }));
    await page.clock.fastForward(HOUR);
    await expect
      .poll(() => logged)
      .toEqual(['The server runs version 1.1.0; this page runs 1.0.0.']);
  });
});

test('the full health check reports a 500 from the login check as a failure', async ({
  page,
  problems,
}) => {
  problems.expect(/500 .*\/api\/auth\/me$/);
  await page.goto('/');
  await page.waitForFunction(() => (window as Checked).healthReport);
  const check = () =>
    page.evaluate(async () => (await (window as Checked).healthReport?.runFullCheck()) as Report);
  const authOf = ({ components }: Report) => components.find(({ name }) => name === 'auth')?.status;

  expect(authOf(await check())).toBe('ok');
  await sendEmptyPages(page);
  await page.route('**/api/auth/me', (route) => route.fulfill({ status: 500, body: 'broken' }));
  const report = await check();
  expect(authOf(report)).toBe('error');
  expect(report.status).toBe('error');
});

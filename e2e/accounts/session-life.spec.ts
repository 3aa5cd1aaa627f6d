import { DatabaseSync } from 'node:sqlite';
import type { Page } from '@playwright/test';
import { expect, newAccount, test } from '../support/fixtures.ts';
import { DEVICES } from '../support/nightly.ts';

/** The events of a visit; each visit has its own window size. */
function listEvents(viewport: string): string[] {
  const database = new DatabaseSync(process.env.E2E_DATABASE ?? '', { timeout: 10_000 });
  const rows = database
    .prepare('select name from analytics_events where properties like ? order by at, id')
    .all(`%"viewport_size":"${viewport}"%`);
  database.close();
  return rows.map(({ name }) => String(name));
}

async function logIn(page: Page, username: string, password: string): Promise<void> {
  const form = page.getByRole('main');
  await form.getByLabel(/^username/i).fill(username);
  await form.getByLabel('Password', { exact: true }).fill(password);
  await form.getByRole('button', { name: 'Login', exact: true }).click();
}

/** The colour of one pixel, so that any notation can be compared. */
const readColors = (page: Page) =>
  page.evaluate(() => {
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    const toPixel = (color: string) => {
      if (!canvas) return [];
      canvas.fillStyle = color;
      canvas.fillRect(0, 0, 1, 1);
      return Array.from(canvas.getImageData(0, 0, 1, 1).data.slice(0, 3));
    };
    const meta = document.querySelector<HTMLMetaElement>('meta[name=theme-color]');
    return {
      browser: toPixel(meta?.content ?? ''),
      page: toPixel(getComputedStyle(document.body).backgroundColor),
    };
  });

async function expectSameColors(page: Page): Promise<void> {
  const { browser, page: background } = await readColors(page);
  for (const [index, value] of background.entries())
    expect(Math.abs(value - (browser[index] ?? NaN))).toBeLessThan(3);
}

for (const { size, options } of DEVICES)
  test.describe(`on a ${size}`, () => {
    test.use(options);

    test('a failed login says what went wrong, and the message disappears when the user types', async ({
      page,
      problems,
    }) => {
      problems.expect(/(?:401|500|503) .*\/api\/auth\/login$/);
      let answer: { status: number; body: string } = { status: 401, body: '' };
      await page.route('**/api/auth/login', (route) => route.fulfill(answer));
      await page.goto('/login');
      const message = page.getByRole('main').getByRole('alert');
      for (const [status, body, text] of [
        [401, '', 'Invalid username or password'],
        [
          401,
          '{"code":"account_disabled","message":"This account is closed."}',
          'This account is closed.',
        ],
        [500, '{"code":"internal","message":"Something went wrong."}', 'Failed to login'],
        [503, '<html></html>', 'Failed to login'],
      ] as const) {
        answer = { status, body };
        await logIn(page, 'somebody', 'something');
        await expect(message).toHaveText(text);
        await page.getByLabel('Password', { exact: true }).pressSequentially('x');
        await expect(message).toHaveCount(0);
      }
    });

    test('the colour of the browser around the page follows the theme', async ({
      page,
      context,
    }) => {
      await page.goto('/top-20');
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expectSameColors(page);
      await page.getByRole('button', { name: 'Switch to light theme' }).click();
      await expectSameColors(page);
      const light = await readColors(page);
      const other = await context.newPage();
      await other.goto('/top-20');
      await expectSameColors(other);
      expect(await readColors(other)).toEqual(light);
      await other.getByRole('button', { name: 'Switch to dark theme' }).click();
      await expect.poll(() => readColors(page)).not.toEqual(light);
      await expectSameColors(page);
    });

    test('logging out deletes recent searches, and every tab notices', async ({
      page,
      context,
      registerByApi,
    }) => {
      await registerByApi(newAccount());
      await page.goto('/search?q=private%20matters');
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      const readRecent = () =>
        page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('recent-')));
      await expect.poll(readRecent).toHaveLength(1);
      const other = await context.newPage();
      await other.goto('/library');
      await expect(other.getByRole('button', { name: 'My Account' })).toBeVisible();
      await other.waitForFunction(() => 'healthReport' in window);

      await page.getByRole('button', { name: 'My Account' }).click();
      await page.getByRole('menuitem', { name: 'Logout' }).click();
      await expect.poll(readRecent).toEqual([]);
      await expect(other).toHaveURL('/login?next=%2Flibrary');
      expect(await other.evaluate(() => sessionStorage.getItem('auth-user'))).toBeNull();
    });

    test.describe('a visit of a second', () => {
      test.use({ hasAnalytics: true });

      test('is counted, unless the visitor asks not to be tracked', async ({ browser, origin }) => {
        const { width, height } = options.viewport;
        const visit = async (offset: number, isRefused: boolean): Promise<string> => {
          const viewport = { width: width + offset, height: height + offset };
          const context = await browser.newContext({ baseURL: origin, viewport });
          if (isRefused)
            await context.addInitScript(() =>
              Object.defineProperty(navigator, 'doNotTrack', { get: () => '1' }),
            );
          const page = await context.newPage();
          await page.goto('/');
          await page.waitForFunction(() => 'healthReport' in window);
          await page.goto('about:blank');
          const name = `${viewport.width}x${viewport.height}`;
          if (!isRefused)
            await expect
              .poll(() => listEvents(name))
              .toEqual(['Session Start', 'Page Viewed', 'Session End']);
          await context.close();
          return name;
        };
        const refused = await visit(3, true);
        await visit(5, false);
        expect(listEvents(refused)).toEqual([]);
      });
    });
  });

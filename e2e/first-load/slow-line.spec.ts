import type { Page } from '@playwright/test';
import { golden } from '../support/e2e-tracks.ts';
import { expect, newAccount, subscribe, test } from '../support/fixtures.ts';
import { DEVICES } from '../support/nightly.ts';
import { playFromHome } from '../support/player-page.ts';
import { expectSilence, expectSound, watchSound } from '../support/sound.ts';

// What is tested here happens while the browser asks for the data of a page.
test.use({ isRendered: false });

const SESSION_CHECK = '**/api/auth/me';
/** The page waits for two seconds before it shows what it knows. */
const PATIENCE_MS = 2_000;
const LONG_WAIT_MS = 4_000;

const note = (page: Page) => page.getByRole('status').filter({ hasText: /Weekender/ });
const myAccount = (page: Page) => page.getByRole('button', { name: 'My Account' });
const loader = (page: Page) => page.getByText('Loading Weekender…');

/** Requests that match never get an answer until the returned function is called. */
async function hang(page: Page, address: string): Promise<() => Promise<void>> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route(address, async (route) => {
    await released;
    await route.continue().catch(() => undefined);
  });
  return async () => {
    release();
    await page.unroute(address);
  };
}

const setOnline = (page: Page, isOnline: boolean): Promise<void> =>
  page.evaluate((value) => {
    Object.defineProperty(navigator, 'onLine', { value, configurable: true });
    window.dispatchEvent(new Event(value ? 'online' : 'offline'));
  }, isOnline);

for (const { size, options } of DEVICES)
  test.describe(`a line that hangs, on a ${size},`, () => {
    test.use(options);

    test('shows the last known user and page, and follows the answer when it comes', async ({
      page,
      signIn,
    }) => {
      await signIn('premium');
      await page.clock.install();
      await page.goto('/library');
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Library');
      const release = await hang(page, SESSION_CHECK);
      await page.reload();
      await expect(loader(page)).toBeVisible();
      await page.clock.runFor(PATIENCE_MS);
      await expect(note(page)).toContainText('Showing what we know.');
      await expect(myAccount(page)).toHaveText('PR');
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Library');
      await expect(page.getByRole('link', { name: /upgrade/i })).toHaveCount(0);

      // Offline the page says so itself, so the note goes, and comes back with the network.
      await setOnline(page, false);
      await expect(note(page)).toHaveCount(0);
      await setOnline(page, true);
      await note(page).getByRole('button', { name: 'Try again' }).click();
      await expect(page.getByText('Trying again…')).toBeVisible();
      await release();
      await expect(note(page)).toHaveCount(0);
      await expect(myAccount(page)).toHaveText('PR');

      // The session has ended meanwhile, so the late answer logs the user out.
      const releaseAgain = await hang(page, SESSION_CHECK);
      await page.context().clearCookies();
      await page.reload();
      await expect(loader(page)).toBeVisible();
      await page.clock.runFor(PATIENCE_MS);
      await expect(myAccount(page)).toBeVisible();
      await releaseAgain();
      await expect(page).toHaveURL('/login?next=%2Flibrary');
      await expect(myAccount(page)).toHaveCount(0);
    });

    test('treats nobody as a visitor before the server answers', async ({ page, signIn }) => {
      await signIn('free');
      await page.clock.install();
      const release = await hang(page, SESSION_CHECK);
      await page.goto('/favorites');
      await expect(loader(page)).toBeVisible();
      await page.clock.runFor(PATIENCE_MS);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('One moment');
      await expect(page).toHaveURL('/favorites');
      await expect(page.getByRole('link', { name: /upgrade/i })).toHaveCount(0);
      await page.getByRole('link', { name: 'Top 20' }).filter({ visible: true }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Top 20');
      await expect(note(page)).toContainText('we can’t tell yet if you’re logged in.');
      await page.goBack();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('One moment');
      await page.evaluate(() => window.dispatchEvent(new Event('preview-ended')));
      // If a dialog were open, the help couldn't open.
      await page.keyboard.press('?');
      await expect(page.getByRole('dialog')).toHaveAccessibleName('Keyboard shortcuts');
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toHaveCount(0);
      await release();
      await expect(page.getByRole('dialog')).toHaveAccessibleName('Unlock Premium Downloads');
      await page.keyboard.press('Escape');
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Favorites');
      await expect(note(page)).toHaveCount(0);
    });

    test('says why a page stays empty and loads it on Try again; a 503 is retried once', async ({
      page,
      problems,
    }) => {
      problems.expect(/503 .*\/api\/top-20$/);
      const CHART = '**/api/top-20';
      await page.clock.install();
      let isHanging = true;
      let asked = 0;
      await page.route(CHART, async (route) => {
        if (isHanging) return;
        asked += 1;
        await (asked === 1 ? route.fulfill({ status: 503, body: '' }) : route.continue());
      });
      await page.goto('/top-20');
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Top 20');
      await expect(async () => {
        await page.clock.runFor(LONG_WAIT_MS);
        await expect(note(page)).toContainText('taking longer than usual', { timeout: 500 });
      }).toPass();
      isHanging = false;
      await note(page).getByRole('button', { name: 'Try again' }).click();
      await page.clock.runFor(1_000);
      await expect(page.getByRole('navigation', { name: 'Charts of other weeks' })).toBeVisible();
      await expect(note(page)).toHaveCount(0);
      expect(asked).toBe(2);
    });
  });

test.describe('a line with 150 ms and 400 kb/s, on a phone,', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('plays a visitor a preview and offers Premium at its end', async ({ page, context }) => {
    await watchSound(page);
    const client = await context.newCDPSession(page);
    const bytesPerSecond = 400_000 / 8;
    await client.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 150,
      downloadThroughput: bytesPerSecond,
      uploadThroughput: bytesPerSecond,
    });
    await playFromHome(page, golden.title);
    await expectSound(page);
    await page.getByRole('main').getByRole('slider', { name: 'Seek' }).press('End');
    const offer = page.getByRole('dialog', { name: 'Register and Subscribe to Premium' });
    await expect(offer.getByRole('link', { name: 'Create Account' })).toBeFocused();
    await expect(offer.getByRole('radio', { name: /R79 a month/ })).toBeChecked();
    await expectSilence(page);
    await offer.getByRole('button', { name: 'Continue as Guest' }).tap();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(golden.title);
    await expect(page.getByRole('alert')).toHaveCount(0);
  });
});

test.describe('with the service worker', () => {
  test.use({ serviceWorkers: 'allow' });

  test('a new tab knows the user and the mixes, until someone logs out in another', async ({
    page,
    context,
    registerByApi,
    origin,
  }) => {
    const account = newAccount();
    await registerByApi(account);
    subscribe(account);
    await page.request.post(`/api/tracks/${golden.id}/favorite`, { headers: { origin } });
    // A page that the server doesn't render.
    await page.goto('/favorites');
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    await page.reload();
    const row = (tab: Page) => tab.getByRole('main').getByRole('link', { name: golden.title });
    await expect(row(page).first()).toBeVisible();

    const tab = await context.newPage();
    await tab.addInitScript(() => {
      const { fetch } = window;
      // As if the API never answered.
      window.fetch = (input, init) =>
        new Request(input).url.includes('/api/')
          ? new Promise(() => undefined)
          : fetch(input, init);
    });
    await tab.goto('/favorites');
    await expect(note(tab)).toContainText('Showing what we know.');
    await expect(myAccount(tab)).toBeVisible();
    await expect(row(tab).first()).toBeVisible();

    await page.getByRole('button', { name: 'Logout' }).first().click();
    await expect(page.getByRole('link', { name: 'Login' }).first()).toBeVisible();
    await tab.reload();
    await expect(tab.getByRole('heading', { level: 1 })).toHaveText('One moment');
    await expect(myAccount(tab)).toHaveCount(0);
  });
});

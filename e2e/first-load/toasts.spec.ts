import type { Page } from '@playwright/test';
import { golden, robots, short, type E2eTrack } from '../support/e2e-tracks.ts';
import { expect, newAccount, subscribe, test } from '../support/fixtures.ts';
import { DEVICES } from '../support/nightly.ts';
import { PageTraffic } from '../support/page-traffic.ts';

test.use({ viewport: { width: 1440, height: 900 } });

const toast = (page: Page) =>
  page.getByRole('region', { name: /^Notifications/ }).getByRole('listitem');

async function saveProfile(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(toast(page)).toContainText('Profile saved');
}

/** The names of the controls below the toast; rows of a list can be scrolled away. */
const coveredControls = (page: Page) =>
  toast(page).evaluate((element) => {
    const box = element.getBoundingClientRect();
    const isBelow = (control: Element) => {
      const { left, right, top, bottom } = control.getBoundingClientRect();
      const x = (Math.max(left, box.left) + Math.min(right, box.right)) / 2;
      const y = (Math.max(top, box.top) + Math.min(bottom, box.bottom)) / 2;
      if (x < Math.max(left, box.left) || y < Math.max(top, box.top)) return false;
      const hit = document.elementsFromPoint(x, y).find((one) => !element.contains(one));
      return control.contains(hit ?? null) && !control.closest('main li');
    };
    return [...document.querySelectorAll('a[href], button, input, [role=slider]')]
      .filter((control) => !element.contains(control) && isBelow(control))
      .map((control) => control.getAttribute('aria-label') ?? control.textContent);
  });

test.describe('on the profile page', () => {
  test.beforeEach(async ({ page, signIn }) => {
    await signIn('free');
    await page.clock.install();
    await page.goto('/profile');
    // The first toast loads the code; the clock is paused from the second on.
    await saveProfile(page);
    await page.clock.pauseAt(Date.now() + 60_000);
    await expect(toast(page)).toHaveCount(0);
    await saveProfile(page);
  });

  test('a toast stays for five seconds', async ({ page }) => {
    await page.clock.runFor(4999);
    await expect(toast(page)).toBeVisible();
    await page.clock.runFor(1);
    await expect(toast(page)).toHaveCount(0);
  });

  test('a swipe of more than 50 pixels dismisses a toast', async ({ page }) => {
    async function swipe(distance: number): Promise<void> {
      const box = await toast(page).boundingBox();
      if (!box) throw new Error('There is no toast to swipe.');
      const [x, y] = [Math.round(box.x) + 40, Math.round(box.y + box.height / 2)];
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x + distance, y, { steps: 5 });
      await page.mouse.up();
    }
    await swipe(50);
    await expect(toast(page)).toHaveAttribute('data-swipe', 'cancel');
    await expect(toast(page)).toBeVisible();
    await swipe(51);
    await expect(toast(page)).toHaveCount(0);
  });

  test('a toast covers no control, at any width', async ({ page }) => {
    for (const [width, height] of [
      [390, 844],
      [768, 1024],
      [820, 1180],
      [1024, 768],
      [1440, 900],
      [2560, 1440],
    ] as const) {
      await page.setViewportSize({ width, height });
      await page.getByRole('button', { name: 'Save changes' }).scrollIntoViewIfNeeded();
      await expect(toast(page)).toBeInViewport({ ratio: 1 });
      await expect.poll(() => coveredControls(page), `At ${width} pixels`).toEqual([]);
    }
    // There is too little room here, but it never covers the button that was just pressed.
    await page.setViewportSize({ width: 320, height: 568 });
    await page.getByRole('button', { name: 'Save changes' }).scrollIntoViewIfNeeded();
    await expect.poll(() => coveredControls(page)).not.toContain('Save changes');
  });
});

for (const { size, options } of DEVICES)
  test.describe(`an undo on a ${size}`, () => {
    test.use(options);

    test('joins the next one, and comes back after a message', async ({
      page,
      registerByApi,
      origin,
    }) => {
      await registerByApi(newAccount());
      for (const { id } of [golden, robots, short])
        await page.request.post(`/api/tracks/${id}/favorite`, { headers: { origin } });
      await page.clock.install();
      const traffic = new PageTraffic(page);
      await page.goto('/favorites');
      const rows = page.getByRole('list', { name: 'Favorites' }).getByRole('listitem');
      await expect(rows).toHaveCount(3);
      const remove = ({ title }: E2eTrack) =>
        page.getByRole('button', { name: `Favorite: ${title}` }).click();
      const queue = async () => {
        await page.getByRole('button', { name: `More options for ${short.title}` }).click();
        await page.getByRole('menuitem', { name: 'Add to queue' }).click();
        await expect(toast(page)).toContainText(short.title);
      };
      // Loads the code; the clock is paused from then on. A request on its way would time out.
      await queue();
      await traffic.settle();
      await page.clock.pauseAt(Date.now() + 60_000);
      await expect(toast(page)).toHaveCount(0);

      await remove(golden);
      await expect(toast(page)).toContainText('Removed from favorites');
      await page.clock.runFor(2000);
      await remove(robots);
      await expect(toast(page)).toContainText('2 mixes removed from favorites');
      await page.clock.runFor(3000);
      await queue();
      await expect(toast(page)).toHaveCount(1);
      await page.clock.runFor(5000);
      await expect(toast(page)).toContainText('2 mixes removed from favorites');
      await page.clock.runFor(1999);
      await toast(page).getByRole('button', { name: 'Undo both' }).click();
      await page.clock.resume();
      await expect(toast(page)).toContainText('Added to favorites');
      await expect(rows).toHaveCount(3);
    });
  });

for (const [name, use] of [
  [
    'a phone',
    {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
      // The dialog slides in, so its controls get under the toast after it has opened.
      contextOptions: { reducedMotion: 'no-preference' },
    },
  ],
  ['a desktop', { viewport: { width: 1440, height: 900 } }],
] as const)
  test.describe(`a lasting toast on ${name}`, () => {
    test.use({ ...use, serviceWorkers: 'allow' });

    test('comes back after a short one, and leaves an open dialog its controls and Escape', async ({
      page,
      signIn,
    }) => {
      await signIn('free');
      await page.clock.install();
      await page.goto('/library');
      await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
      const more = page.getByRole('button', { name: `More options for ${short.title}` });
      const dialog = page.getByRole('dialog', { name: 'Add to playlist' });
      const openDialog = async () => {
        await more.click();
        await page.getByRole('menuitem', { name: 'Add to playlist' }).click();
        await expect(dialog).toBeVisible();
      };
      await openDialog();
      // To the browser, another URL of the script is another version.
      await page.evaluate(() =>
        navigator.serviceWorker.register('/service-worker.js?newer', { scope: '/' }),
      );
      await expect(toast(page)).toContainText('Update available');
      await expect.poll(() => coveredControls(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await expect(dialog).toHaveCount(0);
      await expect(toast(page)).toContainText('Update available');

      await more.click();
      await page.getByRole('menuitem', { name: 'Add to queue' }).click();
      await expect(toast(page)).toContainText(short.title);
      await expect(toast(page)).toHaveCount(1);
      await page.clock.fastForward(5000);
      await expect(toast(page)).toContainText('Update available');

      await openDialog();
      await expect.poll(() => coveredControls(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await expect(dialog).toHaveCount(0);
      // The dialog has just gone, so the toast may not have noticed yet.
      await expect(async () => {
        await page.keyboard.press('Escape');
        await expect(toast(page)).toHaveCount(0, { timeout: 500 });
      }).toPass();
    });
  });

/** The headings and the marked parts of the page that a toast lies over. */
const coveredTexts = (page: Page) =>
  toast(page).evaluate((element) => {
    const box = element.getBoundingClientRect();
    return [...document.querySelectorAll('h1, h2, main dl')]
      .filter((text) => {
        const { left, right, top, bottom } = text.getBoundingClientRect();
        const isOver = left < box.right && right > box.left && top < box.bottom && bottom > box.top;
        // What a dialog covers can't be read anyway.
        return isOver && text.closest('[role=dialog]') === document.querySelector('[role=dialog]');
      })
      .map((text) => text.textContent);
  });

for (const [width, height] of [
  [390, 844],
  [1440, 900],
] as const)
  test(`a toast stays off the headings of the download sheet and the success page, at ${width} pixels`, async ({
    page,
    registerByApi,
  }) => {
    const account = newAccount();
    await registerByApi(account);
    subscribe(account);
    await page.setViewportSize({ width, height });
    await page.goto(`/track/${golden.id}`);
    await page.waitForFunction(() => 'healthReport' in window);
    await page
      .getByRole('main')
      .getByRole('button', { name: /^Favorite/ })
      .first()
      .click();
    await expect(toast(page)).toBeVisible();
    // A toast waits for whoever looks at another window.
    await page.evaluate(() => void window.dispatchEvent(new Event('blur')));
    await page.getByRole('button', { name: 'Download', exact: true }).click();
    await expect(page.getByRole('dialog').getByRole('button', { name: /^FLAC/ })).toBeVisible();
    await expect.poll(() => coveredTexts(page)).toEqual([]);
    await expect.poll(() => coveredControls(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();

    await page.evaluate(() => history.pushState(null, '', '/subscription-success'));
    await expect(page.getByRole('heading', { name: 'You have Premium' })).toBeVisible();
    await expect(page.getByText('Full access to all content').last()).toBeVisible();
    await expect(toast(page)).toBeVisible();
    await expect.poll(() => coveredTexts(page)).toEqual([]);
    await expect.poll(() => coveredControls(page)).toEqual([]);
  });

import type { Locator, Page } from '@playwright/test';
import type { Track } from '#contract/tracks.ts';
import { HOUR } from '#contract/rules/time.ts';
import { golden } from '../support/e2e-tracks.ts';
import { expect, test, sendEmptyPages } from '../support/fixtures.ts';
import { DESKTOP, DEVICES, PHONE } from '../support/nightly.ts';
import { bar, inBar } from '../support/player-page.ts';
import { expectSilence, expectSound, soundFile, watchSound } from '../support/sound.ts';

const plans = (page: Page): Locator => page.getByRole('region', { name: 'Plans and prices' });
const mix = (page: Page): Locator => page.getByRole('region', { name: golden.title });

for (const { size, options } of DEVICES)
  test.describe(`on a ${size}`, () => {
    test.use(options);

    test('the landing page has no shell and plays the newest mix', async ({ page }) => {
      await watchSound(page);
      await page.goto('/landing');
      await expect(page.getByRole('heading', { level: 1, name: 'One mix a week.' })).toBeVisible();
      await expect(page.getByRole('complementary')).toHaveCount(0);
      await expect(page.getByRole('navigation', { name: 'Main' })).toHaveCount(0);
      await expect(page.getByRole('search')).toHaveCount(0);
      await expect(page.getByRole('link', { name: /^skip to/i })).toHaveCount(0);
      const header = page.getByRole('banner');
      for (const name of ['Login', 'Register'])
        await expect(header.getByRole('link', { name })).toBeVisible();

      await expect(mix(page).getByText('Play 20 seconds, no account needed')).toBeVisible();
      await mix(page).getByRole('button', { name: 'Play preview' }).click();
      await expectSound(page);
      expect(await soundFile(page)).toContain(`/media/tracks/${golden.id}/preview`);
      await expect(mix(page).getByText('Playing 20 seconds of 1:00')).toBeVisible();
      await expect(bar(page)).toHaveCount(0);

      await mix(page).getByRole('slider').press('End');
      const dialog = page.getByRole('dialog', { name: 'Register and Subscribe to Premium' });
      await dialog.getByRole('button', { name: 'Continue as Guest' }).click();
      await expect(dialog).toBeHidden();
      await expectSilence(page);

      await mix(page).getByRole('button', { name: 'Play preview' }).click();
      await expectSound(page);
      await page.getByRole('contentinfo').getByRole('link', { name: 'Top 20' }).click();
      await expect(inBar(page, 'Pause')).toBeVisible();
      await page.goBack();
      await expect(mix(page).getByRole('button', { name: 'Play preview' })).toBeVisible();
      await expectSilence(page);
    });

    test('a visitor finds the price, and the way back is kept', async ({ page }) => {
      await page.goto('/top-20');
      await page.getByRole('banner').getByRole('link', { name: 'Upgrade to Premium' }).click();
      await expect(page).toHaveURL('/landing?next=%2Ftop-20#plans');
      await expect(plans(page).getByRole('heading', { name: 'R79: all of it' })).toBeInViewport();
      const year = plans(page).getByRole('link', { name: 'R790 a year' });
      await expect(year).toBeInViewport();
      await expect(plans(page).getByRole('listitem').nth(0)).toHaveText(
        'Every mix in full, from start to finish',
      );

      await plans(page).getByRole('link', { name: 'Register for free' }).click();
      await expect(page).toHaveURL('/register?next=%2Ftop-20');
      const main = page.getByRole('main');
      await main.getByRole('link', { name: 'Login' }).click();
      await expect(page).toHaveURL('/login?next=%2Ftop-20');
      await main.getByRole('link', { name: 'Plans and prices' }).click();
      await expect(year).toBeInViewport();
      await page.getByRole('banner').getByRole('link', { name: 'Login' }).click();
      await main.getByRole('link', { name: 'Create an account' }).click();
      await expect(page).toHaveURL('/register?next=%2Ftop-20');
    });

    test('a member who opens the login page is sent on, but never to another site', async ({
      page,
      signIn,
    }) => {
      await signIn('free');
      await page.goto('/login?next=%2Fsearch%3Fq%3D100%2525');
      await expect(page).toHaveURL('/search?q=100%25');
      await page.goto('/register?next=%2F%5Cexample.org');
      await expect(page).toHaveURL('/');
      await page.goto('/landing');
      await expect(page.getByRole('banner').getByRole('link', { name: 'Home' })).toBeVisible();
      await expect(plans(page).getByRole('link', { name: 'R79 a month' })).toHaveAttribute(
        'href',
        '/pricing?plan=monthly&checkout=start',
      );
    });
  });

test.describe('early access', () => {
  test.use(PHONE);

  test('shows the public hour to subscribers, and a reason to subscribe to everyone else', async ({
    page,
    openAs,
  }) => {
    const publishedAt = Date.now() + 30 * HOUR;
    const hour = new Intl.DateTimeFormat('en-GB', {
      weekday: 'long',
      hour: '2-digit',
      minute: '2-digit',
      timeZone: 'Africa/Johannesburg',
    })
      .format(publishedAt)
      .replace(',', '');
    const text = `Early access · public ${hour}`;
    const subscriber = await openAs('premium', {
      ...DESKTOP,
      locale: 'en-ZA',
      timezoneId: 'Africa/Johannesburg',
    });
    await releaseLater(subscriber, publishedAt);
    await subscriber.goto('/');
    const stage = subscriber.getByRole('region', { name: golden.title });
    await expect(stage.getByText(text)).toBeVisible();
    await subscriber.goto('/library');
    const row = subscriber.getByRole('listitem').filter({ hasText: golden.title });
    await expect(row.getByText(text)).toBeVisible();
    await row.getByRole('link', { name: golden.title }).click();
    await expect(stage.getByText(text)).toBeVisible();

    const release = { title: 'Test Pressing', year: 2026, weekNumber: 47, publishedAt };
    await sendEmptyPages(page);
    await page.route('**/api/tracks/early', (route) =>
      route.fulfill({ json: { now: Date.now(), release, upcoming: [] } }),
    );
    await page.goto('/');
    const note = page.getByRole('region', { name: 'Early access' });
    await expect(note).toContainText(
      `Premium members are already hearing Test Pressing, the second mix of week 47. Out ${hour.replace(' ', ' at ')}, in `,
    );
    // The numeral of the week is above it, once.
    await expect(note.getByRole('heading', { name: 'Early access' })).toBeVisible();
    await expect(note.getByText('47', { exact: true })).toHaveCount(0);
    await note.getByRole('link', { name: 'Hear it now' }).click();
    await expect(plans(page).getByRole('link', { name: 'R79 a month' })).toBeInViewport();
  });
});

/** As if the newest mix were public only then. */
async function releaseLater(page: Page, publishedAt: number): Promise<void> {
  const change = (track: Track) => (track.id === golden.id ? { ...track, publishedAt } : track);
  await sendEmptyPages(page);
  await page.route(/\/api\/tracks(?:\?|\/golden-hour$)/, async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as Track | { items: Track[] };
    const json = 'items' in body ? { ...body, items: body.items.map(change) } : change(body);
    await route.fulfill({ response, json });
  });
}

import type { Page } from '@playwright/test';
import { buildDateFormat, type FormatDate } from '#contract/rules/days.ts';
import { formatDate, formatDay } from '#contract/rules/format.ts';
import { DAY, HOUR } from '#contract/rules/time.ts';
import { golden, robots } from '../support/e2e-tracks.ts';
import { expect, newAccount, setProgress, subscribe, test } from '../support/fixtures.ts';
import { DEVICES } from '../support/nightly.ts';
import { expectSound, watchSound } from '../support/sound.ts';

// A browser whose words and days differ from the site's.
const elsewhere = { locale: 'en-US', timezoneId: 'America/New_York' };
// A different day there than in the site's time zone, and at least two days ago.
const listenedAt = Math.floor(Date.now() / DAY) * DAY - 3 * DAY + 2 * HOUR;
const onSite =
  (format: FormatDate) =>
  (at: number): string =>
    format(at, 'Africa/Johannesburg');
const formatWeekday = onSite(buildDateFormat({ weekday: 'short', day: 'numeric', month: 'short' }));

/** Lets the playing mix play on from its last second. */
const skipToEnd = (page: Page) =>
  page.evaluate(() => {
    const { media } = window as unknown as { media: Set<HTMLMediaElement> };
    for (const element of media) if (!element.paused) element.currentTime = element.duration - 1;
  });

const row = (page: Page, title: string) =>
  page.getByRole('main').getByRole('listitem').filter({ hasText: title });

/** What the server says about an account that did everything at the same time. */
const answersAt = (at: number, track: unknown) => ({
  '/api/downloads*': {
    items: [{ track, format: 'mp3', size: 84e6, downloadedAt: at, times: 1 }],
    nextCursor: null,
  },
  '/api/achievements': {
    items: [
      {
        id: 'first-mix',
        title: 'First mix',
        description: 'Hear a mix to the end.',
        progress: 1,
        goal: 1,
        unit: 'count',
        earnedAt: at,
        isNew: false,
      },
    ],
  },
  '/api/deleted-playlists': {
    items: [{ id: 'p', name: 'Sunday', trackCount: 3, deletedAt: at }],
    nextCursor: null,
  },
  '/api/me/sessions': {
    items: [
      { id: 's', device: 'Firefox on Linux', isCurrent: false, createdAt: at, lastSeenAt: at },
    ],
  },
  '/api/subscription': {
    status: 'active',
    hasAccess: true,
    plan: 'monthly',
    currency: 'ZAR',
    paidThrough: at,
    accessUntil: at,
    nextPayment: { at, amount: 790_00, plan: 'annual' },
    nextPlan: 'annual',
    card: null,
    problem: null,
    canResume: false,
    renews: true,
    priceChange: null,
    withdrawal: null,
    otherSubscriptions: [],
  },
  '/api/subscription/invoices*': {
    items: [
      {
        id: 'i',
        number: '2026-0007',
        at,
        issuedAt: at,
        plan: 'monthly',
        from: at,
        to: at,
        amount: 79_00,
        refunded: 0,
        currency: 'ZAR',
        card: null,
        status: 'paid',
        creditNotes: [],
      },
    ],
    nextCursor: null,
  },
});

for (const { size, options } of DEVICES)
  test.describe(`on a ${size}`, () => {
    test.use({ ...options, ...elsewhere });

    test('a mix that was heard to the end is marked on every page at once, in other tabs too', async ({
      page,
      context,
      registerByApi,
    }) => {
      await watchSound(page);
      const account = newAccount();
      await registerByApi(account);
      setProgress(account, golden.id, { position: 30, listened: 20, listenedAt });
      setProgress(account, robots.id, { position: 20, listened: 20, listenedAt: Date.now() });

      // A preview is only ever “Preview heard”, and there is nothing to continue.
      await page.goto('/recently-played');
      await expect(row(page, golden.title)).toContainText('Preview heard');
      await expect(row(page, robots.title)).toContainText('Preview heard');
      await expect(row(page, golden.title).getByRole('time')).toHaveText(formatWeekday(listenedAt));
      await expect(row(page, robots.title).getByRole('time')).toHaveText(/^\d\d:\d\d$/);
      await page.getByRole('link', { name: 'Home' }).first().click();
      await expect(page.getByText(/^\d+ mixes so far$/)).toBeVisible();
      const year = page.getByRole('slider', { name: /^Weeks of/ });
      await expect(year).toHaveAttribute(
        'aria-valuetext',
        new RegExp(`${golden.title}, preview heard$`),
      );
      await expect(page.getByRole('region', { name: 'New releases' })).toBeVisible();
      await expect(page.getByRole('region', { name: 'Continue listening' })).toHaveCount(0);

      subscribe(account);
      await page.reload();
      const started = page.getByRole('region', { name: 'Continue listening' });
      await expect(started.getByRole('listitem')).toHaveText([
        new RegExp(`${robots.title}.*40 s left`, 's'),
        new RegExp(`${golden.title}.*30 s left`, 's'),
      ]);
      const counts = page.getByRole('paragraph').filter({ hasText: /^\d+ heard/ });
      await expect(counts).toHaveText(/^0 heard.*2 started/);
      const missed = page.getByRole('region', { name: 'Weeks you missed' });
      await expect(missed.getByText(robots.title)).toHaveCount(0);
      const other = await context.newPage();
      await other.goto('/library?state=listened');
      await expect(row(other, robots.title)).toContainText('40 s left');

      await started.getByRole('button', { name: `Play: ${robots.title}` }).click();
      await expectSound(page);
      await skipToEnd(page);
      await expect(started.getByRole('listitem')).toHaveText([new RegExp(golden.title)]);
      await expect(counts).toHaveText(/^1 heard.*1 started/);
      await expect(row(other, robots.title)).toContainText('Heard');
      await other.getByRole('radio', { name: 'Missed' }).click();
      await expect(other.getByRole('radio', { name: 'Missed' })).toBeChecked();
      await expect(row(other, robots.title)).toHaveCount(0);

      await other.goto('/recently-played');
      await expect(row(other, robots.title)).toContainText('Heard');
      await expect(row(other, golden.title)).toContainText('30 s left');
      await other.goto(`/track/${robots.id}`);
      await expect(other.getByRole('main').getByText('Heard', { exact: false })).toBeVisible();
    });
  });

test.describe('in New York', () => {
  test.use(elsewhere);

  test('dates and times are those of the site, and which zone that is stands below', async ({
    page,
    signIn,
  }) => {
    await signIn('premium');
    const track: unknown = await (await page.request.get(`/api/tracks/${golden.id}`)).json();
    for (const [path, json] of Object.entries(answersAt(listenedAt, track)))
      await page.route(`**${path}`, (route) => route.fulfill({ json }));
    const main = page.getByRole('main');
    const [date, day] = [onSite(formatDate)(listenedAt), onSite(formatDay)(listenedAt)];
    const short = onSite(buildDateFormat({ day: 'numeric', month: 'short', year: 'numeric' }));

    await page.goto('/downloads');
    await expect(row(page, golden.title)).toContainText(`MP3 84 MB · ${short(listenedAt)}`);
    await page.goto('/achievements');
    await expect(main.getByText(`Earned ${date}`)).toBeVisible();
    await page.goto('/playlists');
    await expect(main.getByText(`Deleted on ${formatWeekday(listenedAt)}`)).toBeVisible();
    await page.goto('/settings');
    await expect(main.getByText(`logged in on ${date}`)).toBeVisible();
    await page.goto('/subscription');
    await expect(main.getByText(`Due ${day}`)).toBeVisible();
    await expect(main.getByText(`switching to annual on ${day}`)).toBeVisible();
    await expect(main.getByRole('list', { name: 'Invoices' })).toContainText(`${date}Monthly`);
    await expect(page.getByText('All times are Johannesburg time.')).toBeVisible();
  });

  test('no text changes when the browser takes over a page', async ({ page, signIn }) => {
    const { promise: scripts, resolve: takeOver } = Promise.withResolvers<void>();
    await page.route(/\/assets\/app-[\w-]{8}\.js$/, async (route) => {
      await scripts;
      await route.continue();
    });
    await signIn('free');
    await page.goto('/pricing', { waitUntil: 'commit' });
    const main = page.getByRole('main');
    // The next payment, as the server dates it.
    await expect(main).toContainText(/from \d+ [A-Z][a-z]+/);
    // The whole page has arrived, with or without its styles.
    await expect(main).toContainText('Give Premium.');
    const text = await main.textContent();
    takeOver();
    await page.waitForFunction(() => 'healthReport' in window);
    expect(await main.textContent()).toBe(text);
  });
});

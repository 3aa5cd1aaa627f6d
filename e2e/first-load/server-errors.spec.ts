import type { Locator, Page } from '@playwright/test';
import { golden } from '../support/e2e-tracks.ts';
import { expect, test } from '../support/fixtures.ts';

// What is tested here happens while the browser asks for the data of a page.
test.use({ isRendered: false });

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

/** The wait before the one retry. */
const RETRY_MS = 1_000;

type Failure = {
  /** The only calls that the server answers with a 500. */
  calls: RegExp[];
  heading: string;
  sentences: (string | RegExp)[];
  /** What the page still has. */
  stays?: (main: Locator) => Locator;
};
/** Each failure follows a press of Try again. */
type Visit = { path: string; failures: Failure[] };

const button = (name: string) => (main: Locator) => main.getByRole('button', { name }).first();

const visits: Visit[] = [
  {
    path: '/',
    failures: [
      {
        calls: [/\/api\/tracks\?limit=/],
        heading: 'Something went wrong',
        sentences: [
          'Couldn’t load the mixes',
          'Your music keeps playing. It’s our fault, not your connection’s.',
        ],
      },
      {
        calls: [/\/api\/tracks\?year=/, /\/api\/top-20$/, /\/api\/history\?/],
        heading: golden.title,
        sentences: [
          /^Couldn’t load the weeks of \d{4}\.$/,
          'Couldn’t load the Top 20.',
          'Couldn’t load the mixes you started.',
        ],
        stays: button('Play'),
      },
    ],
  },
  {
    path: `/track/${golden.id}`,
    failures: [
      {
        calls: [new RegExp(`/api/tracks/${golden.id}$`)],
        heading: 'Track',
        sentences: ['Couldn’t load this mix'],
      },
      {
        calls: [/\/neighbours$/],
        heading: golden.title,
        sentences: ['Couldn’t load the previous and next mix.'],
        stays: button('Play'),
      },
    ],
  },
  {
    path: '/library',
    failures: [
      {
        calls: [/\/api\/tracks\/facets$/],
        heading: 'Library',
        sentences: ['Couldn’t load the genres and years.'],
        stays: (main) => main.getByRole('link', { name: golden.title }).first(),
      },
    ],
  },
  {
    path: '/playlists',
    failures: [
      {
        calls: [/\/api\/playlists(\?|$)/, /\/api\/deleted-playlists$/],
        heading: 'Playlists',
        sentences: ['Couldn’t load this list', 'Couldn’t load the playlists you deleted.'],
        stays: button('New playlist'),
      },
    ],
  },
  {
    path: '/settings',
    failures: [
      {
        calls: [
          /\/me\/preferences$/,
          /\/me\/podcast-feed$/,
          /\/me\/app-passwords$/,
          /\/me\/scrobbling$/,
          /\/me\/notifications$/,
          /\/me\/sessions$/,
          /\/me\/totp$/,
        ],
        heading: 'Settings',
        sentences: [
          'Couldn’t load this setting.',
          'Couldn’t load your podcast feed',
          'Couldn’t load your music apps',
          'Couldn’t load your scrobbling settings',
          'Couldn’t load your release notices',
          'Couldn’t load your devices',
          'Couldn’t check the status.',
        ],
        stays: button('Change password…'),
      },
    ],
  },
  {
    path: '/pricing',
    failures: [
      {
        calls: [/\/api\/plans$/, /\/api\/subscription$/],
        heading: 'Hear the whole year',
        sentences: ['Couldn’t load the prices'],
      },
      {
        calls: [/\/api\/subscription$/],
        heading: 'Hear the whole year',
        sentences: ['Couldn’t load your subscription'],
      },
    ],
  },
];

/** These show data that the pages above have loaded, so they need a page of their own. */
const freshVisits: Visit[] = [
  {
    path: '/subscription',
    failures: [
      {
        calls: [/\/api\/subscription$/],
        heading: 'Subscription',
        sentences: ['Couldn’t load your subscription'],
      },
    ],
  },
  {
    path: '/top-20',
    failures: [
      {
        calls: [/\/api\/top-20$/],
        heading: 'Top 20',
        sentences: ['Couldn’t load the chart'],
      },
    ],
  },
];

const goInside = (page: Page, path: string) =>
  page.evaluate((address) => window.history.pushState(null, '', address), path);

test('a page says which part the server couldn’t load, keeps the rest, and tries again', async ({
  page,
  signIn,
  problems,
}) => {
  problems.expect(/ 500 .*\/api\//);
  problems.expect(/status of 500 .*\/api\//);
  await signIn('premium');
  await page.clock.install();
  let failing: RegExp[] = [];
  let failed = 0;
  await page.route('**/api/**', (route) => {
    if (!failing.some((call) => call.test(route.request().url()))) return route.fallback();
    failed += 1;
    return route.fulfill({ status: 500, json: { code: 'internal', message: 'Internal error' } });
  });
  const main = page.getByRole('main');
  const retry = () =>
    main
      .getByRole('button', { name: 'Try again' })
      // All at once, before the first answer removes one of them.
      .evaluateAll((buttons: HTMLElement[]) => buttons.forEach((each) => each.click()));

  async function visit({ failures }: Visit, open: () => Promise<unknown>): Promise<void> {
    for (const [index, { calls, heading, sentences, stays }] of failures.entries()) {
      failing = calls;
      failed = 0;
      await (index === 0 ? open() : retry());
      const found = sentences.map((sentence) => main.getByText(sentence, { exact: true }).first());
      await expect(async () => {
        await page.clock.runFor(RETRY_MS);
        for (const sentence of found) await expect(sentence).toBeVisible({ timeout: 100 });
      }).toPass({ intervals: [50] });
      expect(failed, 'Each call is tried twice').toBe(2 * calls.length);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading);
      if (stays) await expect(stays(main)).toBeVisible();
    }
    failing = [];
    await retry();
    await expect(main.getByText(/^Couldn’t/)).toHaveCount(0);
  }
  for (const each of visits)
    await test.step(each.path, () =>
      visit(each, () => (each.path === '/' ? page.goto('/') : goInside(page, each.path))),
    );
  for (const each of freshVisits)
    await test.step(each.path, async () => {
      // Requests that the last page still sends must not count.
      await page.goto('about:blank');
      await visit(each, () => page.goto(each.path));
    });
});

import type { Locator, Page } from '@playwright/test';
import { golden, robots } from '../support/e2e-tracks.ts';
import { expect, test } from '../support/fixtures.ts';
import { isNightly } from '../support/nightly.ts';

// What is tested here happens while the browser asks for the data of a page.
test.use({ isRendered: false });

/** Everything a page shows, but not the user: without them there is no page. */
const HELD = /\/api\/(?!auth\/me)/;

/** Each page is loaded once and measured as a phone and as a desktop shows it. */
const windows = [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
];

type Box = { y: number; height: number; row: number };

/** Its place and height, and the height of its first row. */
const measure = (locator: Locator): Promise<Box> =>
  locator.evaluate((element) => {
    let rows: Element = element;
    while (rows.children.length === 1 && rows.firstElementChild) rows = rows.firstElementChild;
    const row = rows.firstElementChild?.getBoundingClientRect().height ?? 0;
    const { y, height } = element.getBoundingClientRect();
    return { y, height, row };
  });

type LoadingPage = {
  path: string;
  /** What the page itself asks for: then its own skeleton has replaced the one of its route. */
  asks: RegExp;
  /** What takes the place of the skeleton. */
  part: Locator;
  /** The name of the skeleton, if it isn't the first one on the page. */
  loading?: string;
  /** It is as high as its skeleton, or its first row is as high as that of its skeleton. */
  isSame?: 'height' | 'row';
  /** Follows it and must not move much either. */
  below?: Locator;
  /** How many pixels it may start above or below its skeleton, if not 40. */
  maxMove?: number;
  /** False where the heading is a part of what loads. */
  hasHeading?: boolean;
  /** In place of the server's answer to what it asks, for a list that may be empty. */
  items?: readonly unknown[];
};

type Measured = { content: Box; heading: Box | null; below: Box | null };

async function expectSameShape(page: Page, shown: LoadingPage): Promise<void> {
  const { path, asks, part, below, hasHeading = true, items } = shown;
  const name = shown.loading ?? /^Loading/;
  const { promise: isHeld, resolve: release } = Promise.withResolvers<void>();
  await page.route(HELD, async (route) => {
    await isHeld;
    if (items && asks.test(route.request().url()))
      await route.fulfill({ json: { items, nextCursor: null } });
    else await route.continue();
  });
  const isAsked = page.waitForRequest(asks);
  await page.goto(path);
  await isAsked;
  const main = page.getByRole('main');
  const heading = main.getByRole('heading', { level: 1 });
  const loading = main.getByRole('status', { name }).first();
  const measureAll = async (content: Locator): Promise<Measured> => ({
    content: await measure(content),
    heading: hasHeading ? await measure(heading) : null,
    below: below ? await measure(below) : null,
  });
  const measureWindows = async (content: Locator) => {
    const measured: Measured[] = [];
    for (const size of windows) {
      await page.setViewportSize(size);
      measured.push(await measureAll(content));
    }
    return measured;
  };
  const before = await measureWindows(loading);
  await expect(main.locator('[role=status] [role=status]')).toHaveCount(0);
  const square = await main.locator('[role=status] .rounded-pill').evaluateAll((elements) =>
    elements.filter((element) => {
      const { borderTopLeftRadius: radius } = getComputedStyle(element);
      return parseFloat(radius) < element.clientHeight / 2;
    }),
  );
  expect(square, `What is round on ${path} loads as round`).toEqual([]);
  release();
  const after = await measureWindows(part);
  await page.unrouteAll({ behavior: 'wait' });
  for (const [index, { width }] of windows.entries())
    compare(before[index], after[index], shown, `${path} at ${width} pixels`);
}

function compare(
  before: Measured | undefined,
  after: Measured | undefined,
  { isSame, maxMove = 40 }: LoadingPage,
  name: string,
): void {
  if (!before || !after) throw new Error(`${name} was not measured.`);
  expect(after.heading, `The heading of ${name} stays`).toEqual(before.heading);
  const moves = (from: Box | null, to: Box | null) => Math.abs((to?.y ?? 0) - (from?.y ?? 0));
  expect(moves(before.content, after.content), `${name} starts where it loaded`).toBeLessThan(
    maxMove,
  );
  expect(moves(before.below, after.below), `What follows stays, ${name}`).toBeLessThan(60);
  // Titles differ in length, so one line more or less is fine.
  const growth = Math.abs(after.content.height / before.content.height - 1);
  if (isSame === 'height') expect(growth, `${name} is as high`).toBeLessThan(0.2);
  const rowGrowth = Math.abs(after.content.row - before.content.row);
  if (isSame === 'row') expect(rowGrowth, `The rows are as high, ${name}`).toBeLessThan(25);
}

const playlist = {
  id: 'p',
  name: 'Sunday',
  description: '',
  trackCount: 3,
  sleeves: [],
  isShared: false,
  updatedAt: Date.now(),
};

const session = {
  id: 's',
  device: 'Firefox on Linux',
  isCurrent: true,
  createdAt: Date.now(),
  lastSeenAt: Date.now(),
};

const auditEntry = {
  id: 'a',
  at: Date.now(),
  actor: { id: 'u', name: 'naledi' },
  via: 'web',
  action: 'track.published',
  subject: { kind: 'track', id: 't', name: golden.title, weekNumber: 46, isDeleted: false },
  changes: [],
  reason: null,
  requestId: null,
};

test('a page keeps its shape while it loads, on a phone and a desktop', async ({
  page,
  signIn,
}) => {
  await signIn('premium');
  const main = page.getByRole('main');
  const pages: LoadingPage[] = [
    {
      path: '/',
      asks: /\/api\/tracks(\?|$)/,
      part: page.getByRole('region', { name: golden.title }),
      isSame: 'height',
      hasHeading: false,
    },
    {
      path: `/track/${golden.id}`,
      asks: new RegExp(`/api/tracks/${golden.id}$`),
      part: page.getByRole('region', { name: golden.title }),
      hasHeading: false,
    },
    {
      path: '/top-20',
      asks: /\/api\/top-20/,
      part: page.getByRole('region', { name: robots.title }),
      maxMove: 1,
    },
    {
      path: '/library',
      asks: /\/api\/tracks\?/,
      part: page.getByRole('region', { name: /^\d{4}$/ }).first(),
    },
    {
      path: '/achievements',
      asks: /\/api\/achievements/,
      part: main.getByRole('region', { name: /Earned|In progress/ }).first(),
    },
    {
      path: '/playlists',
      asks: /\/api\/playlists/,
      part: main.getByRole('list', { name: 'Your playlists' }),
      isSame: 'row',
      items: [playlist, { ...playlist, id: 'q' }],
    },
    {
      path: '/subscription',
      asks: /\/api\/subscription/,
      part: main.getByRole('region', { name: 'Plan' }).locator('..'),
      isSame: 'height',
    },
    {
      path: '/settings',
      asks: /\/api\/me\/sessions/,
      part: main.getByRole('list', { name: 'Devices' }),
      loading: 'Loading your devices',
      items: [session, { ...session, id: 't', isCurrent: false }],
    },
  ];
  for (const shown of pages) await expectSameShape(page, shown);
});

// These pages change rarely, and so do their skeletons.
if (isNightly())
  test('the pages of an administrator keep their shape while they load, on a phone and a desktop', async ({
    page,
    signIn,
  }) => {
    await signIn('admin');
    const main = page.getByRole('main');
    const pages: LoadingPage[] = [
      {
        path: '/admin',
        asks: /\/api\/admin\/week/,
        part: main.locator('[aria-labelledby="staged"]'),
      },
      {
        path: '/admin/tracks',
        asks: /\/api\/admin\/tracks/,
        part: main.getByRole('list', { name: 'Mixes' }),
        isSame: 'row',
      },
      {
        path: '/admin/subscribers',
        asks: /\/api\/admin\/subscribers/,
        part: main.getByRole('list', { name: 'Members' }),
        isSame: 'row',
      },
      {
        path: '/admin/reports',
        asks: /\/api\/admin\/reports\/plays/,
        part: main.getByRole('region', { name: 'Plays' }),
      },
      {
        path: '/admin/jobs',
        asks: /\/api\/admin\/schedules/,
        part: main.getByText('No failed jobs.'),
        below: main.getByRole('heading', { name: 'Schedules' }),
      },
      {
        path: '/admin/payments',
        asks: /\/api\/admin\/payment-issues/,
        part: main.getByRole('group', { name: 'Renewals' }),
        loading: 'Loading settings',
      },
      {
        path: '/admin/books',
        asks: /\/api\/admin\/books/,
        part: main.getByRole('region', { name: 'Sales and refunds' }).locator('..'),
        loading: 'Loading the figures',
        isSame: 'height',
      },
      {
        path: '/admin/audit',
        asks: /\/api\/admin\/audit/,
        part: main.getByRole('list', { name: 'Audit log' }),
        isSame: 'row',
        items: [auditEntry, { ...auditEntry, id: 'b' }],
      },
      {
        path: '/admin/settings/seller',
        asks: /\/api\/admin\/settings/,
        part: main.locator('form'),
        isSame: 'height',
      },
    ];
    for (const shown of pages) await expectSameShape(page, shown);
  });

test('in the light theme a skeleton has a shade of its stage, and is grey before the week is known', async ({
  page,
  problems,
  signIn,
}) => {
  await signIn('free');
  await page.addInitScript(() => localStorage.setItem('color-theme', 'light'));
  problems.expect(/\/api\/tracks/);
  await page.route(/\/api\/tracks/, () => {
    // Never answered, so that the skeletons stay.
  });
  const readColour = (selector: string): Promise<string> =>
    page
      .locator(selector)
      .first()
      .evaluate((element) => getComputedStyle(element).backgroundColor);
  await page.goto('/');
  const grey = await readColour('main .skeleton:not(.stage *)');
  expect(await readColour('main .stage .skeleton')).not.toBe(grey);
  await page.goto(`/track/${golden.id}`);
  expect(await readColour('main .stage:not([data-week]) .skeleton')).toBe(grey);
});

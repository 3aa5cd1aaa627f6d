import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/axe.ts';
import { golden, robots, short } from '../support/e2e-tracks.ts';
import {
  expect,
  newAccount,
  ROLES,
  subscribe,
  test,
  type Role,
  sendEmptyPages,
} from '../support/fixtures.ts';
import { isNightly } from '../support/nightly.ts';
import { PageTraffic } from '../support/page-traffic.ts';
import { countLines, LayoutWalk } from '../support/page-layout.ts';
import type { PageProblems } from '../support/page-problems.ts';
import { bar, inBar, playFromHome } from '../support/player-page.ts';
import {
  differsFor,
  expectedOutcome,
  homeRoute,
  loginRoute,
  notFoundRoute,
  siteRoutes,
  type Outcome,
  type SiteRoute,
} from '../support/site-routes.ts';

const DESKTOP = { name: 'desktop', width: 1440, height: 900 };
const PHONE = { name: 'phone', width: 390, height: 844 };

/** Where axe checks what a role sees; every night on the other one as well. */
const USED_ON: Record<Role, typeof PHONE> = {
  visitor: PHONE,
  free: PHONE,
  premium: DESKTOP,
  admin: DESKTOP,
};

const isMeasured = ({ isMissing }: SiteRoute): boolean => isNightly() || !isMissing;

/** The page that shows when the address leads elsewhere. */
const STAND_INS = { login: loginRoute, home: homeRoute, 'not-found': notFoundRoute };

const EXPECTED_PATH: Partial<Record<Outcome, string>> = { login: '/login', home: '/' };

async function expectContent(page: Page, { heading, field }: SiteRoute): Promise<void> {
  const main = page.getByRole('main');
  await expect(main.getByRole('heading', { level: 1, name: heading, exact: true })).toBeVisible();
  if (!field) return;
  await expect(main.getByRole('textbox', { name: field.name })).toHaveValue(field.value);
}

async function readSiteName(page: Page): Promise<string> {
  const boot = (await page.locator('#boot').textContent()) ?? '{}';
  return (JSON.parse(boot) as { siteName: string }).siteName;
}

async function expectOutcome(page: Page, outcome: Outcome, route: SiteRoute): Promise<void> {
  const isExpected = (url: URL) =>
    outcome === 'login'
      ? url.pathname === '/login' && url.searchParams.get('next') === route.path
      : url.pathname + url.search === (EXPECTED_PATH[outcome] ?? route.path);
  await page.waitForURL(isExpected, { waitUntil: 'commit' });
  const shown = outcome === 'page' ? route : STAND_INS[outcome];
  await expect(page).toHaveTitle(shown.title);
  await expectContent(page, route.isHeardByVisitors ? { ...shown, heading: route.heading } : shown);
  expect.soft(await page.title(), route.path).toContain(await readSiteName(page));
}

/** These ids do not exist: the page that says so is the one to check. */
function expectMissingIds(problems: PageProblems): void {
  problems.expect(/404.*\/(no\/such-page|(track|artist|year|clip)\/some-id|shared\/some-token)$/);
  problems.expect(/404.*\/api\/(tracks|artists|letters|clips)\/some-id(\/teaser)?$/);
  problems.expect(/404.*\/api\/admin\/(tracks|artists|letters)\/some-id$/);
  problems.expect(/404.*\/api\/admin\/subscribers\/some-id$/);
  problems.expect(/404.*\/api\/admin\/(tracks\/some-id\/recordings|rights\/reports\/some-id)$/);
  problems.expect(/404.*\/api\/(playlists\/some-id|shared-playlists\/some-token)(\/teaser)?$/);
  problems.expect(/404.*\/api\/(subscription|admin)\/(invoices|credit-notes)\/some-id$/);
  problems.expect(/404.*\/api\/gifts\/some-token$/);
  problems.expect(/404.*\/api\/bought-gifts\/some-reference(\/invoice)?$/);
  problems.expect(/404.*\/api\/checkout\/some-reference\/confirm$/);
}

test.describe.configure({ timeout: 900_000 });

/** Opens another page without loading the document again, so that the player stays open. */
const openInPlace = (page: Page, path: string): Promise<void> =>
  page.evaluate((next) => history.pushState(null, '', next), path);

/** What the server rendered. The browser renders other pages itself, however they are opened. */
const CONTENT = 'id="answers"';

/** Where an address leads that isn't for them is the same for subscribers and free members. */
const isOpened = (role: Role, route: SiteRoute): boolean =>
  isNightly() ||
  (expectedOutcome(role, route) === 'page' ? differsFor(role, route) : role !== 'premium');

for (const role of ROLES)
  test(`every address opened as ${role} shows its page, the login or the not-found page`, async ({
    page,
    signIn,
    problems,
  }) => {
    expectMissingIds(problems);
    if (role !== 'admin') problems.expect(/404.* \/admin(\/\S*)?$/);
    await signIn(role);
    const traffic = new PageTraffic(page);
    await page.setViewportSize(USED_ON[role]);
    /** Each document with content, and one empty document of each kind. */
    const loaded = new Set<string>();
    for (const route of siteRoutes.filter((each) => isOpened(role, each))) {
      const { audience, hasSkeletons, path } = route;
      const outcome = expectedOutcome(role, route);
      await test.step(path, async () => {
        const answer = await page.request.get(path, { headers: { accept: 'text/html' } });
        if (audience === 'admins') expect(answer.status(), path).toBe(role === 'admin' ? 200 : 404);
        const hasContent = (await answer.text()).includes(CONTENT);
        const hasOwnContent = hasContent && (outcome === 'page' || route.isHeardByVisitors);
        const document = hasOwnContent ? path : `${audience} ${outcome}`;
        const isNew = isNightly() || !loaded.has(document);
        // It is opened in place where it is measured.
        if (!isNew && outcome === 'page' && isMeasured(route)) return;
        if (isNew) await page.goto(path);
        else await openInPlace(page, path);
        loaded.add(document);
        await expectOutcome(page, outcome, route);
        // The page in its stead has settled before.
        if (isNew || outcome === 'page') await traffic.settle({ hasSkeletons, isRendered: true });
      });
    }
  });

const LONG_NAME = 'Sunday afternoons on the balcony with the neighbours, getting louder';

/**
 * Opens each page once, with the player bar, runs axe and resizes it through all windows. What is
 * around every page is checked on the first one.
 */
async function expectLayouts(page: Page, role: Role, routes: readonly SiteRoute[]): Promise<void> {
  const traffic = new PageTraffic(page);
  const walk = await LayoutWalk.start(page);
  await playFromHome(page, golden.title);
  await inBar(page, 'Pause').click();
  const sizes = isNightly() ? [PHONE, DESKTOP] : [USED_ON[role]];
  for (const [index, route] of routes.entries()) {
    await test.step(route.path, async () => {
      const { hasSkeletons, path } = route;
      await openInPlace(page, path);
      await expectOutcome(page, 'page', route);
      // The landing page has no player.
      await expect(bar(page)).toHaveCount(path === '/landing' ? 0 : 1);
      for (const size of sizes) {
        await page.setViewportSize(size);
        await traffic.settle({ hasSkeletons, isRendered: true });
        const name = `${path} as ${role}, ${size.name}`;
        await expectAccessible(page, name, { isShellKnown: !isNightly() && index > 0 });
      }
      // A free member's pages have the layout of a subscriber's.
      if (isNightly() || role !== 'free') expect.soft(await walk.findProblems(), path).toEqual([]);
    });
  }
}

/** The pages that are others for this role. */
const ownRoutes = (role: Role): SiteRoute[] =>
  siteRoutes.filter(
    (route) =>
      expectedOutcome(role, route) === 'page' && differsFor(role, route) && isMeasured(route),
  );

test.describe('every page passes axe and fits phones, tablets and wide windows, also with text twice the size', () => {
  test.use({ viewport: { width: 1440, height: 900 } });
  test.beforeEach(({ problems }) => expectMissingIds(problems));

  test('for a visitor', async ({ page }) => {
    await expectLayouts(page, 'visitor', ownRoutes('visitor'));
  });

  test('for a free member, where Premium has more', async ({ page, signIn }) => {
    await signIn('free');
    await expectLayouts(page, 'free', ownRoutes('free'));
  });

  test('for a subscriber', async ({ page, context, origin, registerByApi }) => {
    const account = newAccount();
    await registerByApi(account);
    subscribe(account);
    const post = async (path: string, data = {}): Promise<unknown> => {
      const answer = await context.request.post(path, { data, headers: { origin } });
      expect(answer.ok(), `${path}: ${await answer.text()}`).toBe(true);
      return answer.json().catch(() => null);
    };
    await post(`/api/tracks/${golden.id}/favorite`);
    await post(`/api/tracks/${robots.id}/play`);
    const trackIds = [golden.id, short.id, robots.id];
    const playlist = await post('/api/playlists', { name: LONG_NAME, trackIds });
    const { id } = playlist as { id: string };
    await expectLayouts(page, 'premium', [
      ...ownRoutes('premium'),
      { path: `/playlist/${id}`, title: /playlist/i, heading: LONG_NAME, audience: 'users' },
    ]);
  });

  test('for an administrator', async ({ page, signIn, api }) => {
    await signIn('admin');
    const found = await (await api('admin')).get('/api/admin/subscribers?q=premium');
    const { items } = (await found.json()) as { items: { id: string }[] };
    const path = `/admin/subscribers/${items[0]?.id}`;
    await expectLayouts(page, 'admin', [
      ...ownRoutes('admin'),
      { path, title: /member/i, heading: 'premium', audience: 'admins' },
    ]);
  });
});

const TITLE_WIDTHS = [320, 390, 768, 1024, 1440];

test('a title of 90 characters stays within three lines, in rows within two', async ({
  page,
  signIn,
}) => {
  const long =
    'Golden Hour Pressure, Live from the Rooftop of the Old Post Office in Braamfontein, Part 2';
  await sendEmptyPages(page);
  await page.route(/\/api\/(tracks|charts|top-20)/, async (route) => {
    const answer = await route.fetch();
    const body = (await answer.text()).replaceAll(`"${golden.title}"`, `"${long}"`);
    await route.fulfill({
      response: answer,
      body: body.replaceAll(`"${robots.title}"`, `"${long}"`),
    });
  });
  const main = page.getByRole('main');
  const stage = main.getByRole('heading', { level: 1, name: long });
  const numberOne = main.getByRole('heading', { level: 2, name: long });
  const release = main.getByRole('region', { name: 'New releases' }).getByText(long).first();
  const row = main.getByRole('link', { name: long }).first();
  const titles = [
    {
      path: '/',
      places: [
        { title: stage, lines: 3 },
        { title: release, lines: 2 },
      ],
    },
    { path: '/top-20', places: [{ title: numberOne, lines: 3 }] },
    { path: '/library', places: [{ title: row, lines: 2 }] },
    { path: `/track/${golden.id}`, places: [{ title: stage, lines: 3 }] },
  ];
  await signIn('premium');
  await page.goto('/');
  for (const { path, places } of titles) {
    await openInPlace(page, path);
    for (const { title } of places) await expect(title).toBeVisible();
    for (const width of TITLE_WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      for (const { title, lines } of places)
        expect.soft(await countLines(title), `${path} at ${width} px`).toBeLessThanOrEqual(lines);
    }
  }
});

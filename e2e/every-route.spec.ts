import type { Page } from '@playwright/test';
import { findAxeViolations, findContrastViolations, installAxe, showTheme } from './axe.ts';
import { expect, ROLES, test, type Role } from './fixtures.ts';
import { NOT_FOUND_TITLE, siteRoutes, type SiteRoute } from './site-routes.ts';

const DESKTOP = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };

test.use({ viewport: DESKTOP });

/** Two walks, so that two workers share the longest one. */
const HALVES = [
  { name: 'first half', routes: siteRoutes.filter((_, index) => index % 2 === 0) },
  { name: 'second half', routes: siteRoutes.filter((_, index) => index % 2 === 1) },
];

type Outcome = 'page' | 'login' | 'not-found';

function expectedOutcome(role: Role, { audience }: SiteRoute): Outcome {
  if (audience === 'everybody') return 'page';
  if (role === 'visitor') return 'login';
  return audience === 'admins' && role !== 'admin' ? 'not-found' : 'page';
}

/**
 * Every route is visited as everybody; how it looks is judged where it differs: visitors see what is
 * for everybody, free members the rest, subscribers and administrators what is theirs alone.
 */
function isJudgedAs(role: Role, { audience, forSubscribers }: SiteRoute): boolean {
  if (role === 'premium') return forSubscribers === true;
  return role !== 'admin' || audience === 'admins';
}

const expectedTitle = (outcome: Outcome, route: SiteRoute): RegExp =>
  ({ page: route.title, login: /login/i, 'not-found': NOT_FOUND_TITLE })[outcome];

async function readSiteName(page: Page): Promise<string> {
  const boot = (await page.locator('#boot').textContent()) ?? '{}';
  return (JSON.parse(boot) as { siteName: string }).siteName;
}

async function checkGuard(page: Page, outcome: Outcome, route: SiteRoute): Promise<void> {
  const isThere = (url: URL) =>
    outcome === 'login'
      ? url.pathname === '/login' && url.searchParams.get('next') === route.path
      : url.pathname + url.search === route.path;
  // These two are there with the next frame; an assertion asks again only every half second.
  await page.waitForURL(isThere, { waitUntil: 'commit' });
  const { source, flags } = expectedTitle(outcome, route);
  await page.waitForFunction(
    ([pattern = '', how]) =>
      new RegExp(pattern, how).test(document.title) &&
      document.querySelector('h1')?.checkVisibility(),
    [source, flags],
  );
  expect.soft(await page.title(), route.path).toContain(await readSiteName(page));
}

async function checkWidth(page: Page, path: string): Promise<void> {
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect.soft(overflow, `${path} is wider than the window, in pixels`).toBeLessThanOrEqual(0);
}

async function checkLooks(page: Page, name: string): Promise<void> {
  await showTheme(page, 'dark');
  await checkWidth(page, name);
  expect.soft(await findAxeViolations(page), `axe on ${name}`).toEqual([]);
  await showTheme(page, 'light');
  expect.soft(await findContrastViolations(page), `contrast on ${name}, light`).toEqual([]);
}

test.describe.configure({ timeout: 240_000 });

for (const role of ROLES) {
  for (const { name, routes } of HALVES) {
    test(`every route as ${role}, both themes, ${name}`, async ({ page, signIn, problems }) => {
      // There is no track of that name; the page that says so is what is looked at.
      problems.expect(/404.*\/api\/tracks\/some-id$/);
      problems.expect(/404.*\/api\/admin\/tracks\/some-id$/);
      problems.expect(/404.*\/api\/admin\/subscribers\/some-id$/);
      problems.expect(/404.*\/api\/(playlists\/some-id|shared-playlists\/some-token)$/);
      problems.expect(/404.*\/api\/(subscription\/invoices\/some-id|gifts\/some-token)$/);
      problems.expect(/404.*\/api\/checkout\/some-reference\/settle$/);
      await installAxe(page);
      if (role !== 'visitor') await signIn(role);
      const checkedOnce = new Set<Outcome>();
      for (const route of routes) {
        await test.step(route.path, async () => {
          const outcome = expectedOutcome(role, route);
          // The pages that stand in for another are the same each time.
          const isJudged = outcome === 'page' ? isJudgedAs(role, route) : !checkedOnce.has(outcome);
          // What counts is the page's own heading, not the last font: see checkGuard.
          await page.goto(route.path, { waitUntil: 'commit' });
          await checkGuard(page, outcome, route);
          if (!isJudged) return;
          checkedOnce.add(outcome);
          await checkLooks(page, `${route.path}, desktop`);
          await page.setViewportSize(PHONE);
          await checkLooks(page, `${route.path}, phone`);
          await page.setViewportSize(DESKTOP);
        });
      }
    });
  }
}

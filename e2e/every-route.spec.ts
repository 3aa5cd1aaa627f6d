import type { Page } from '@playwright/test';
import { expect, ROLES, test, type Role } from './fixtures.ts';
import { checkLooks } from './judged-looks.ts';
import { PageTraffic } from './page-traffic.ts';
import { NOT_FOUND_TITLE, siteRoutes, type SiteRoute } from './site-routes.ts';

const SIZES = [
  { name: 'desktop', width: 1440, height: 900 },
  { name: 'phone', width: 390, height: 844 },
];

test.use({ viewport: { width: 1440, height: 900 } });

/**
 * Few, as a browser that has been on a page knows most of the next, and one less than there are
 * workers: the third has the tests that mostly wait. Each mixes public pages with those of members
 * and administrators, so that both take about as long.
 */
const PARTS = 2;
const GROUPS = Array.from({ length: PARTS }, (_, group) => ({
  name: `part ${group + 1}`,
  routes: siteRoutes.filter((_route, index) => index % PARTS === group),
}));

type Outcome = 'page' | 'login' | 'not-found';

function expectedOutcome(role: Role, { audience }: SiteRoute): Outcome {
  if (audience === 'everybody') return 'page';
  if (role === 'visitor') return 'login';
  return audience === 'admins' && role !== 'admin' ? 'not-found' : 'page';
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
  // An assertion asks again only every half second.
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

/** Somebody with a browser of their own, who goes from one page to the next. */
class Walker {
  readonly role: Role;
  readonly page: Page;
  readonly #traffic: PageTraffic;
  readonly #judgedStandIns = new Set<Outcome>();

  constructor(role: Role, page: Page) {
    this.role = role;
    this.page = page;
    this.#traffic = new PageTraffic(page);
  }

  /** By its address, as a new page, or within the app, as a link leads there. */
  async open(route: SiteRoute, isNewPage: boolean): Promise<void> {
    if (isNewPage) await this.page.goto(route.path, { waitUntil: 'commit' });
    else await this.page.evaluate((path) => history.pushState(null, '', path), route.path);
    // Until then an old page may still stand there, with a title and a heading of its own.
    await this.#traffic.settle({ hasSkeletons: route.hasSkeletons });
    await checkGuard(this.page, expectedOutcome(this.role, route), route);
  }

  /** The login and the not-found page stand in for many others, and are the same each time. */
  isJudged(route: SiteRoute): boolean {
    const outcome = expectedOutcome(this.role, route);
    if (outcome === 'page') return true;
    const isFirst = !this.#judgedStandIns.has(outcome);
    this.#judgedStandIns.add(outcome);
    return isFirst;
  }

  async showAt(size: { width: number; height: number }, route: SiteRoute): Promise<void> {
    if (this.page.viewportSize()?.width === size.width) return;
    await this.page.setViewportSize(size);
    await this.#traffic.settle({ hasSkeletons: route.hasSkeletons, isResized: true });
  }
}

async function visit(walkers: Walker[], route: SiteRoute, index: number): Promise<void> {
  // Nobody has a page yet at first; then one of them opens it anew, and the others come from the last.
  const isNewPage = (turn: number) => index === 0 || (index + turn) % walkers.length === 0;
  await Promise.all(walkers.map((walker, turn) => walker.open(route, isNewPage(turn))));
  const judged = walkers.filter((walker) => walker.isJudged(route));
  // Each is opened at the width that the one before was left at: half of them on the phone.
  const sizes = index % 2 === 0 ? SIZES : SIZES.toReversed();
  for (const { name: sizeName, ...size } of sizes) {
    await Promise.all(judged.map((walker) => walker.showAt(size, route)));
    // One after the other: what the first has had judged need not be judged for the next.
    for (const { role, page } of judged) {
      await checkLooks(page, `${route.path} as ${role}, ${sizeName}`);
    }
  }
}

test.describe.configure({ timeout: 240_000 });

for (const { name, routes } of GROUPS) {
  test(`every route as everybody, both themes, desktop and phone, ${name}`, async ({
    openAs,
    problems,
  }) => {
    // There is no track of that name; the page that says so is what is looked at.
    problems.expect(/404.*\/api\/tracks\/some-id$/);
    problems.expect(/404.*\/api\/admin\/tracks\/some-id$/);
    problems.expect(/404.*\/api\/admin\/subscribers\/some-id$/);
    problems.expect(/404.*\/api\/(playlists\/some-id|shared-playlists\/some-token)$/);
    problems.expect(/404.*\/api\/(subscription\/invoices\/some-id|gifts\/some-token)$/);
    problems.expect(/404.*\/api\/checkout\/some-reference\/settle$/);
    const walkers = await Promise.all(
      ROLES.map(async (role) => new Walker(role, await openAs(role))),
    );
    for (const [index, route] of routes.entries()) {
      await test.step(route.path, () => visit(walkers, route, index));
    }
  });
}

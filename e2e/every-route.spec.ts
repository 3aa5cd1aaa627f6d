import type { Page } from '@playwright/test';
import { expectAccessibleInBothThemes } from './axe.ts';
import { expect, ROLES, test, type Role } from './fixtures.ts';
import { PageTraffic } from './page-traffic.ts';
import { NOT_FOUND_TITLE, siteRoutes, type SiteRoute } from './site-routes.ts';

const SIZES = [
  { name: 'desktop', width: 1440, height: 900 },
  { name: 'phone', width: 390, height: 844 },
];

type Outcome = 'page' | 'login' | 'not-found';

function expectedOutcome(role: Role, { audience }: SiteRoute): Outcome {
  if (audience === 'everyone') return 'page';
  if (role === 'visitor') return 'login';
  return audience === 'admins' && role !== 'admin' ? 'not-found' : 'page';
}

const expectedTitle = (outcome: Outcome, route: SiteRoute): RegExp =>
  ({ page: route.title, login: /login/i, 'not-found': NOT_FOUND_TITLE })[outcome];

async function readSiteName(page: Page): Promise<string> {
  const boot = (await page.locator('#boot').textContent()) ?? '{}';
  return (JSON.parse(boot) as { siteName: string }).siteName;
}

async function expectOutcome(page: Page, outcome: Outcome, route: SiteRoute): Promise<void> {
  const isExpected = (url: URL) =>
    outcome === 'login'
      ? url.pathname === '/login' && url.searchParams.get('next') === route.path
      : url.pathname + url.search === route.path;
  await page.waitForURL(isExpected, { waitUntil: 'commit' });
  await expect(page).toHaveTitle(expectedTitle(outcome, route));
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
  expect.soft(await page.title(), route.path).toContain(await readSiteName(page));
}

test.describe.configure({ timeout: 240_000 });

for (const role of ROLES) {
  for (const { name: sizeName, ...viewport } of SIZES) {
    test.describe(`every address opened as ${role} on a ${sizeName}`, () => {
      test.use({ viewport });

      test('shows its page, the login or the not-found page, and passes axe in both themes', async ({
        openAs,
        problems,
      }) => {
        // These ids do not exist: the page that says so is the one to check.
        problems.expect(/404.*\/api\/tracks\/some-id$/);
        problems.expect(/404.*\/api\/admin\/tracks\/some-id$/);
        problems.expect(/404.*\/api\/admin\/subscribers\/some-id$/);
        problems.expect(/404.*\/api\/(playlists\/some-id|shared-playlists\/some-token)$/);
        problems.expect(/404.*\/api\/(subscription\/invoices\/some-id|gifts\/some-token)$/);
        problems.expect(/404.*\/api\/checkout\/some-reference\/confirm$/);
        const page = await openAs(role, { viewport });
        const traffic = new PageTraffic(page);
        const checkedStandIns = new Set<Outcome>();
        for (const route of siteRoutes) {
          await test.step(route.path, async () => {
            const outcome = expectedOutcome(role, route);
            await page.goto(route.path, { waitUntil: 'commit' });
            await traffic.settle({ hasSkeletons: route.hasSkeletons });
            await expectOutcome(page, outcome, route);
            // The login and the not-found page are the same each time.
            if (outcome !== 'page' && checkedStandIns.has(outcome)) return;
            checkedStandIns.add(outcome);
            await expectAccessibleInBothThemes(page, `${route.path} as ${role}, ${sizeName}`);
          });
        }
      });
    });
  }
}

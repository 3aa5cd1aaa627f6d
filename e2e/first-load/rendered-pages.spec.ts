import type { Locator, Page } from '@playwright/test';
import { DAY } from '#contract/rules/time.ts';
import { expect, newAccount, test } from '../support/fixtures.ts';
import { DEVICES } from '../support/nightly.ts';
import { golden, robots, short } from '../support/e2e-tracks.ts';
import { expectSound, watchSound } from '../support/sound.ts';

const SIZES = { phone: { width: 390, height: 844 }, desktop: { width: 1440, height: 900 } };

/** The page names its scripts for the browser to load early; this browser refuses them all. */
const UNUSED_SCRIPTS = /csp GET \/assets\/.*\.js/;

/** What each page asks our own server for until it is quiet, without files. */
async function listCalls(page: Page, paths: readonly string[]): Promise<Map<string, string[]>> {
  const calls = new Map<string, string[]>();
  let current: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/api/')) current.push(pathname);
  });
  for (const path of paths) {
    current = [];
    calls.set(path, current);
    await page.goto(path);
    await page.waitForFunction(() => 'healthReport' in window);
    await page.waitForLoadState('networkidle');
  }
  return calls;
}

for (const { size, options } of DEVICES)
  test.describe(`without scripts, on a ${size}`, () => {
    test.use({ ...options, javaScriptEnabled: false });

    test('a visitor reads Home, the chart and the landing page', async ({ page, problems }) => {
      problems.expect(UNUSED_SCRIPTS);
      await page.goto('/');
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(page.getByRole('heading', { name: 'New releases' })).toBeVisible();
      await expect(page.getByRole('heading', { name: 'Top 20' })).toBeVisible();
      await expect(page.getByRole('link', { name: golden.title }).first()).toBeAttached();
      await page.goto('/top-20');
      await expect(page.getByRole('heading', { level: 1, name: 'Top 20' })).toBeVisible();
      const chart = page.getByRole('main');
      await expect(chart.getByRole('link', { name: robots.title })).toBeVisible();
      await expect(chart.getByRole('listitem').filter({ hasText: short.title })).toBeVisible();
      await page.goto('/landing');
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(page.getByText('R79').first()).toBeVisible();
    });
  });

/** Pictures that are loaded, drawn and on the screen. */
const countSleeves = (place: Page | Locator) =>
  place
    .locator('.sleeve img')
    .evaluateAll(
      (images) =>
        (images as HTMLImageElement[]).filter(
          (image) => image.complete && image.naturalWidth > 0 && image.checkVisibility(),
        ).length,
    );

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('sleeves, waveforms and the year are in the page', async ({ page, problems }) => {
    problems.expect(UNUSED_SCRIPTS);
    for (const viewport of Object.values(SIZES)) {
      await page.setViewportSize(viewport);
      await page.goto('/');
      await expect.poll(() => countSleeves(page)).toBeGreaterThan(2);
      const waveform = page.locator('.stage svg:visible path.stroke-week');
      await expect(waveform).toHaveCount(1);
      expect((await waveform.getAttribute('d'))?.match(/V0/g)?.length).toBeGreaterThan(60);
      const weeks = page.getByRole('slider', { name: /Weeks of/ }).locator('i');
      expect(await weeks.count()).toBeGreaterThanOrEqual(52);
    }
    await page.goto('/landing');
    await expect(page.locator('#mix svg:visible path.stroke-week')).toHaveCount(1);
    const year = page.getByRole('img', { name: /Sleeves of/ });
    await year.scrollIntoViewIfNeeded();
    // The weeks without a mix claim none.
    const weeks = Number(/(\d+) of/.exec((await year.getAttribute('aria-label')) ?? '')?.[1]);
    await expect.poll(() => countSleeves(year)).toBe(weeks);
  });
});

test('a visitor’s page asks for nothing that it has', async ({ page }) => {
  const pages = await listCalls(page, ['/', '/top-20', '/landing', '/login', '/register']);
  for (const [path, calls] of pages)
    expect(calls.toSorted(), path).toEqual(['/api/health', '/api/version']);
});

test('a member’s page asks only who they are', async ({ page, signIn }) => {
  await signIn('free');
  const paths = ['/', '/top-20', '/library', '/pricing', `/track/${golden.id}`];
  for (const [path, calls] of await listCalls(page, paths))
    expect(
      calls.filter((call) => !/^\/api\/(?:health|version|live)$/.test(call)),
      path,
    ).toEqual(['/api/auth/me']);
});

test('forms work without what the content security policy forbids', async ({ page }) => {
  await page.addInitScript(() =>
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      console.error(`The policy's ${violatedDirective} blocked ${blockedURI}.`),
    ),
  );
  for (const path of ['/login', '/register']) {
    await page.goto(path);
    await page.waitForFunction(() => 'healthReport' in window);
    const username = page.getByRole('main').getByLabel(/^username/i);
    await username.fill('x');
    await username.press('Enter');
    await expect(page.getByRole('main').locator('[aria-invalid=true]').first()).toBeVisible();
  }
});

test.describe('before its scripts have loaded', () => {
  test.use({ viewport: { width: 1440, height: 900 } });

  let loadScripts: () => void;
  /** Loading isn't over before the scripts are, if something else took even longer. */
  const PARSED = { waitUntil: 'domcontentloaded' } as const;

  test.beforeEach(async ({ page }) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    loadScripts = resolve;
    await page.route(/\/assets\/app-[\w-]{8}\.js$/, async (route) => {
      await promise;
      await route.continue();
    });
  });

  test('a mix whose play button is pressed plays as soon as it can', async ({ page }) => {
    await watchSound(page);
    await page.goto('/', PARSED);
    await page
      .getByRole('main')
      .getByRole('button', { name: /^Play preview/ })
      .first()
      .click();
    loadScripts();
    await expectSound(page);
  });

  test('a login is sent as soon as it can be, and never as a part of an address', async ({
    page,
    origin,
  }) => {
    const account = newAccount();
    await page.request.post('/api/auth/register', { data: account, headers: { origin } });
    await page.context().clearCookies();
    const addresses: string[] = [];
    page.on('request', (request) => addresses.push(request.url()));
    await page.goto('/login', PARSED);
    const form = page.getByRole('main');
    await form.getByLabel(/^username/i).fill(account.username);
    await form.getByLabel(/^password/i).fill(account.password);
    await form.getByLabel(/^password/i).press('Enter');
    loadScripts();
    await expect(page).toHaveURL(`${origin}/`);
    await expect(page.getByRole('button', { name: 'Logout' }).first()).toBeVisible();
    expect(addresses.filter((address) => address.includes(account.password))).toEqual([]);
  });

  const comeAlive = async (page: Page) => {
    loadScripts();
    await page.waitForFunction(() => 'healthReport' in window);
  };
  const box = (page: Page) => page.getByRole('banner').getByRole('combobox', { name: 'Search' });

  test('a search starts at once, and what is typed stays', async ({ page, signIn }) => {
    await signIn('free');
    await page.goto('/', PARSED);
    await box(page).fill('robots');
    await comeAlive(page);
    await expect(box(page)).toHaveValue('robots');
    // What was focused before gets its suggestions, too.
    await expect(page.getByRole('option', { name: robots.title })).toBeVisible();

    await page.goto('/top-20', PARSED);
    await box(page).fill('   ');
    await box(page).press('Enter');
    await expect(page).toHaveURL(/\/top-20$/);
    await box(page).fill(' green & robots ');
    await box(page).press('Enter');
    await expect(page).toHaveURL(/\/search\?q=/);
    await expect(box(page)).toHaveValue(/green & robots/);
    await expect(page.getByRole('main').getByRole('link', { name: robots.title })).toBeVisible();
  });

  test('what is typed into a form stays', async ({ page }) => {
    await page.goto('/register', PARSED);
    const form = page.getByRole('main');
    await form.getByLabel('Username').fill('lerato');
    await form.getByLabel(/^e-?mail$/i).fill('lerato@example.com');
    await comeAlive(page);
    await expect(form.getByLabel('Username')).toHaveValue('lerato');
    await expect(form.getByLabel(/^e-?mail$/i)).toHaveValue('lerato@example.com');
  });

  test('a filter that is chosen is applied as soon as it can be', async ({ page, signIn }) => {
    await signIn('premium');
    await page.goto('/library', PARSED);
    await page.getByRole('radio', { name: 'Missed' }).check();
    await comeAlive(page);
    await expect(page).toHaveURL(/state=missed/);
    await expect(page.getByRole('radio', { name: 'Missed' })).toBeChecked();
  });

  test('the key for the shortcuts lists them as soon as it can', async ({ page }) => {
    await page.goto('/', PARSED);
    await page.keyboard.press('?');
    await comeAlive(page);
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await expect(help).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(help).toBeHidden();
    await page.keyboard.press('?');
    await expect(help).toBeVisible();
  });

  test('a link waits for the network instead of ending on the browser’s error page', async ({
    page,
    context,
    problems,
  }) => {
    problems.expect(/ERR_INTERNET_DISCONNECTED/);
    await page.goto('/', PARSED);
    await context.setOffline(true);
    await page.getByRole('link', { name: 'Top 20' }).first().click();
    await expect(page.getByRole('alert')).toContainText('You’re offline');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await context.setOffline(false);
    await expect(page).toHaveURL(/\/top-20$/);
  });
});

test('“?” lists the shortcuts while their code loads, also after one that was typed as text', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(/\/assets\/open-help-[\w-]{8}\.js$/, async (route) => {
    await promise;
    await route.continue();
  });
  await page.goto('/');
  const box = page.getByRole('banner').getByRole('combobox', { name: 'Search' });
  await box.pressSequentially('?');
  await box.blur();
  await page.keyboard.press('?');
  resolve();
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
});

test('a page that needs a login shows the loader before its scripts have loaded', async ({
  page,
  signIn,
}) => {
  const loader = page.getByText('Loading Weekender…');
  let scripts = Promise.withResolvers<void>();
  await page.route(/\/assets\/app-[\w-]{8}\.js$/, async (route) => {
    await scripts.promise;
    await route.continue();
  });
  const openAndExpect = async (path: string, heading: string) => {
    scripts = Promise.withResolvers<void>();
    await page.goto(path, { waitUntil: 'commit' });
    await expect(loader).toBeVisible();
    scripts.resolve();
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
    await expect(loader).toHaveCount(0);
  };
  await openAndExpect('/favorites', 'Login');
  await signIn('free');
  await openAndExpect('/favorites', 'Favorites');
});

test('a device with a wrong clock takes over its pages without a warning', async ({ page }) => {
  await page.clock.setFixedTime(Date.now() + 400 * DAY);
  for (const path of ['/', '/top-20', '/landing']) {
    await page.goto(path);
    await page.waitForFunction(() => 'healthReport' in window);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  }
});

test('many viewers at once each get their own page', async ({ playwright, origin, api }) => {
  const account = newAccount();
  const own = await playwright.request.newContext({ baseURL: origin });
  await own.post('/api/auth/register', { data: account, headers: { origin } });
  const visitor = await playwright.request.newContext({ baseURL: origin });
  const viewers = [
    { context: own, name: account.username },
    { context: await api('free'), name: 'free' },
    { context: await api('premium'), name: 'premium' },
    { context: visitor, name: null },
  ];
  const rounds = Array.from({ length: 6 }, () => viewers).flat();
  const pages = await Promise.all(
    rounds.map(async ({ context, name }) => ({
      name,
      text: await (await context.get('/', { headers: { accept: 'text/html' } })).text(),
    })),
  );
  const readUser = (text: string) => /\[\["\/api\/auth\/me"\],(null|\{[^}]*\})/.exec(text)?.[1];
  // A busy server sends a page without content, which is nobody's.
  const rendered = pages.flatMap(({ name, text }) => {
    const user = readUser(text);
    return user === undefined ? [] : [{ name, user }];
  });
  expect(rendered.length).toBeGreaterThan(viewers.length);
  for (const { name, user } of rendered) expect(JSON.parse(user)?.username ?? null).toBe(name);
  for (const { name, text } of pages) {
    for (const other of viewers.filter((viewer) => viewer.name && viewer.name !== name))
      expect(text).not.toContain(`"username":"${other.name}"`);
  }
  await own.dispose();
  await visitor.dispose();
});

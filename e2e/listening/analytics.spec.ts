import { DatabaseSync } from 'node:sqlite';
import type { BrowserContext, Page } from '@playwright/test';
import { eventSchemas, type EventName } from '#contract/analytics.ts';
import { golden } from '../support/e2e-tracks.ts';
import { expect, newAccount, test, type Account } from '../support/fixtures.ts';
import { bar, inBar } from '../support/player-page.ts';
import { watchSentEvents, type Sent } from '../support/sent-events.ts';

test.use({ viewport: { width: 1440, height: 900 }, hasAnalytics: true });

const sidebar = (page: Page) => page.getByRole('complementary', { name: 'Sidebar' });

/** Everything the browser asks for, and what it tells of the visit. */
function watch(context: BrowserContext): { sent: Sent[]; origins: Set<string> } {
  const origins = new Set<string>();
  context.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol === 'http:' || url.protocol === 'https:') origins.add(url.origin);
  });
  return { sent: watchSentEvents(context), origins };
}

/** The client sends its queue every five seconds; this flushes it now. */
async function waitForEvent(page: Page, listEvents: () => unknown[], what: string): Promise<void> {
  await expect
    .poll(async () => {
      await page.clock.fastForward(5000);
      return listEvents();
    })
    .toContain(what);
}

const CLIENT = /\/assets\/mixpanel-client-[\w-]{8}\.js$/;

/** Then the last of the background tasks has begun. */
async function waitForBackgroundTasks(page: Page): Promise<void> {
  await expect
    .poll(async () => {
      await page.clock.fastForward(5000);
      return page.evaluate(() => 'healthReport' in window);
    })
    .toBe(true);
}

const LIBRARY_FIELDS = /^(?:\$|mp_)|^(?:token|time|distinct_id|current_page_title)$/;
const ADDRESS_FIELDS = /url|referr|domain/;

/** Every field is of the contract or of the client itself. */
function checkFields({ event, properties }: Sent): void {
  const { success, error, data } = eventSchemas[event as EventName].safeParse(properties);
  expect(success, `${event}: ${error?.message}`).toBe(true);
  const others = Object.keys(properties).filter((key) => !Object.hasOwn(data ?? {}, key));
  expect(others.filter((key) => !LIBRARY_FIELDS.test(key))).toEqual([]);
}

const withDatabase = <T>(use: (database: DatabaseSync) => T): T => {
  const database = new DatabaseSync(process.env.E2E_DATABASE ?? '', { timeout: 10_000 });
  try {
    return use(database);
  } finally {
    database.close();
  }
};

const makeSubscriber = ({ username }: Account) =>
  withDatabase((database) =>
    database
      .prepare('update users set paid_through = ? where username = ?')
      .run(Date.now() + 864e5, username),
  );

const listKept = (username: string): string[] =>
  withDatabase((database) =>
    database
      .prepare(
        'select name from analytics_events join users on user_id = users.id where username = ?',
      )
      .all(username),
  ).map(({ name }) => String(name));

async function register(page: Page, account: Account): Promise<void> {
  await page.goto('/register');
  const form = page.getByRole('main');
  await form.getByLabel('Username').fill(account.username);
  await form.getByLabel(/^e-?mail$/i).fill(account.email);
  await form.getByLabel('Password', { exact: true }).fill(account.password);
  await form.getByRole('button', { name: 'Create account' }).click();
  await expect(sidebar(page).getByRole('button', { name: 'Logout' })).toBeVisible();
}

async function logOutAndIn(page: Page, account: Account): Promise<void> {
  await sidebar(page).getByRole('button', { name: 'Logout' }).click();
  await sidebar(page).getByRole('link', { name: 'Login' }).first().click();
  const form = page.getByRole('main');
  await form.getByLabel(/^username/i).fill(account.username);
  await form.getByLabel('Password', { exact: true }).fill(account.password);
  await form.getByRole('button', { name: 'Login', exact: true }).click();
  await expect(sidebar(page).getByRole('button', { name: 'Logout' })).toBeVisible();
}

async function playKeepAndDownload(page: Page): Promise<void> {
  await page.getByRole('main').getByRole('button', { name: 'Play', exact: true }).click();
  await expect(inBar(page, 'Pause')).toBeVisible();
  await inBar(page, 'Favorite').click();
  await expect(inBar(page, 'Favorite')).toHaveAttribute('aria-pressed', 'true');
  await bar(page).getByRole('link', { name: golden.title }).click();
  await page.getByRole('button', { name: 'Download', exact: true }).click();
  const arriving = page.waitForEvent('download');
  await page.getByRole('dialog').getByRole('button', { name: /^FLAC/ }).click();
  await arriving;
  await expect(page.getByRole('dialog')).toBeHidden();
}

async function renameMember(page: Page, username: string): Promise<void> {
  await page.getByRole('button', { name: 'My Account' }).click();
  await page.getByRole('menuitem', { name: 'Profile' }).click();
  await page.getByRole('main').getByLabel('Username').fill(username);
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Profile saved', { exact: true })).toBeVisible();
}

async function search(page: Page, query: string): Promise<void> {
  const box = page.getByRole('banner').getByPlaceholder('Search for tracks, week numbers...');
  await box.fill(query);
  await box.press('Enter');
  await expect(page).toHaveURL(/\/search\?q=/);
  await expect(page.getByRole('main').getByRole('link', { name: query }).first()).toBeVisible();
}

test("a visit sends the contract's events, and only to our own server", async ({
  page,
  context,
  origin,
  problems,
}) => {
  test.slow();
  problems.expect(/ERR_FAILED|Failed to fetch dynamically imported module/);
  // The newest mix is loaded ahead, and its request may arrive after the logout.
  problems.expect(/401.*\/stream$/);
  await page.route(/\/assets\/top-20-[^/]+\.js$/, (route) => route.abort());
  const account = newAccount();
  const renamed = `${account.username}2`;
  const { sent, origins } = watch(context);
  const listEvents = () => sent.map(({ event }) => event);
  await page.clock.install();
  await register(page, account);
  makeSubscriber(account);
  // By then nothing that the first page asked for is still on its way.
  await waitForEvent(page, listEvents, 'User Signup');
  await logOutAndIn(page, account);
  await playKeepAndDownload(page);
  await renameMember(page, renamed);
  await search(page, golden.title);
  await sidebar(page).getByRole('link', { name: 'Top 20' }).click();
  await expect(page.getByRole('heading', { name: 'Something went wrong' })).toBeVisible();
  // What the client still holds then goes when the page is left.
  await waitForEvent(page, listEvents, 'Error Occurred');
  expect(await page.evaluate(() => Object.keys(localStorage))).toContain('mp_site_mixpanel');
  expect((await context.cookies()).filter(({ name }) => name.startsWith('mp_'))).toEqual([]);
  await page.goto('about:blank');

  const events = sent.filter(({ event }) => !event.startsWith('$'));
  events.forEach(checkFields);
  // None says where the browser is or was.
  const fields = new Set(sent.flatMap(({ properties }) => Object.keys(properties)));
  expect([...fields].filter((field) => ADDRESS_FIELDS.test(field))).toEqual([]);
  const find = (name: EventName) => events.find(({ event }) => event === name)?.properties;
  const pages = events.flatMap((e) => (e.event === 'Page Viewed' ? [e.properties.name] : []));
  expect(pages).toEqual(
    expect.arrayContaining(['/register', '/', '/login', '/track/:id', '/profile']),
  );
  expect(sent.map(({ event }) => event)).toEqual(
    expect.arrayContaining(['Session Start', '$mp_web_page_view', '$identify']),
  );
  const userFields = { userId: expect.any(String), username: account.username };
  expect(find('User Signup')).toMatchObject({ ...userFields, account_type: 'free' });
  expect(find('User Login')).toMatchObject({ ...userFields, account_type: 'premium' });
  const track = { track_id: golden.id, track_title: golden.title };
  expect(find('play-track')).toMatchObject({ ...userFields, ...track });
  expect(find('download-track')).toMatchObject({ ...track, content_type: 'mp3' });
  expect(find('User Engagement')).toMatchObject({
    action: 'favorite',
    content_id: golden.id,
    content_type: 'track',
  });
  expect(find('Feature Usage')).toMatchObject({ feature: 'account', action: 'logout' });
  expect(find('Profile Update')).toMatchObject({ updated_fields: ['username'] });
  expect(find('Search')).toMatchObject({ query: golden.title, results_count: 1 });
  expect(find('Error Occurred')).toMatchObject({
    error_type: 'React Error',
    error_message: expect.stringContaining('Failed to fetch dynamically imported module'),
    error_context: expect.stringMatching(/^at \S/),
  });
  expect([...origins]).toEqual([origin]);
  // The last one is sent by a page that is already gone.
  await expect.poll(() => listKept(renamed)).toContain('Session End');
  expect(listKept(renamed)).toEqual(
    expect.arrayContaining(['User Login', 'Search', 'play-track', 'download-track']),
  );
});

test('a visit of seconds tells what was searched and played, once, unless that is refused', async ({
  browser,
  origin,
  context,
  registerByApi,
}) => {
  const account = newAccount();
  await registerByApi(account);
  const storageState = await context.storageState();
  const visit = async (isRefused: boolean) => {
    const visitor = await browser.newContext({ baseURL: origin, storageState });
    if (isRefused)
      await visitor.addInitScript(() =>
        Object.defineProperty(navigator, 'doNotTrack', { get: () => '1' }),
      );
    const page = await visitor.newPage();
    // It never arrives, as in a visit that ends before.
    await page.route(CLIENT, () => {});
    await page.goto('/');
    await page.waitForFunction(() => 'healthReport' in window);
    await search(page, golden.title);
    await page
      .getByRole('main')
      .getByRole('button', { name: `Play preview: ${golden.title}` })
      .first()
      .click();
    await expect(inBar(page, 'Pause')).toBeVisible();
    await page.goto('about:blank');
    return visitor;
  };
  await (await visit(true)).close();
  const visitor = await visit(false);
  await expect.poll(() => listKept(account.username)).toContain('Session End');
  const kept = listKept(account.username);
  for (const name of ['Session Start', 'Search', 'play-track', 'Session End'])
    expect(
      kept.filter((event) => event === name),
      name,
    ).toHaveLength(1);
  await visitor.close();
});

test('the client loads after the page is usable, however long that takes', async ({ page }) => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const scripts: string[] = [];
  page.on('request', (request) => scripts.push(new URL(request.url()).pathname));
  const isAsked = (file: RegExp) => scripts.some((path) => file.test(path));
  await page.route(/\/assets\/forms-[\w-]{8}\.js$/, async (route) => {
    await released;
    await route.continue();
  });
  await page.clock.install();
  // A page that the server doesn't render.
  await page.goto('/forgot-password');
  await waitForBackgroundTasks(page);
  await page.clock.runFor(10_000);
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(0);
  expect(isAsked(CLIENT)).toBe(false);
  release();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect
    .poll(async () => {
      await page.clock.fastForward(5000);
      return isAsked(CLIENT);
    })
    .toBe(true);
});

test('a browser that asks not to be tracked sends nothing, and neither does one after opting out', async ({
  page,
  context,
  browser,
  origin,
}) => {
  const { sent } = watch(context);
  const listPages = () =>
    sent.flatMap((e) => (e.event === 'Page Viewed' ? [e.properties.name] : []));
  await page.clock.install();
  await page.goto('/');
  await waitForEvent(page, listPages, '/');
  await page.evaluate(() => localStorage.setItem('analytics-off', '1'));
  await sidebar(page).getByRole('link', { name: 'Top 20' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Top 20' })).toBeVisible();
  await page.evaluate(() => localStorage.removeItem('analytics-off'));
  await sidebar(page).getByRole('link', { name: 'Login' }).first().click();
  await waitForEvent(page, listPages, '/login');
  expect(listPages()).not.toContain('/top-20');

  const scripts: string[] = [];
  const unwilling = await browser.newContext({ baseURL: origin });
  await unwilling.addInitScript(() =>
    Object.defineProperty(navigator, 'doNotTrack', { get: () => '1' }),
  );
  const silent = watch(unwilling);
  unwilling.on('request', (request) => scripts.push(new URL(request.url()).pathname));
  const other = await unwilling.newPage();
  await other.clock.install();
  await other.goto('/');
  await waitForBackgroundTasks(other);
  await other.clock.runFor(10_000);
  await sidebar(other).getByRole('link', { name: 'Top 20' }).click();
  await expect(other.getByRole('heading', { level: 1, name: 'Top 20' })).toBeVisible();
  await other.clock.runFor(10_000);
  expect(scripts.filter((path) => CLIENT.test(path))).toEqual([]);
  expect(silent.sent).toEqual([]);
  await unwilling.close();
});

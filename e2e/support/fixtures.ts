import {
  test as base,
  expect,
  request,
  type APIRequestContext,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
} from '@playwright/test';
import { randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { PageProblems } from './page-problems.ts';
import { HOUR } from '#contract/rules/time.ts';

export { expect };

export type Role = 'visitor' | 'free' | 'premium' | 'admin';
export const ROLES: Role[] = ['visitor', 'free', 'premium', 'admin'];

export const DEMO_PASSWORD = 'weekender-demo';

export type Account = { username: string; email: string; password: string };

/** A new account, for tests that change or delete it. */
export const newAccount = (name = 'Lerato.Mokoena'): Account => {
  const tag = randomUUID().slice(0, 8);
  return {
    username: `${name}${tag}`,
    email: `${tag}@example.com`,
    password: `quiet-harbour-${tag}`,
  };
};

type Cookies = Awaited<ReturnType<APIRequestContext['storageState']>>['cookies'];
type Api = (role: Role) => Promise<APIRequestContext>;

type TestFixtures = {
  /** Whether analytics are on: most tests are about something else, and faster without. */
  hasAnalytics: boolean;
  analytics: void;
  /** Whether pages arrive with their content. Without it the browser asks for everything. */
  isRendered: boolean;
  rendering: void;
  problems: PageProblems;
  /** Logs this test's browser in to a demo account. Tests that log out need their own account. */
  signIn: (role: Role) => Promise<void>;
  /** Opens a page in a separate browser, logged in to a demo account, for tests with several users. */
  openAs: (role: Role, options?: BrowserContextOptions) => Promise<Page>;
  /** Registers the account and logs this test's browser in to it. */
  registerByApi: (account: Account) => Promise<void>;
};
type WorkerFixtures = {
  origin: string;
  /** The API as a demo account sees it, logged in once per worker. */
  api: Api;
};

/** Pages arrive empty, as they do when the server can't render them. */
export const sendEmptyPages = (context: BrowserContext | Page): Promise<unknown> =>
  context.route(
    ({ pathname }) => !/^\/(?:api|assets|embed|media|sandbox)\/|\.\w+$/.test(pathname),
    async (route) => {
      if (route.request().resourceType() !== 'document') return route.fallback();
      const url = new URL('/app-shell.html', route.request().url()).href;
      await route.fulfill({ response: await route.fetch({ url }) });
    },
  );

/** Like a person, tests press nothing before the page reacts. */
async function waitForReaction(page: Page): Promise<void> {
  await page.waitForFunction(
    () => !('earlyPress' in window) || !document.getElementById('after-paint'),
  );
}

function waitAfterLoading(page: Page): void {
  const { goto, reload } = page;
  page.goto = async (url, options) => {
    const response = await goto.call(page, url, options);
    if (options?.waitUntil === undefined) await waitForReaction(page);
    return response;
  };
  page.reload = async (options) => {
    const response = await reload.call(page, options);
    if (options?.waitUntil === undefined) await waitForReaction(page);
    return response;
  };
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  origin: [
    async ({}, use) => {
      await use(process.env.E2E_ORIGIN ?? '');
    },
    { scope: 'worker' },
  ],

  baseURL: async ({ origin }, use) => {
    await use(origin);
  },

  api: [
    async ({ origin }, use) => {
      const contexts = new Map<Role, Promise<APIRequestContext>>();
      await use((role) => {
        const context = contexts.get(role) ?? openApi(origin, role);
        contexts.set(role, context);
        return context;
      });
      for (const context of contexts.values()) await (await context).dispose();
    },
    { scope: 'worker' },
  ],

  hasAnalytics: [false, { option: true }],

  analytics: [
    async ({ context, hasAnalytics }, use) => {
      if (!hasAnalytics) await context.addInitScript(turnAnalyticsOff);
      await use();
    },
    { auto: true },
  ],

  isRendered: [true, { option: true }],

  rendering: [
    async ({ context, isRendered }, use) => {
      context.on('page', waitAfterLoading);
      if (!isRendered) await sendEmptyPages(context);
      await use();
    },
    { auto: true },
  ],

  problems: [
    async ({ context }, use) => {
      const problems = new PageProblems();
      context.on('page', (page) => problems.watch(page));
      await use(problems);
      expect(problems.unexpected(), 'Unexpected problems on the page').toEqual([]);
    },
    { auto: true },
  ],

  signIn: async ({ context, api }, use) => {
    await use(async (role) => {
      await context.addCookies(await readCookies(await api(role)));
    });
  },

  openAs: async ({ browser, api, hasAnalytics, problems }, use) => {
    const contexts: BrowserContext[] = [];
    await use(async (role, options) => {
      const context = await browser.newContext(options);
      context.on('page', waitAfterLoading);
      contexts.push(context);
      if (!hasAnalytics) await context.addInitScript(turnAnalyticsOff);
      await context.addCookies(await readCookies(await api(role)));
      const page = await context.newPage();
      problems.watch(page);
      return page;
    });
    for (const context of contexts) await context.close();
  },

  registerByApi: async ({ context, origin }, use) => {
    await use(async (account) => {
      resetRegistrationLimit();
      const answer = await context.request.post('/api/auth/register', {
        data: { ...account, isSubscriber: false },
        headers: { origin },
      });
      expect(answer.ok(), await answer.text()).toBe(true);
    });
  },
});

/** What the privacy setting does. Runs in every page, and some pages refuse storage. */
function turnAnalyticsOff(): void {
  try {
    localStorage.setItem('analytics-off', '1');
  } catch {
    // Without storage the analytics stay off anyway.
  }
}

async function openApi(origin: string, role: Role): Promise<APIRequestContext> {
  const context = await request.newContext({ baseURL: origin, extraHTTPHeaders: { origin } });
  if (role !== 'visitor') {
    const data = { username: role, password: DEMO_PASSWORD };
    const answer = await context.post('/api/auth/login', { data });
    expect(answer.ok(), `Logging in as ${role}: ${await answer.text()}`).toBe(true);
  }
  return context;
}

function changeDatabase(sql: string, ...values: (string | number)[]): void {
  const database = new DatabaseSync(process.env.E2E_DATABASE ?? '', { timeout: 10_000 });
  database.prepare(sql).run(...values);
  database.close();
}

/** All tests share one IP address, which may register only so many accounts an hour. */
export const resetRegistrationLimit = () =>
  changeDatabase("delete from rate_limits where key like 'register-address:%'");

/** Gives the account full access for an hour, as a payment would. */
export const subscribe = ({ email }: Account) =>
  changeDatabase('update users set paid_through = ? where email = ?', Date.now() + HOUR, email);

type Listening = { position: number; listened: number; listenedAt: number };

/** As if the account had listened to the track for that many seconds. */
export const setProgress = ({ email }: Account, trackId: string, progress: Listening) =>
  changeDatabase(
    `insert into progress (user_id, track_id, position_ms, listened_ms, is_finished, last_listened_at)
     select id, ?, ?, ?, 0, ? from users where email = ?`,
    trackId,
    progress.position * 1000,
    progress.listened * 1000,
    progress.listenedAt,
    email,
  );

/** Ends the paid period long ago, so that no days of grace are left. */
export const endSubscription = ({ email }: Account) =>
  changeDatabase('update users set paid_through = 0 where email = ?', email);

const readCookies = async (context: APIRequestContext): Promise<Cookies> =>
  (await context.storageState()).cookies;

/** The path of the link in the newest mail to the address that has such a link. */
export async function readLink(
  admin: APIRequestContext,
  email: string,
  path: string,
): Promise<string> {
  let link: string | undefined;
  await expect
    .poll(async () => {
      const outbox = (await (await admin.get('/api/admin/outbox')).json()) as {
        items: { to: string; text: string }[];
      };
      const pattern = new RegExp(`/${path}/\\S+`);
      const mail = outbox.items.find(({ to, text }) => to === email && pattern.test(text));
      link = pattern.exec(mail?.text ?? '')?.[0];
      return link;
    }, `A mail to ${email} with a link to ${path}`)
    .toBeDefined();
  return link ?? '';
}

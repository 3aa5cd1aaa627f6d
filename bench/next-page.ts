import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import { chromium, type Browser, type BrowserContext, type Page } from '@playwright/test';
import { findChromium } from '#tools/testing/find-chromium.ts';
import {
  describeMachine,
  median,
  startServer,
  stopProcess,
  type BenchServer,
} from './bench-server.ts';
import { LONG_TASK_MS, measureTasks } from './main-thread.ts';

/**
 * How soon another page shows its content once its link was hovered, on a line of 100 ms; and the
 * longest task on a phone with a processor six times slower, while someone types in the search and
 * scrolls through 5,000 favorites. The web app must be built.
 *
 *   node bench/next-page.ts [--rounds 7] [--favorites 5000]
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    favorites: { type: 'string', default: '5000' },
  },
});
const ROUNDS = Number(values.rounds);
const FAVORITES = Number(values.favorites);
const CONTENT_MS = 100;
const SLOW = 6;
const LINE = { offline: false, latency: 100, downloadThroughput: -1, uploadThroughput: -1 };
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const ROW = 'main li[aria-posinset]';
const ROW_TITLE = `${ROW} a[href^="/track/"]:not([aria-hidden])`;
const root = join(import.meta.dirname, '..');
const run = promisify(execFile);

type Step = { name: string; link: string; content: string };

/** A walk: each page is opened from the one before. */
const steps: Step[] = [
  { name: 'Home → Top 20', link: 'aside a[href="/top-20"]', content: '#number-one' },
  { name: 'Top 20 → mix', link: ROW_TITLE, content: 'main h1' },
  { name: 'mix → Library', link: 'aside a[href="/library"]', content: ROW_TITLE },
  { name: 'Library → Favorites', link: 'aside a[href="/favorites"]', content: ROW_TITLE },
  { name: 'Favorites → Home', link: 'aside a[href="/"]', content: '#this-week' },
];

/** In the page: when the link was pressed, and when the browser showed the content's first text. */
function watchContent({ link, content }: { link: string; content: string }) {
  const seen = { pressedAt: 0, shownAt: 0 };
  Object.assign(window, { seen });
  const before = document.querySelector(content);
  const changes = new MutationObserver(() => {
    const now = document.querySelector(content);
    if (!now || now === before) return;
    now.setAttribute('elementtiming', 'content');
    changes.disconnect();
  });
  const paints = new PerformanceObserver((list) => {
    const [first] = list.getEntries() as (PerformanceEntry & { renderTime: number })[];
    seen.shownAt = first?.renderTime ?? 0;
    paints.disconnect();
  });
  document.querySelector(link)?.addEventListener(
    'click',
    ({ timeStamp }) => {
      seen.pressedAt = timeStamp;
      changes.observe(document.body, { subtree: true, childList: true });
      paints.observe({ type: 'element' });
    },
    { capture: true, once: true },
  );
}

type Seen = { pressedAt: number; shownAt: number };

async function openNext(page: Page, { link, content }: Step): Promise<number> {
  const target = page.locator(link).first();
  await target.hover();
  // People rest on a link before they press it; the requests of the rest have come by then.
  await page.waitForTimeout(200);
  await page.waitForLoadState('networkidle');
  await page.evaluate(watchContent, { link, content });
  await target.click();
  await page.waitForFunction(() => (window as unknown as { seen: Seen }).seen.shownAt > 0);
  const { pressedAt, shownAt } = await page.evaluate(
    () => (window as unknown as { seen: Seen }).seen,
  );
  await page.mouse.move(640, 400);
  await page.waitForLoadState('networkidle');
  return shownAt - pressedAt;
}

async function slowDown(page: Page, rate: number, line?: typeof LINE): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate });
  if (!line) return;
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', line);
}

async function logIn(context: BrowserContext, origin: string): Promise<void> {
  const answer = await context.request.post(`${origin}/api/auth/login`, {
    data: { username: 'premium', password: 'weekender-demo' },
    headers: { origin },
  });
  if (!answer.ok()) throw new Error(`Logging in failed: ${await answer.text()}`);
}

function print(name: string, figure: string, value: number, target?: number): void {
  const verdict =
    target === undefined ? '' : `target ${target} ms  ${value <= target ? 'met' : 'missed'}`;
  console.log(`${name.padEnd(44)}${figure.padStart(34)}  ${verdict}`.trimEnd());
}

/** The first walk of a visit loads code; later ones show what people feel. Both count. */
async function measurePages(browser: Browser, origin: string, rate: number): Promise<void> {
  const times = steps.map((): number[] => []);
  for (let round = 0; round < ROUNDS; round += 1) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    await logIn(context, origin);
    const page = await context.newPage();
    await page.goto(origin);
    await page.waitForLoadState('networkidle');
    await slowDown(page, rate, LINE);
    for (const [i, step] of steps.entries()) times[i]?.push(await openNext(page, step));
    await context.close();
  }
  for (const [i, { name }] of steps.entries()) {
    const own = times[i] ?? [];
    const figure = `${median(own).toFixed(0)} ms (${Math.min(...own).toFixed(0)} to ${Math.max(...own).toFixed(0)})`;
    const target = rate === 1 ? CONTENT_MS : undefined;
    print(`${name}${rate === 1 ? '' : `, ${rate}× slower`}`, figure, median(own), target);
  }
}

/** Opens a page on a phone that is slowed down once the page is quiet, and measures `act`. */
async function measureOnPhone(
  browser: Browser,
  origin: string,
  { name, path, prepare, act }: PhoneCase,
): Promise<void> {
  const context = await browser.newContext(PHONE);
  await logIn(context, origin);
  const page = await context.newPage();
  await page.goto(origin + path);
  await page.waitForLoadState('networkidle');
  await prepare?.(page);
  await slowDown(page, SLOW);
  const { ms, clockMs, long } = await measureTasks(browser, page, () => act(page));
  const figure = `${ms.toFixed(0)} ms (${clockMs.toFixed(0)} by the clock), ${long} long`;
  print(name, figure, ms, LONG_TASK_MS);
  await context.close();
}

type PhoneCase = {
  name: string;
  path: string;
  prepare?: (page: Page) => Promise<void>;
  act: (page: Page) => Promise<void>;
};

const KEY_MS = 150;
const SETTLE_MS = 1500;

/** Types and deletes a text, with time for suggestions in between. */
async function typeText(page: Page, box: string, text: string): Promise<void> {
  await page.locator(box).pressSequentially(text, { delay: KEY_MS });
  await page.waitForTimeout(SETTLE_MS);
  for (const _ of text) await page.keyboard.press('Backspace', { delay: KEY_MS });
  await page.waitForTimeout(SETTLE_MS);
}

const SWIPE = 500;
const FRAME_MS = 16;
const LIFTED_MS = 100;

/**
 * A finger that swipes and lifts, again and again, so that the page also moves on by itself; a
 * positive distance is down. `Input.synthesizeScrollGesture` doesn't scroll a page with emulated
 * touch.
 */
async function swipeBy(page: Page, distance: number, speed: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const before = await page.evaluate(() => scrollY);
  const [from, direction] = distance > 0 ? [680, -1] : [180, 1];
  // A finger doesn't wait for the page.
  const touches: Promise<unknown>[] = [];
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', moved?: number) => {
    const points = moved === undefined ? [] : [{ x: 195, y: from + direction * moved }];
    touches.push(session.send('Input.dispatchTouchEvent', { type, touchPoints: points }));
  };
  for (let swiped = 0; swiped < Math.abs(distance); swiped += SWIPE) {
    const start = performance.now();
    touch('touchStart', 0);
    for (let moved = 0; moved < SWIPE; touch('touchMove', moved)) {
      await setTimeout(FRAME_MS);
      moved = Math.min(SWIPE, ((performance.now() - start) * speed) / 1000);
    }
    touch('touchEnd');
    await setTimeout(LIFTED_MS);
  }
  await Promise.all(touches);
  const scrolled = (await page.evaluate(() => scrollY)) - before;
  if (scrolled * direction > -SWIPE) throw new Error(`The page scrolled by ${scrolled} px only.`);
  await session.detach();
}

/** Scrolls down until nearly all rows are loaded, and collects what loading so many at once left. */
const loadMost = async (page: Page) => {
  await page.waitForSelector(ROW);
  await page.waitForFunction(
    (rows) => {
      scrollTo(0, document.body.scrollHeight);
      return document.body.scrollHeight > rows * 65;
    },
    FAVORITES - 200,
    { polling: 50, timeout: 600_000 },
  );
  await page.waitForTimeout(SETTLE_MS);
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  await session.detach();
};

const phoneCases: PhoneCase[] = [
  {
    name: 'Typing in the header’s search',
    path: '/',
    prepare: async (page) => {
      await page.locator('#open-search').click();
      await page.locator('#header-search').focus();
      await page.waitForTimeout(SETTLE_MS);
    },
    act: (page) => typeText(page, '#header-search', 'mango season'),
  },
  {
    name: 'Typing on the page of results',
    path: '/search?q=house',
    prepare: async (page) => {
      await page.locator('#page-search').fill('');
      await page.waitForTimeout(SETTLE_MS);
    },
    act: (page) => typeText(page, '#page-search', 'deep house week 12'),
  },
  {
    name: 'Scrolling favorites as they load',
    path: '/favorites',
    act: async (page) => {
      await swipeBy(page, 12_000, 1500);
      await page.waitForTimeout(SETTLE_MS);
    },
  },
  {
    name: `Scrolling ${FAVORITES} favorites`,
    path: '/favorites',
    prepare: loadMost,
    act: async (page) => {
      await swipeBy(page, -12_000, 1500);
      await swipeBy(page, 6_000, 3000);
      await page.waitForTimeout(SETTLE_MS);
    },
  },
];

const dataDir = await mkdtemp(join(tmpdir(), 'bench-next-'));
let server: BenchServer | undefined;
let browser: Browser | undefined;
try {
  // The first start creates the accounts.
  server = await startServer(dataDir);
  await stopProcess(server.process);
  // In another process, because functions of this file also run in a page.
  await run(process.execPath, [join(root, 'bench/next-page-site.ts'), dataDir, String(FAVORITES)]);
  server = await startServer(dataDir);
  browser = await chromium.launch({
    executablePath: await findChromium(),
    args: ['--no-sandbox', '--no-first-run'],
  });
  console.log(`From the press to the content, after hovering; median of ${ROUNDS}`);
  for (const rate of [1, SLOW]) await measurePages(browser, server.origin, rate);
  console.log(`\nThe longest task on a phone, ${SLOW} times slower`);
  for (const phoneCase of phoneCases) await measureOnPhone(browser, server.origin, phoneCase);
  console.log(`\n${describeMachine()}`);
} finally {
  await browser?.close();
  await stopProcess(server?.process);
  await rm(dataDir, { recursive: true, force: true });
}

import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { chromium, type Browser, type BrowserContext, type Page } from '@playwright/test';
import { findChromium } from '#tools/testing/find-chromium.ts';
import { median, startServer, stopProcess, type BenchServer } from './bench-server.ts';

/**
 * From the click on play to the first sound, on a connection of 150 ms and 1.6 Mb/s, compared with a
 * `<audio preload="none">` with the same file, in turns. The web app must be built.
 *
 *   node bench/click-to-sound.ts [--rounds 10] [--roles premium,free,visitor]
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '10' },
    roles: { type: 'string', default: 'premium,free,visitor' },
  },
});
const ROUNDS = Number(values.rounds);
const LINE = {
  offline: false,
  latency: 150,
  downloadThroughput: 200_000,
  uploadThroughput: 93_750,
};
const LOOK_MS = 1500;
const run = promisify(execFile);
const root = join(import.meta.dirname, '..');

/** In another process, because this file also runs in a page, which must not import the server. */
async function seed(dataDir: string): Promise<string[]> {
  const { stdout } = await run(process.execPath, [join(root, 'bench/sound-site.ts'), dataDir]);
  return JSON.parse(stdout) as string[];
}

/** In the page: records when a button was pressed and when an element's time first advanced. */
function watchSound() {
  const seen = { pressedAt: 0, soundAt: 0, ready: [] as string[] };
  Object.assign(window, { seen });
  addEventListener('click', () => (seen.pressedAt = performance.now()), { capture: true });
  const { play } = HTMLMediaElement.prototype;
  const source = Object.getOwnPropertyDescriptor(HTMLMediaElement.prototype, 'src');
  Object.defineProperty(HTMLMediaElement.prototype, 'src', {
    ...source,
    set(this: HTMLMediaElement, url: string) {
      this.addEventListener('canplay', () => seen.ready.push(url), { once: true });
      source?.set?.call(this, url);
    },
  });
  HTMLMediaElement.prototype.play = function (this: HTMLMediaElement) {
    const started = this.currentTime;
    let isPlaying = false;
    this.addEventListener('playing', () => (isPlaying = true), { once: true });
    const look = () => {
      if (isPlaying && this.currentTime > started) seen.soundAt ||= performance.now();
      else setTimeout(look, 4);
    };
    look();
    return play.call(this);
  };
}

type Seen = { pressedAt: number; soundAt: number; ready: string[] };

async function readDelay(page: Page): Promise<number> {
  await page.waitForFunction(() => (window as unknown as { seen: Seen }).seen.soundAt > 0);
  const seen = await page.evaluate(() => (window as unknown as { seen: Seen }).seen);
  return seen.soundAt - seen.pressedAt;
}

/** Clears the cache and slows the connection down. */
async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', LINE);
}

/** Waits until the start of this many files is loaded. */
const waitForWarmUps = (page: Page, count: number) =>
  page.waitForFunction(
    (expected) => (window as unknown as { seen: Seen }).seen.ready.length >= expected,
    count,
  );

async function openHome(page: Page, origin: string): Promise<void> {
  await page.goto(origin);
  await rowButton(page, 'Mix 3').waitFor();
  // The page loads no sound before someone touches it.
  await page.mouse.move(5, 5);
  await waitForWarmUps(page, 1);
  // People look before they press; meanwhile the idle page loads ahead.
  await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  await slowDown(page);
}

const rowButton = (page: Page, title: string) =>
  page
    .getByRole('region', { name: 'New releases' })
    .getByRole('button', { name: new RegExp(`^Play( preview)?: ${title}$`) });

type Scenario = {
  name: string;
  goal?: number;
  measure(page: Page, site: { origin: string; file: string }): Promise<number>;
};

const scenarios: Scenario[] = [
  {
    name: 'bare element',
    async measure(page, { origin, file }) {
      await page.route(`${origin}/bare`, (route) =>
        route.fulfill({
          contentType: 'text/html',
          body: `<audio preload="none" src="${file}"></audio><button onclick="document.querySelector('audio').play()">Play</button>`,
        }),
      );
      await page.goto(`${origin}/bare`);
      await page.evaluate(() => fetch('/healthz').then((response) => response.text()));
      await slowDown(page);
      await page.getByRole('button').click();
      return readDelay(page);
    },
  },
  {
    name: 'stage',
    goal: 0.3,
    async measure(page, { origin }) {
      await openHome(page, origin);
      await page
        .getByRole('main')
        .getByRole('button', { name: /^Play( preview)?$/ })
        .click();
      return readDelay(page);
    },
  },
  {
    name: 'row under the pointer',
    goal: 0.3,
    async measure(page, { origin }) {
      await openHome(page, origin);
      const button = rowButton(page, 'Mix 3');
      await button.hover();
      await waitForWarmUps(page, 2);
      await button.click();
      return readDelay(page);
    },
  },
  {
    name: 'row with focus',
    goal: 0.3,
    async measure(page, { origin }) {
      await openHome(page, origin);
      const button = rowButton(page, 'Mix 3');
      await button.focus();
      await waitForWarmUps(page, 2);
      await page.keyboard.press('Enter');
      return readDelay(page);
    },
  },
  {
    name: 'row pressed cold',
    goal: 1.15,
    async measure(page, { origin }) {
      await openHome(page, origin);
      await rowButton(page, 'Mix 3').evaluate((button: HTMLElement) => button.click());
      return readDelay(page);
    },
  },
];

async function logIn(context: BrowserContext, origin: string, role: string): Promise<void> {
  if (role === 'visitor') return;
  const answer = await context.request.post(`${origin}/api/auth/login`, {
    data: { username: role, password: 'weekender-demo' },
    headers: { origin },
  });
  if (!answer.ok()) throw new Error(`Logging in as ${role} failed: ${await answer.text()}`);
}

async function compare(browser: Browser, origin: string, trackIds: string[], role: string) {
  const kind = role === 'premium' ? 'stream' : 'preview';
  const times = scenarios.map((): number[] => []);
  const probe = await browser.newContext();
  await logIn(probe, origin, role);
  const { cookies } = await probe.storageState();
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [index, scenario] of scenarios.entries()) {
      // Each context has its own cache.
      const context = await browser.newContext();
      await context.addCookies(cookies);
      await context.addInitScript(watchSound);
      const page = await context.newPage();
      const file = `${origin}/media/tracks/${trackIds[3]}/${kind}`;
      times[index]?.push(await scenario.measure(page, { origin, file }));
      await context.close();
    }
  await probe.close();
  const base = median(times[0] ?? []);
  for (const [index, { name, goal }] of scenarios.entries()) {
    const own = times[index] ?? [];
    const spread = `${Math.min(...own).toFixed(0)} to ${Math.max(...own).toFixed(0)}`;
    console.log(
      `${role.padEnd(9)}${name.padEnd(23)}${median(own).toFixed(0).padStart(6)} ms (${spread})  ` +
        `ratio ${(median(own) / base).toFixed(2)}${goal ? `, goal ${goal}` : ''}`,
    );
  }
}

const dataDir = await mkdtemp(join(tmpdir(), 'bench-click-'));
let server: BenchServer | undefined;
let browser: Browser | undefined;
try {
  const ids = await seed(dataDir);
  server = await startServer(dataDir);
  browser = await chromium.launch({
    executablePath: await findChromium(),
    args: ['--no-sandbox', '--no-first-run'],
  });
  console.log(`Click to sound at 150 ms and 1.6 Mb/s, median of ${ROUNDS}`);
  for (const role of values.roles.split(',')) await compare(browser, server.origin, ids, role);
  console.log(`load of the machine ${loadavg()[0]?.toFixed(1)}`);
} finally {
  await browser?.close();
  await stopProcess(server?.process);
  await rm(dataDir, { recursive: true, force: true });
}

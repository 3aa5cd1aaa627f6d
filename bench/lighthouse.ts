import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { installPackage } from '#tools/testing/install-package.ts';
import { startChild } from './bench-server.ts';

/** Not in package.json: it brings over a hundred packages, and only this benchmark needs it. */
const LIGHTHOUSE = 'lighthouse@13.5.0';

type Audit = {
  title: string;
  /** Null where the audit doesn't apply. */
  score: number | null;
  numericValue?: number;
  details?: { items?: unknown[] };
};
type Category = { id: string; score: number | null; auditRefs: { id: string; weight: number }[] };
type Result = {
  categories: Record<string, Category>;
  audits: Record<string, Audit>;
  runtimeError?: { message: string };
};
type Lighthouse = (
  url: string,
  flags: { port: number; logLevel: 'error' },
) => Promise<{ lhr: Result } | undefined>;

async function loadLighthouse(): Promise<Lighthouse> {
  const file = join(installPackage(LIGHTHOUSE, 'lighthouse'), 'core', 'index.js');
  const module = (await import(pathToFileURL(file).href)) as { default: Lighthouse };
  return module.default;
}

const CHROMIUM_FLAGS = [
  '--headless=new',
  '--no-sandbox',
  '--no-first-run',
  '--mute-audio',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-extensions',
  '--disable-sync',
  // Our own certificate, if the page has one.
  '--ignore-certificate-errors',
  '--remote-debugging-port=0',
];

/** Starts a browser with an empty profile and finds the address that it listens on. */
async function startChromium(program: string, profile: string) {
  const browser = startChild(
    program,
    [...CHROMIUM_FLAGS, `--user-data-dir=${profile}`, 'about:blank'],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  const exited = once(browser, 'exit').then(() => Promise.reject(new Error('Chromium ended.')));
  exited.catch(() => undefined);
  return { browser, address: await Promise.race([readAddress(browser), exited]) };
}

async function readAddress({ stderr }: ChildProcess): Promise<string> {
  if (!stderr) throw new Error('Chromium has no output.');
  for await (const line of createInterface({ input: stderr })) {
    const address = /^DevTools listening on (ws:\S+)/.exec(line)?.[1];
    if (address === undefined) continue;
    stderr.resume();
    return address;
  }
  throw new Error('Chromium opened no port.');
}

/** Asks the browser to end: its program may be a script that a signal would end alone. */
async function closeChromium(browser: ChildProcess, address: string): Promise<void> {
  if (browser.exitCode !== null) return;
  const exited = once(browser, 'exit');
  const socket = new WebSocket(address);
  socket.addEventListener('open', () =>
    socket.send(JSON.stringify({ id: 1, method: 'Browser.close' })),
  );
  socket.addEventListener('error', () => browser.kill());
  await exited;
}

export type PageFigures = {
  /** From 0 to 100. */
  scores: { performance: number; accessibility: number; bestPractices: number; seo: number };
  lcpMs: number;
  blockingMs: number;
  shift: number;
  requests: number;
  scriptKb: number;
  /** Of sound that loads ahead, so that it starts at once. */
  soundKb: number;
  /** Of everything but sound. */
  totalKb: number;
  /** Audits outside performance that cost points. */
  failures: string[];
};

type NetworkRequest = { url: string; resourceType?: string; transferSize: number };

const isSound = ({ resourceType }: NetworkRequest): boolean => resourceType === 'Media';

const scoreOf = (category: Category | undefined): number =>
  Math.round((category?.score ?? 0) * 100);

const describeItems = ({ details }: Audit): string =>
  JSON.stringify(details?.items ?? []).slice(0, 600);

function listFailures({ categories, audits }: Result): string[] {
  const others = Object.values(categories).filter(({ id }) => id !== 'performance');
  return others.flatMap(({ id: category, auditRefs }) =>
    auditRefs.flatMap(({ id, weight }) => {
      const audit = audits[id];
      if (weight === 0 || !audit || audit.score === null || audit.score === 1) return [];
      return [`${category}: ${id}: ${audit.title} ${describeItems(audit)}`];
    }),
  );
}

function readFigures(result: Result): PageFigures {
  const { categories, audits } = result;
  const read = (id: string): number => audits[id]?.numericValue ?? NaN;
  const items = (audits['network-requests']?.details?.items ?? []) as NetworkRequest[];
  const requests = items.filter(({ url }) => url.startsWith('http'));
  const kilobytes = (list: readonly NetworkRequest[]): number =>
    list.reduce((sum, { transferSize }) => sum + transferSize, 0) / 1024;
  return {
    scores: {
      performance: scoreOf(categories['performance']),
      accessibility: scoreOf(categories['accessibility']),
      bestPractices: scoreOf(categories['best-practices']),
      seo: scoreOf(categories['seo']),
    },
    lcpMs: read('largest-contentful-paint'),
    blockingMs: read('total-blocking-time'),
    shift: read('cumulative-layout-shift'),
    requests: requests.length,
    scriptKb: kilobytes(requests.filter(({ resourceType }) => resourceType === 'Script')),
    soundKb: kilobytes(requests.filter(isSound)),
    totalKb: kilobytes(requests.filter((request) => !isSound(request))),
    failures: listFailures(result),
  };
}

export type MeasurePage = (url: string) => Promise<PageFigures>;

/** Loads pages as a phone with an empty cache does, on a connection of 150 ms and 1.6 Mb/s. */
export async function createMeasurement(chromium: string): Promise<MeasurePage> {
  const lighthouse = await loadLighthouse();
  return async (url) => {
    const profile = await mkdtemp(join(tmpdir(), 'bench-browser-'));
    const { browser, address } = await startChromium(chromium, profile);
    try {
      const run = await lighthouse(url, {
        port: Number(new URL(address).port),
        logLevel: 'error',
      });
      if (!run) throw new Error(`Lighthouse returned nothing for ${url}.`);
      if (run.lhr.runtimeError) throw new Error(`${url}: ${run.lhr.runtimeError.message}`);
      return readFigures(run.lhr);
    } finally {
      await closeChromium(browser, address);
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    }
  };
}

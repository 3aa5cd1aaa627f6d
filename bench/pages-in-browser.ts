import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { findChromium } from '#tools/testing/find-chromium.ts';
import { findFreePort } from '#tools/testing/free-port.ts';
import { buildBarePage } from './bare-page.ts';
import type { BareAnswer } from './bare-server.ts';
import {
  describeMachine,
  median,
  startBareServer,
  startHttps,
  startProduction,
  stopProcess,
  type BenchServer,
} from './bench-server.ts';
import { createMeasurement, type PageFigures } from './lighthouse.ts';
import { writePageSite } from './page-site.ts';

/**
 * Lighthouse on pages as a visitor with a phone sees them, compared with a static page that has only
 * the text and the main picture, in turns. The web app must be built. With `--https` Caddy is in front
 * of both, as in production, so that the browser speaks HTTP/2.
 *
 *   node bench/pages-in-browser.ts [--runs 5] [--page / --page /login] [--https]
 */
const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '5' },
    page: { type: 'string', multiple: true, default: ['/', '/top-20', '/landing', '/login'] },
    https: { type: 'boolean', default: false },
  },
});
const RUNS = Number(values.runs);

type Measured = { ours: PageFigures[]; bare: PageFigures[] };
type Line = {
  name: string;
  read: (page: Measured) => number;
  digits?: number;
  unit?: string;
  /** At least or at most this. */
  min?: number;
  max?: number;
  /** The target is for this page only. */
  only?: string;
};

const medianOf = (list: readonly PageFigures[], read: (figures: PageFigures) => number): number =>
  median(list.map(read));
const ours =
  (read: (figures: PageFigures) => number) =>
  (page: Measured): number =>
    medianOf(page.ours, read);
const lcp = (figures: PageFigures): number => figures.lcpMs;

const lines: Line[] = [
  { name: 'Performance', read: ours(({ scores }) => scores.performance), min: 95 },
  { name: 'Accessibility', read: ours(({ scores }) => scores.accessibility), min: 100 },
  { name: 'Best practices', read: ours(({ scores }) => scores.bestPractices), min: 100 },
  { name: 'SEO', read: ours(({ scores }) => scores.seo), min: 100 },
  { name: 'Largest paint', read: ours(lcp), unit: ' ms' },
  { name: 'Largest paint, bare', read: ({ bare }) => medianOf(bare, lcp), unit: ' ms' },
  {
    name: 'Ratio to bare',
    read: (page) => medianOf(page.ours, lcp) / medianOf(page.bare, lcp),
    digits: 2,
    max: 1.5,
  },
  { name: 'Blocking time', read: ours((figures) => figures.blockingMs), unit: ' ms', max: 150 },
  { name: 'Layout shift', read: ours((figures) => figures.shift), digits: 3, max: 0.02 },
  { name: 'Requests', read: ours((figures) => figures.requests), max: 25, only: '/' },
  { name: 'Script', read: ours((figures) => figures.scriptKb), unit: ' KB', max: 150, only: '/' },
  {
    name: 'In all, but sound',
    read: ours((figures) => figures.totalKb),
    unit: ' KB',
    max: 320,
    only: '/',
  },
  { name: 'Sound loaded ahead', read: ours((figures) => figures.soundKb), unit: ' KB' },
];

function describeTarget({ min, max, only }: Line, path: string, value: number): string {
  const limit = min ?? max;
  if (limit === undefined || (only !== undefined && only !== path)) return '';
  const isMet = min === undefined ? value <= limit : value >= limit;
  return `target ${min === undefined ? 'at most' : 'at least'} ${limit}  ${isMet ? 'met' : 'missed'}`;
}

function report(path: string, page: Measured) {
  console.log(`\n${path}`);
  for (const line of lines) {
    const value = line.read(page);
    const figure = `${value.toFixed(line.digits ?? 0)}${line.unit ?? ''}`;
    console.log(
      `  ${line.name.padEnd(22)}${figure.padStart(9)}  ${describeTarget(line, path, value)}`.trimEnd(),
    );
  }
  for (const failure of new Set(page.ours.flatMap(({ failures }) => failures)))
    console.log(`  ! ${failure}`);
  console.log(`  ${describeMachine()}`);
}

const compressed = (body: Buffer, type: string): BareAnswer => ({
  headers: {
    'content-type': type,
    'content-encoding': 'gzip',
    'content-length': String(body.length),
  },
  body: body.toString('base64'),
});

/** The bare pages and their pictures, by path. */
async function buildBareSite(origin: string): Promise<Record<string, BareAnswer>> {
  const answers: Record<string, BareAnswer> = {};
  for (const path of values.page) {
    const response = await fetch(origin + path, { headers: { accept: 'text/html' } });
    const { html, picture } = buildBarePage(await response.text());
    answers[path] = compressed(gzipSync(html), 'text/html; charset=utf-8');
    if (picture === null) continue;
    const file = await fetch(origin + picture);
    const bytes = Buffer.from(await file.arrayBuffer());
    answers[picture] = compressed(gzipSync(bytes), file.headers.get('content-type') ?? '');
  }
  return answers;
}

/** Where the browser finds a server: behind Caddy with `--https`. */
async function openToBrowser({ origin, port }: BenchServer, httpsPort: number): Promise<string> {
  if (!values.https) return origin;
  const proxy = await startHttps(folder, httpsPort, port);
  children.push(proxy.process);
  return proxy.origin;
}

const folder = await mkdtemp(join(tmpdir(), 'bench-browser-pages-'));
const children: ChildProcess[] = [];
try {
  const measurePage = await createMeasurement(await findChromium());
  await writePageSite(folder);
  const httpsPort = await findFreePort();
  const server = await startProduction(
    folder,
    values.https ? { APP_ORIGIN: `https://localhost:${httpsPort}` } : {},
  );
  children.push(server.process);
  const bareServer = await startBareServer(folder, await buildBareSite(server.origin));
  children.push(bareServer.process);
  const ourOrigin = await openToBrowser(server, httpsPort);
  const bareOrigin = await openToBrowser(bareServer, await findFreePort());
  const protocol = values.https ? 'HTTP/2' : 'HTTP/1.1';
  console.log(`Lighthouse as a phone, ${protocol}, medians of ${RUNS}; ${describeMachine()}`);
  for (const path of values.page) {
    const page: Measured = { ours: [], bare: [] };
    for (let run = 0; run < RUNS; run += 1) {
      page.ours.push(await measurePage(ourOrigin + path));
      page.bare.push(await measurePage(bareOrigin + path));
    }
    report(path, page);
  }
} finally {
  await Promise.all(children.map(stopProcess));
  await rm(folder, { recursive: true, force: true });
}

import { execFile, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { parseArgs, promisify } from 'node:util';
import { postgresSources, startFirst, type TestPostgres } from '#tools/testing/find-postgres.ts';
import { writeApiSite, type ApiSite } from './api-site.ts';
import type { BareAnswer } from './bare-server.ts';
import {
  describeMachine,
  median,
  startBareServer,
  startProduction,
  stopProcess,
} from './bench-server.ts';
import type { RequestResult, RequestTask } from './request-client.ts';

/**
 * Requests per second of the real server, compared with a bare Node server that sends the same bytes,
 * in turns, with a client in its own process. The web app must be built.
 *
 *   node bench/api.ts [--tracks 50000] [--rounds 5] [--seconds 2] [--connections 16]
 *     [--databases sqlite,postgres] [--lines track,search] [--gzip]
 */
const { values } = parseArgs({
  options: {
    tracks: { type: 'string', default: '50000' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    connections: { type: 'string', default: '16' },
    databases: { type: 'string', default: 'sqlite,postgres' },
    lines: { type: 'string', default: '' },
    gzip: { type: 'boolean', default: false },
  },
});
const ROUNDS = Number(values.rounds);
const SECONDS = Number(values.seconds);
const CONNECTIONS = Number(values.connections);
const WARM_UP_SECONDS = 3;
/** On PostgreSQL, half of each target. */
const POSTGRES_SHARE = 0.5;
const YEARS = [2025, 2024, 2023, 2022, 2021, 2020, 2019, 2018, 2017];
/** What Node adds by itself. */
const OWN_HEADERS = new Set(['connection', 'date', 'keep-alive', 'transfer-encoding']);

const run = promisify(execFile);

type Line = {
  name: string;
  target: number;
  isSignedIn?: true;
  paths: (site: ApiSite) => string[];
};

const trackPaths = ({ trackIds }: ApiSite) => trackIds.map((id) => `/api/tracks/${id}`);
const listPaths = () => [
  '/api/tracks?limit=20',
  ...YEARS.map((year) => `/api/tracks?limit=20&year=${year}`),
];
const searchPaths = ({ queries }: ApiSite) =>
  queries.map((query) => `/api/tracks/search?q=${encodeURIComponent(query)}`);

const ALL_LINES: Line[] = [
  { name: 'Track, visitor', target: 0.4, paths: trackPaths },
  { name: 'Track, signed in', target: 0.4, isSignedIn: true, paths: trackPaths },
  { name: 'Who am I', target: 0.4, isSignedIn: true, paths: () => ['/api/auth/me'] },
  { name: 'List of 20, visitor', target: 0.3, paths: listPaths },
  { name: 'List of 20, signed in', target: 0.3, isSignedIn: true, paths: listPaths },
  { name: 'Top 20, visitor', target: 0.3, paths: () => ['/api/top-20'] },
  { name: 'Top 20, signed in', target: 0.3, isSignedIn: true, paths: () => ['/api/top-20'] },
  { name: 'Search, visitor', target: 0.15, paths: searchPaths },
  { name: 'Search, signed in', target: 0.15, isSignedIn: true, paths: searchPaths },
  { name: 'Home’s HTML, visitor', target: 0.5, paths: () => ['/'] },
];
const wanted = values.lines.toLowerCase().split(',');
const lines = ALL_LINES.filter(({ name }) =>
  wanted.some((part) => name.toLowerCase().includes(part)),
);

const HEADERS = [
  'accept: text/html, application/json',
  ...(values.gzip ? ['accept-encoding: gzip'] : []),
];
const cookiesOf = ({ isSignedIn }: Line, { cookies }: ApiSite) => (isSignedIn ? cookies : []);

/** An answer of the real server, as the bare one sends it. */
async function record(url: string, cookies: string[]): Promise<BareAnswer> {
  const sent = [...HEADERS, ...cookies.slice(0, 1).map((cookie) => `cookie: ${cookie}`)];
  const pairs = sent.map((line) => line.split(': ', 2));
  const request = get(url, { headers: Object.fromEntries(pairs) as Record<string, string> });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const body = await buffer(response);
  if (response.statusCode !== 200)
    throw new Error(`${url} answered ${response.statusCode}: ${body.toString().slice(0, 300)}`);
  const kept = Object.entries(response.headers).filter(([name]) => !OWN_HEADERS.has(name));
  return {
    headers: {
      ...(Object.fromEntries(kept) as Record<string, string>),
      'content-length': String(body.length),
    },
    body: body.toString('base64'),
  };
}

type Subject = { task: RequestTask; results: RequestResult[] };
type Comparison = { line: Line; bytes: number; ours: Subject; bare: Subject };

/** Bare answers have their line in the path, because a visitor gets other bytes than a subscriber. */
const barePath = (line: number, path: string) => `/${line}${path}`;

async function recordAll(origin: string, site: ApiSite): Promise<Record<string, BareAnswer>> {
  const answers: Record<string, BareAnswer> = {};
  for (const [index, line] of lines.entries())
    for (const path of line.paths(site))
      answers[barePath(index, path)] = await record(origin + path, cookiesOf(line, site));
  return answers;
}

function buildSubject(port: number, paths: string[], cookies: string[]): Subject {
  const task = { port, paths, cookies, connections: CONNECTIONS, seconds: SECONDS };
  return { task: { ...task, headers: HEADERS }, results: [] };
}

async function measure(task: RequestTask): Promise<RequestResult> {
  const client = join(import.meta.dirname, 'request-client.ts');
  const { stdout } = await run(process.execPath, [client, JSON.stringify(task)]);
  return JSON.parse(stdout) as RequestResult;
}

async function runRounds({ ours, bare }: Comparison) {
  for (const { task } of [ours, bare]) await measure({ ...task, seconds: WARM_UP_SECONDS });
  for (let round = 0; round < ROUNDS; round += 1)
    for (const { task, results } of [ours, bare]) results.push(await measure(task));
}

const perSecond = (results: readonly RequestResult[]): number =>
  median(results.map(({ requestsPerSecond }) => requestsPerSecond));
const formatCount = (count: number): string => Math.round(count).toLocaleString('en').padStart(7);

/** Prints a line and returns whether it met its target. */
function report({ line, bytes, ours, bare }: Comparison, share: number): boolean {
  const ratios = ours.results.map(
    ({ requestsPerSecond }, round) =>
      requestsPerSecond / (bare.results[round]?.requestsPerSecond ?? NaN),
  );
  const ratio = median(ratios);
  const target = line.target * share;
  const isMet = ratio >= target;
  const clientLoad = Math.max(...bare.results.map((result) => result.clientLoad));
  console.log(
    `${line.name.padEnd(23)}${formatCount(perSecond(ours.results))}/s of ${formatCount(perSecond(bare.results))}/s` +
      `  ${formatCount(bytes)} bytes  ratio ${ratio.toFixed(2)} ` +
      `(${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})` +
      `  target ${target.toFixed(3)}  ${isMet ? 'met' : 'missed'}` +
      (clientLoad > 0.9 ? '  (the client was busy: the bare server may be faster)' : ''),
  );
  return isMet;
}

async function compare(folder: string, env: Record<string, string>, share: number) {
  const site = await writeApiSite({ DATA_DIR: folder, ...env }, Number(values.tracks), CONNECTIONS);
  const children: ChildProcess[] = [];
  try {
    const server = await startProduction(folder, env);
    children.push(server.process);
    const answers = await recordAll(server.origin, site);
    const bareServer = await startBareServer(folder, answers);
    children.push(bareServer.process);
    let met = 0;
    for (const [index, line] of lines.entries()) {
      const paths = line.paths(site);
      const barePaths = paths.map((path) => barePath(index, path));
      const cookies = cookiesOf(line, site);
      const comparison = {
        line,
        bytes: median(barePaths.map((path) => Number(answers[path]?.headers['content-length']))),
        ours: buildSubject(server.port, paths, cookies),
        bare: buildSubject(bareServer.port, barePaths, cookies),
      };
      await runRounds(comparison);
      if (report(comparison, share)) met += 1;
    }
    console.log(`${met} of ${lines.length} targets met; ${describeMachine()}`);
  } finally {
    await Promise.all(children.map(stopProcess));
  }
}

/** Only from this machine: a benchmark downloads nothing. */
const startPostgres = (): Promise<TestPostgres | undefined> =>
  startFirst(
    postgresSources({
      platform: process.platform,
      arch: process.arch,
      env: { POSTGRES_FROM: 'machine' },
    }),
  );

async function compareOnPostgres(folder: string) {
  const postgres = await startPostgres();
  if (!postgres) {
    console.log('There is no PostgreSQL on this machine, so it was left out.');
    return;
  }
  try {
    await compare(folder, { DATABASE_URL: postgres.url }, POSTGRES_SHARE);
  } finally {
    await postgres.stop();
  }
}

console.log(
  `Requests per second against a bare Node server, ${values.tracks} tracks, ${values.connections} connections, ` +
    `medians of ${ROUNDS} rounds of ${SECONDS} s${values.gzip ? ', compressed' : ''}; ${describeMachine()}`,
);
for (const database of values.databases.split(',')) {
  const folder = await mkdtemp(join(tmpdir(), 'bench-api-'));
  console.log(`\n${database === 'postgres' ? 'PostgreSQL' : 'SQLite'}`);
  try {
    if (database === 'postgres') await compareOnPostgres(folder);
    else await compare(folder, {}, 1);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startProduction } from './bench-server.ts';
import { writePageSite } from './page-site.ts';

/**
 * How much memory the server holds while visitors open pages, all of them different ones, and
 * afterwards. Needs `npm run build`.
 *
 *   node bench/memory.ts [--minutes 10] [--rate 20]
 */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    rate: { type: 'string', default: '20' },
  },
});
const REPORT_MS = 30_000;
const QUIET_MS = 60_000;
const FIXED_PAGES = ['/', '/top-20', '/pricing', '/landing', '/library', '/login'];

const endAt = performance.now() + Number(values.minutes) * 60_000;
const everyMs = 1000 / Number(values.rate);
const folder = await mkdtemp(join(tmpdir(), 'bench-memory-'));
const agent = new Agent({ keepAlive: true });

const get = (port: number, path: string): Promise<number> =>
  new Promise((resolve) => {
    const headers = { accept: 'text/html', 'accept-encoding': 'gzip, br' };
    const sent = request({ host: '127.0.0.1', port, path, agent, headers }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0));
    });
    sent.on('error', () => resolve(0));
    sent.end();
  });

async function readResident(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024);
}

try {
  await writePageSite(folder);
  const {
    port,
    origin,
    process: server,
  } = await startProduction(folder, {
    LOG_LEVEL: 'error',
    WORKER: 'on',
  });
  const pid = server.pid ?? 0;
  const list = await (await fetch(`${origin}/api/tracks?limit=100`)).json();
  const { items } = list as { items: { id: string }[] };
  const paths = [...FIXED_PAGES, ...items.map(({ id }) => `/track/${id}`)];
  const start = performance.now();
  console.log(`${items.length} mixes; resident after the start: ${await readResident(pid)} MB`);
  let opened = 0;
  let failed = 0;
  let most = 0;
  let reportedAt = start;
  while (performance.now() < endAt) {
    const path = paths[Math.floor(Math.random() * paths.length)] ?? '/';
    // Addresses with a query aren't shared between visitors, so these are rendered each time.
    const answer = get(port, opened % 2 === 0 ? `${path}?from=${opened}` : path);
    void answer.then((status) => (failed += status === 200 ? 0 : 1));
    opened += 1;
    await pause(Math.max(0, start + opened * everyMs - performance.now()));
    if (performance.now() - reportedAt < REPORT_MS) continue;
    reportedAt = performance.now();
    const resident = await readResident(pid);
    most = Math.max(most, resident);
    const rate = Math.round((opened / (performance.now() - start)) * 1000);
    const minutes = ((performance.now() - start) / 60_000).toFixed(1);
    console.log(`${minutes} min: ${resident} MB (${rate} pages a second, ${failed} failed)`);
  }
  await pause(QUIET_MS);
  console.log(`at most ${most} MB; a minute after the last page ${await readResident(pid)} MB`);
  const load = loadavg().map((value) => value.toFixed(1));
  console.log(`${availableParallelism()} cores; load ${load.join(' ')}`);
} finally {
  await rm(folder, { recursive: true, force: true });
}
process.exit();

import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { closeDeps } from '#server/deps.ts';
import { createPerson } from '#server/testing/access/people.ts';
import { createRandom } from '#server/testing/random.ts';
import { fileBytes } from '#server/testing/seed-track.ts';
import { writeToneWav } from '#server/testing/tone-wav.ts';
import { findFreePort } from '../testing/free-port.ts';
import type { TestPostgres } from '../testing/find-postgres.ts';
import { startNginx, type NginxPlaces, type RunningNginx } from '../testing/run-nginx.ts';
import { createDurableDatabase } from './durable-database.ts';
import { recount } from './recount.ts';
import { openSite, prepare, waitForBookings } from './run-chaos.ts';
import { createSiteProcesses } from './site-processes.ts';
import { createJournal, createWriter, type Journal } from './writers.ts';

/** The bucket of deploy/compose.scale.yaml, which is a path in deploy/nginx.conf. */
const BUCKET = 'site-files';
/** More would only keep the machine from starting the programs that are awaited. */
const WRITERS = 2;
/** How many writes must be acknowledged while something is away, and after it is back. */
const WRITES_PER_STEP = 6;
const PATIENCE_MS = 90_000;

export type SeveralServersResult = {
  journal: Journal;
  /** Acknowledged writes that are gone, or that happened twice. */
  losses: string[];
  /** Processes that ended by themselves. */
  failures: string[];
  /** Answers with audio that the one who asked hasn't paid for. */
  leaks: string[];
  /** How often audio was refused, so that nobody relies on requests that never arrived. */
  refusals: number;
};

async function waitUntil(what: string, isTrue: () => Promise<boolean> | boolean) {
  const start = performance.now();
  while (!(await isTrue())) {
    if (performance.now() - start > PATIENCE_MS) throw new Error(`Waited in vain until ${what}.`);
    await setTimeout(50);
  }
}

const ask = (url: string, init: RequestInit = {}): Promise<Response | null> =>
  fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(10_000), ...init }).catch(
    () => null,
  );

type Site = Awaited<ReturnType<typeof startSite>>;

/** The programs of deploy/compose.scale.yaml on this machine, with nothing shared but what they share there. */
async function startSite(
  postgres: TestPostgres,
  folder: string,
  { failures, journal }: SeveralServersResult,
) {
  const databaseUrl = await createDurableDatabase(postgres);
  const [httpPort, httpsPort, first, second, storePort] = await Promise.all([
    findFreePort(),
    findFreePort(),
    findFreePort(),
    findFreePort(),
    findFreePort(),
  ]);
  const origin = `http://127.0.0.1:${httpsPort}`;
  const settings = {
    APP_ORIGIN: origin,
    TRUST_PROXY: '1',
    WORKER: 'off',
    LOG_LEVEL: 'error',
    DATABASE_URL: databaseUrl,
    S3_ENDPOINT: origin,
    S3_REGION: 'us-east-1',
    S3_BUCKET: BUCKET,
    // The only account that this store knows.
    S3_ACCESS_KEY_ID: 'S3RVER',
    S3_SECRET_ACCESS_KEY: 'S3RVER',
  };
  const own = (name: string, port: number) => ({
    ...settings,
    PORT: String(port),
    DATA_DIR: join(folder, name),
  });
  const store = { S3_PORT: String(storePort), S3_FOLDER: join(folder, 'store'), S3_BUCKET: BUCKET };
  const programs = {
    app1: { file: 'server/main.ts', env: own('app1', first) },
    app2: { file: 'server/main.ts', env: own('app2', second) },
    worker: { file: 'server/worker.ts', env: own('worker', 0) },
    store: { file: 'tools/chaos/run-s3.ts', env: store },
  };
  const processes = createSiteProcesses(
    programs,
    (name, how, output) => {
      failures.push(`${name} ended by itself (${how}): ${output}`);
      processes.start(name);
    },
    (line) => journal.bad.push(line.slice(0, 600)),
  );
  const places: NginxPlaces = {
    folder: join(folder, 'nginx'),
    httpPort,
    httpsPort,
    appPorts: [first, second],
    storePort,
    // People have addresses of their own, as behind a CDN.
    outerProxy: '127.0.0.1',
  };
  await mkdir(places.folder);
  let nginx: RunningNginx | null = null;
  return {
    origin,
    processes,
    env: { ...settings, DATA_DIR: join(folder, 'recount') },
    nginx: {
      start: async () => void (nginx = await startNginx(places)),
      reload: () => nginx?.reload(),
      kill: async () => nginx?.kill(),
    },
    ports: { app1: first, app2: second, store: storePort },
  };
}

const isUp = async ({ ports }: Site, name: keyof Site['ports'], path = '/healthz') =>
  ((await ask(`http://127.0.0.1:${ports[name]}${path}`))?.status ?? 500) < 500;

/** Asks for music that isn't paid for, again and again, whatever happens to the site. */
async function askForFreeMusic(
  { origin }: Site,
  { trackIds, cookies }: { trackIds: readonly string[]; cookies: readonly string[] },
  result: SeveralServersResult,
  isOver: () => boolean,
) {
  while (!isOver()) {
    for (const cookie of cookies)
      for (const name of ['stream', 'dataSaver']) {
        const path = `/media/tracks/${trackIds[0]}/${name}`;
        const response = await ask(`${origin}${path}`, { headers: { cookie } });
        if (response && response.status < 400) result.leaks.push(`${path}: ${response.status}`);
        if (response?.status === 401 || response?.status === 403) result.refusals += 1;
      }
    const stored = await ask(`${origin}/${BUCKET}/tracks/${trackIds[0]}-stream.bin`);
    if (stored && stored.status < 400) result.leaks.push(`The store: ${stored.status}`);
    await setTimeout(100);
  }
}

/** A file that is sent in two parts, each while only one of the two servers is there. */
async function createUpload({ origin }: Site, admin: string, journal: Journal) {
  const bytes = writeToneWav({ seconds: 2, loudFrom: 1 });
  const half = bytes.length / 2;
  const headers = { origin, cookie: admin, 'tus-resumable': '1.0.0' };
  const metadata = `filename ${Buffer.from('two-servers.wav').toString('base64')}`;
  const created = await ask(`${origin}/api/admin/uploads`, {
    method: 'POST',
    headers: { ...headers, 'upload-length': String(bytes.length), 'upload-metadata': metadata },
  });
  const location = new URL(created?.headers.get('location') ?? '/', origin).href;
  const readOffset = async () =>
    (await ask(location, { method: 'HEAD', headers }))?.headers.get('upload-offset');
  const id = location.split('/').at(-1) ?? '';

  async function sendHalf(index: number) {
    const from = index * half;
    await waitUntil(
      'the server that is left knows what was sent',
      async () => (await readOffset()) === String(from),
    );
    const part = await ask(location, {
      method: 'PATCH',
      headers: {
        ...headers,
        'upload-offset': String(from),
        'content-type': 'application/offset+octet-stream',
      },
      body: bytes.subarray(from, from + half),
    });
    if (part?.status !== 204) throw new Error(`A part of the upload got ${part?.status}.`);
    if (index === 0) return;
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    journal.entries.push({ kind: 'upload', id, received: bytes, isWhole: true, sha256 });
  }
  return { id, sendHalf };
}

type Upload = Awaited<ReturnType<typeof createUpload>>;

/** Takes away one of each, and brings it back once people have gone on writing without it. */
async function breakEach(site: Site, postgres: TestPostgres, upload: Upload, journal: Journal) {
  const { processes, nginx } = site;
  const waitForWrites = async () => {
    const wanted = journal.entries.length + WRITES_PER_STEP;
    await waitUntil('people can write', () => journal.entries.length >= wanted);
  };
  await waitForWrites();
  for (const [index, name] of (['app1', 'app2'] as const).entries()) {
    await processes.kill(name);
    await upload.sendHalf(index);
    await waitForWrites();
    processes.start(name);
    await waitUntil(`${name} is back`, () => isUp(site, name));
  }
  await processes.kill('worker');
  await waitForWrites();
  processes.start('worker');
  await processes.stop('store');
  await waitForWrites();
  processes.start('store');
  await waitUntil('the store is back', () => isUp(site, 'store', '/'));
  await postgres.restart?.();
  await waitForWrites();
  nginx.reload();
  await waitForWrites();
  await nginx.kill();
  await nginx.start();
  await waitForWrites();
}

/** Waits until the worker has made a track of the upload. */
async function waitForTrack({ env }: Site, uploadId: string) {
  const deps = await openSite(env);
  const findMaster = () =>
    deps.database.db
      .selectFrom('uploads')
      .innerJoin('tracks', 'tracks.id', 'uploads.track_id')
      .select('master_key')
      .where('uploads.id', '=', uploadId)
      .where('master_key', 'is not', null)
      .executeTakeFirst();
  try {
    await waitUntil('the upload is a track', async () => (await findMaster()) !== undefined);
  } finally {
    await closeDeps(deps);
  }
}

async function createListeners({ env }: Site) {
  const deps = await openSite(env);
  try {
    const free = await createPerson(deps, 'free');
    const lapsed = await createPerson(deps, 'lapsed');
    const subscriber = await createPerson(deps, 'subscriber');
    return { unpaid: ['', free.cookie, lapsed.cookie], subscriber: subscriber.cookie };
  } finally {
    await closeDeps(deps);
  }
}

/** What a subscriber hears, through the signed address of the store. */
async function listenAsSubscriber({ origin }: Site, trackId: string, cookie: string) {
  const path = `${origin}/media/tracks/${trackId}/stream`;
  const redirect = await ask(path, { headers: { cookie } });
  const range = { headers: { range: 'bytes=0-99' } };
  const audio = await ask(redirect?.headers.get('location') ?? origin, range);
  return audio?.status === 206 ? Buffer.from(await audio.arrayBuffer()) : null;
}

/**
 * Two servers, a worker, PostgreSQL, a store and nginx, as deploy/compose.scale.yaml runs them. Each is
 * killed under people who write through nginx; then everything acknowledged is looked for.
 */
export async function runSeveralServers(postgres: TestPostgres): Promise<SeveralServersResult> {
  const folder = await mkdtemp(join(tmpdir(), 'servers-'));
  const journal = createJournal();
  const result: SeveralServersResult = {
    journal,
    losses: [],
    failures: [],
    leaks: [],
    refusals: 0,
  };
  const site = await startSite(postgres, folder, result);
  const { processes, nginx, origin, env } = site;
  let isOver = false;
  try {
    await nginx.start();
    // All at once on an empty database: one of them migrates it.
    for (const name of ['store', 'app1', 'app2', 'worker'] as const) processes.start(name);
    for (const name of ['app1', 'app2'] as const)
      await waitUntil(`${name} is up`, () => isUp(site, name));
    const { trackIds, admin } = await prepare(env);
    const { unpaid, subscriber } = await createListeners(site);
    const shared = { origin, journal, random: createRandom(17), trackIds };
    const upload = await createUpload(site, admin, journal);
    const people = [
      askForFreeMusic(site, { trackIds, cookies: unpaid }, result, () => isOver),
      ...Array.from({ length: WRITERS }, () => createWriter(shared, admin).run(() => isOver)),
    ];
    try {
      await breakEach(site, postgres, upload, journal);
    } finally {
      isOver = true;
      await Promise.all(people);
    }
    await waitForTrack(site, upload.id);
    await waitForBookings(env, journal);
    const heard = await listenAsSubscriber(site, trackIds[0] ?? '', subscriber);
    if (!heard?.equals(fileBytes('stream').subarray(0, 100)))
      result.failures.push('A subscriber doesn’t hear the music.');
    for (const name of ['app1', 'app2', 'worker'] as const) {
      const problem = await processes.stop(name);
      if (problem) result.failures.push(problem);
    }
    const deps = await openSite(env);
    result.losses = await recount(deps, journal);
    await closeDeps(deps);
  } finally {
    processes.killAll();
    await nginx.kill();
    await rm(folder, { recursive: true, force: true });
  }
  return result;
}

import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildUser } from '#server/db/build-rows.ts';
import { connect } from '#server/db/connect.ts';
import { migrate } from '#server/db/schema/migrate.ts';
import { createSession } from '#server/features/sessions/service.ts';
import { hashToken } from '#server/http/route/tokens.ts';
import { createLocalStorage } from '#server/ports/storage/local-storage.ts';
import { seedTrack } from '#server/testing/seed-track.ts';
import { describeMachine, median, startProduction, stopProcess } from './bench-server.ts';

/**
 * How long a listener waits for the first byte of audio while a member asks for many covers at once,
 * each of another mix or in another size.
 * Usage: node bench/pictures.ts [requests at a time] [rounds]
 */
const [AT_A_TIME = 48, ROUNDS = 3] = process.argv.slice(2).map(Number);
const MIXES = 60;
const API_KEY = 'bench-app-password';

async function seed(dataDir: string) {
  const now = Date.now();
  const database = connect({ kind: 'sqlite', file: join(dataDir, 'database.sqlite') }, console);
  await migrate(database, now);
  const { db } = database;
  const storage = createLocalStorage(join(dataDir, 'files'));
  const ids: string[] = [];
  for (let index = 0; index < MIXES; index += 1)
    ids.push((await seedTrack({ db, storage, now }, { week: 1 + (index % 50) })).id);
  for (const id of ['listener', 'member'])
    await db
      .insertInto('users')
      .values(
        buildUser({
          id,
          username: id,
          username_key: id,
          email: `${id}@example.com`,
          email_key: `${id}@example.com`,
          paid_through: now + 1e9,
          created_at: now,
        }),
      )
      .execute();
  const app = { id: 'app', user_id: 'member', name: 'Bench', secret: '', created_at: now };
  const unused = { last_used_at: null, last_client: null, last_ip: null };
  const secret_hash = hashToken(API_KEY);
  await db
    .insertInto('app_passwords')
    .values({ ...app, secret_hash, ...unused })
    .execute();
  const user = { id: 'listener', is_admin: 0, is_helper: 0 } as const;
  const token = await createSession(db, { user, userAgent: '', ip: '127.0.0.1', now });
  await database.close();
  return { ids, cookie: `session=${token}` };
}

/** Milliseconds to the first byte. */
async function hear(origin: string, id: string, cookie: string): Promise<number> {
  const from = performance.now();
  const headers = { cookie, range: 'bytes=1024-2047' };
  const response = await fetch(`${origin}/media/tracks/${id}/stream`, { headers });
  await response.body?.getReader().read();
  return performance.now() - from;
}

/** Threads of the pool that reads files, hashes, compresses and draws. */
async function countThreads(pid: number): Promise<number> {
  const tasks = await readdir(`/proc/${pid}/task`).catch(() => []);
  const names = await Promise.all(
    tasks.map((task) => readFile(`/proc/${pid}/task/${task}/comm`, 'utf8')),
  );
  return names.filter((name) => name.startsWith('libuv-worker')).length;
}

const folder = await mkdtemp(join(tmpdir(), 'bench-pictures-'));
try {
  const { ids, cookie } = await seed(folder);
  const server = await startProduction(folder);
  const first = ids[0] ?? '';
  const calm: number[] = [];
  for (let count = 0; count < 30; count += 1) calm.push(await hear(server.origin, first, cookie));
  const waits: number[] = [];
  const statuses = new Map<number, number>();
  for (let round = 0; round < ROUNDS; round += 1) {
    let isOver = false;
    const covers = Array.from({ length: AT_A_TIME }, async (_, index) => {
      const size = 1 + ((round * AT_A_TIME + index * 7) % 999);
      const id = ids[(round * AT_A_TIME + index) % MIXES] ?? '';
      const query = new URLSearchParams({ apiKey: API_KEY, v: '1.16.1', c: 'bench', id });
      const url = `${server.origin}/rest/getCoverArt?${query.toString()}&size=${size}`;
      const response = await fetch(url);
      await response.arrayBuffer();
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
    });
    const all = Promise.all(covers).finally(() => (isOver = true));
    do waits.push(await hear(server.origin, first, cookie));
    while (!isOver);
    await all;
  }
  const ms = (value: number) => `${value.toFixed(1)} ms`;
  console.log(describeMachine());
  console.log(`threads: ${await countThreads(server.process.pid ?? 0)}`);
  console.log(`calm: median ${ms(median(calm))}, longest ${ms(Math.max(...calm))}`);
  console.log(
    `with ${AT_A_TIME} covers at a time: median ${ms(median(waits))}, longest ${ms(Math.max(...waits))} (${waits.length} requests)`,
  );
  console.log('answers:', Object.fromEntries(statuses));
  await stopProcess(server.process);
} finally {
  await rm(folder, { recursive: true, force: true });
}

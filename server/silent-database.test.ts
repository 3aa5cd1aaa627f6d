/** @module-tag both-databases */
import { createHmac } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { InjectOptions } from 'fastify';
import { expect, inject, it } from 'vitest';
import { postgresSources, startFirst } from '#tools/testing/find-postgres.ts';
import { buildApp } from './app.ts';
import { parseConfig } from './config.ts';
import { connect, type DatabaseSettings } from './db/connect.ts';
import { openSqlite } from './db/open-sqlite.ts';
import { migrate } from './db/schema/migrate.ts';
import { closeDeps, createDeps } from './deps.ts';
import { newReference } from './features/billing/checkout/open-page.ts';
import { createLog } from './log/log.ts';
import { createPerson } from './testing/access/people.ts';
import { seedTrack } from './testing/seed-track.ts';
import { PROVIDER } from './testing/test-app.ts';

type Silence = {
  settings: DatabaseSettings;
  begin: () => unknown;
  end: () => unknown;
  remove: () => unknown;
};

/** A PostgreSQL of its own, because the other tests would wait for it. */
async function freezePostgres(): Promise<Silence> {
  const { platform, arch } = process;
  const postgres = await startFirst(postgresSources({ platform, arch, env: {} }));
  return {
    settings: { kind: 'postgres', url: postgres?.url ?? '' },
    begin: () => postgres?.freeze?.(true),
    end: () => postgres?.freeze?.(false),
    remove: () => postgres?.stop(),
  };
}

/** Another program has the write lock. */
function lockSqlite(folder: string): Silence {
  const file = join(folder, 'database.sqlite');
  const other = openSqlite(file);
  return {
    settings: { kind: 'sqlite', file },
    begin: () => other.exec('begin immediate'),
    end: () => other.isTransaction && other.exec('rollback'),
    remove: () => other.close(),
  };
}

it('refuses what a silent database keeps from being done, at once, until it answers again', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'test-silent-'));
  const isPostgres = inject('testDatabases').dialect === 'postgres';
  const silence = isPostgres ? await freezePostgres() : lockSqlite(folder);
  const log = createLog('silent');
  const env = { DATA_DIR: folder, APP_ORIGIN: 'https://music.example', ...PROVIDER };
  const deps = await createDeps(parseConfig(env), {
    database: connect(silence.settings, log),
    log,
  });
  const { database, storage, clock } = deps;
  await migrate(database, clock.now());
  const app = await buildApp(deps);
  try {
    const { id } = await seedTrack({ db: database.db, storage, now: clock.now() });
    const { cookie } = await createPerson(deps, 'subscriber');
    const reportPayment = () => {
      const data = { reference: newReference() };
      const payload = JSON.stringify({ event: 'charge.success', data });
      const hmac = createHmac('sha512', PROVIDER.PAYSTACK_SECRET_KEY).update(payload);
      const signature = { 'x-paystack-signature': hmac.digest('hex') };
      const headers = { 'content-type': 'application/json', ...signature };
      return { method: 'POST', url: '/api/webhooks/paystack', headers, payload } as const;
    };
    const listRequests = (): Record<string, InjectOptions> => ({
      read: { url: '/api/favorites', headers: { cookie } },
      write: { method: 'POST', url: `/api/tracks/${id}/favorite`, headers: { cookie } },
      audio: { url: `/media/tracks/${id}/stream`, headers: { cookie, range: 'bytes=0-9' } },
      login: {
        method: 'POST',
        url: '/api/auth/login',
        payload: { username: 'nobody', password: 'correct horse battery' },
      },
      webhook: reportPayment(),
      feed: { url: '/feed.xml' },
      'music app': { url: '/rest/ping?u=nobody&p=nothing&v=1.16.1&c=test&f=json' },
    });
    const askAll = async () => {
      const answers = Object.entries(listRequests()).map(async ([name, request]) => {
        const { statusCode, headers } = await app.inject(request);
        return [name, headers['retry-after'] ? `${statusCode}, later` : statusCode];
      });
      return Object.fromEntries(await Promise.all(answers)) as Record<string, number | string>;
    };
    const working = await askAll();
    expect(working).toEqual({
      read: 200,
      write: 204,
      audio: 206,
      login: 401,
      webhook: 200,
      feed: 200,
      'music app': 200,
    });

    database.hurry();
    await silence.begin();
    const writes = { write: '503, later', login: '503, later', webhook: '503, later' };
    const reads = isPostgres ? { read: '503, later', audio: '503, later', feed: '503, later' } : {};
    const refused = { ...working, ...writes, ...reads, 'music app': '503, later' };
    expect(await askAll()).toEqual(refused);
    // Nobody waits for what is known by now.
    expect(await askAll()).toEqual(refused);
    expect((await app.inject('/healthz')).statusCode).toBe(200);
    const { components } = (await app.inject('/api/health')).json();
    const status = isPostgres ? 'error' : 'ok';
    expect(components).toContainEqual({ name: 'database', status });

    await silence.end();
    await expect.poll(askAll, { timeout: 20_000, interval: 200 }).toEqual(working);
  } finally {
    await silence.end();
    await app.close();
    await closeDeps(deps);
    await silence.remove();
    await rm(folder, { recursive: true, force: true });
  }
});

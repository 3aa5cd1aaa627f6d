/** @module-tag both-databases */
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sql } from 'kysely';
import { api } from '#contract/api.ts';
import { Health, type HealthStatus } from '#contract/system.ts';
import { DEMO_PASSWORD, seedDemoAccounts } from '#demo/accounts.ts';
import { migrations } from '../../db/schema/migrations/list.ts';
import { seedTrack } from '../../testing/seed-track.ts';
import { createTestApp, type TestApp } from '../../testing/test-app.ts';
import { createUser } from '../../testing/test-user.ts';
import { createHealthCheck } from './health.ts';
import packageJson from '../../../package.json' with { type: 'json' };
import { describeOnSqlite, itOnSqlite } from '../../testing/on-sqlite.ts';

let test: TestApp;
beforeEach(async () => {
  test = await createTestApp();
});
afterEach(() => test.close());

it('returns its version', async () => {
  const response = await test.app.inject({ url: '/api/version' });
  expect(response.json()).toEqual({ version: '1.0.0', commit: null });
  expect(packageJson.version).toBe('1.0.0');
});

it('says which commit runs', async () => {
  test.deps.commit = Promise.resolve('3c3428b3d0aa-modified');
  const response = await test.app.inject({ url: '/api/version' });
  expect(response.json()).toMatchObject({ commit: '3c3428b3d0aa-modified' });
});

describeOnSqlite('health', () => {
  const setJobs = (probe: () => Promise<{ status: HealthStatus; detail: string }>) =>
    test.deps.jobs.attach({ wake: () => {}, probe });
  const check = async () => {
    const report = await test.app.inject({ url: '/api/health' });
    const short = await test.app.inject({ url: '/healthz' });
    return {
      status: report.statusCode,
      health: Health.parse(report.json()),
      short: [short.statusCode, short.body],
    };
  };
  const statuses = (health: Health) =>
    Object.fromEntries(health.components.map(({ name, status }) => [name, status]));

  it('is ok when everything answers', async () => {
    await test.worker.start();
    const { status, health, short } = await check();
    expect(status).toBe(200);
    expect(health.status).toBe('ok');
    expect(statuses(health)).toEqual({
      database: 'ok',
      migrations: 'ok',
      storage: 'ok',
      jobs: 'ok',
    });
    expect(short).toEqual([200, 'ok']);
  });

  it('is degraded, but still in service, when jobs have problems', async () => {
    setJobs(async () => ({ status: 'degraded', detail: '' }));
    const { status, health, short } = await check();
    expect([status, health.status, short]).toEqual([200, 'degraded', [200, 'ok']]);
  });

  it('is an error when files cannot be written', async () => {
    setJobs(async () => ({ status: 'ok', detail: '' }));
    const files = join(test.deps.config.dataDir, 'files');
    await rm(files, { recursive: true, force: true });
    await writeFile(files, 'in the way');
    const { status, health, short } = await check();
    expect([status, health.status]).toEqual([503, 'error']);
    expect(statuses(health)).toEqual({
      database: 'ok',
      migrations: 'ok',
      storage: 'error',
      jobs: 'ok',
    });
    // A restart would not help.
    expect(short).toEqual([200, 'ok']);
  });

  it('is worse, but no error, when the disk is full: everything but saving works', async () => {
    setJobs(async () => ({ status: 'ok', detail: '' }));
    const full = Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
    test.deps.storage.probe = () => Promise.reject(full);
    const { status, health } = await check();
    expect([status, health.status]).toEqual([200, 'degraded']);
    expect(statuses(health)).toMatchObject({ database: 'ok', storage: 'degraded' });
  });

  it('is an error when the database is gone', async () => {
    setJobs(async () => ({ status: 'ok', detail: '' }));
    await test.deps.database.ping();
    await test.deps.database.db.destroy();
    const { status, health, short } = await check();
    expect(status).toBe(503);
    expect(statuses(health)).toMatchObject({ database: 'error', migrations: 'error' });
    expect(short).toEqual([200, 'ok']);
  });

  it('is an error on a database that lacks a migration, and degraded on one of a newer version', async () => {
    setJobs(async () => ({ status: 'ok', detail: '' }));
    const { db } = test.deps.database;
    await sql`insert into schema_migrations (name, applied_at) values ('9999-later', 0)`.execute(
      db,
    );
    expect(statuses((await check()).health)).toMatchObject({ migrations: 'degraded' });
    await sql`delete from schema_migrations`.execute(db);
    test.clock.advance(2000);
    const { status, health } = await check();
    expect([status, statuses(health).migrations]).toEqual([503, 'error']);
    for (const { name } of migrations)
      await sql`insert into schema_migrations (name, applied_at) values (${name}, 0)`.execute(db);
  });

  it('is an error when a check times out', async () => {
    setJobs(() => new Promise(() => {}));
    const health = await createHealthCheck(test.deps, 20)();
    expect(statuses(health)).toMatchObject({ jobs: 'error' });
  });

  it('is checked at most once every two seconds', async () => {
    let asked = 0;
    setJobs(async () => {
      asked += 1;
      return { status: 'ok', detail: '' };
    });
    const checkHealth = createHealthCheck(test.deps);
    await Promise.all([checkHealth(), checkHealth(), checkHealth()]);
    test.clock.advance(1999);
    await checkHealth();
    expect(asked).toBe(1);
    test.clock.advance(1);
    await checkHealth();
    expect(asked).toBe(2);
  });

  it('doesn’t repeat a check that is still running', async () => {
    const answer = Promise.withResolvers<{ status: HealthStatus; detail: string }>();
    let asked = 0;
    setJobs(() => {
      asked += 1;
      return answer.promise;
    });
    const checkHealth = createHealthCheck(test.deps, 5);
    for (let n = 0; n < 3; n += 1) {
      expect(statuses(await checkHealth())).toMatchObject({ jobs: 'error' });
      test.clock.advance(2000);
    }
    expect(asked).toBe(1);
    answer.resolve({ status: 'ok', detail: '' });
    await answer.promise;
    setJobs(async () => ({ status: 'ok', detail: '' }));
    expect(statuses(await createHealthCheck(test.deps)())).toMatchObject({ jobs: 'ok' });
  });

  it('leaves no files in the store', async () => {
    setJobs(async () => ({ status: 'ok', detail: '' }));
    await check();
    expect(await readdir(join(test.deps.config.dataDir, 'files', 'probes'))).toEqual([]);
  });
});

describeOnSqlite('openapi.json', () => {
  type Document = {
    openapi: string;
    paths: Record<string, Record<string, { responses: object; parameters?: object[] }>>;
  };

  it('describes every route of the contract', async () => {
    const document = (await test.app.inject({ url: '/api/openapi.json' })).json<Document>();
    expect(document.openapi).toBe('3.1.0');
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map(
        (method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`,
      ),
    );
    expect(described.toSorted()).toEqual(Object.keys(api).toSorted());
  });

  it('says where the site is, and what each route asks for, as it does', async () => {
    const { servers, components, paths } = (
      await test.app.inject({ url: '/api/openapi.json' })
    ).json<{
      servers: object[];
      components: { securitySchemes: Record<string, { type: string; in: string; name: string }> };
      paths: Record<string, Record<string, { security: Record<string, string[]>[] }>>;
    }>();
    expect(servers).toEqual([{ url: test.deps.site.origin }]);
    const { session } = components.securitySchemes;
    expect(session).toMatchObject({ type: 'apiKey', in: 'cookie' });
    const member = await createUser(test, 'sipho');
    expect([...member.client.cookies.keys()]).toContain(session?.name);

    const said: Record<string, string> = {};
    const found: Record<string, string> = {};
    for (const [path, methods] of Object.entries(paths))
      for (const [name, { security }] of Object.entries(methods)) {
        const method = name.toUpperCase() as 'GET';
        const url = path.replace(/\{\w+\}/g, 'unknown');
        const needsSession = security.length > 0 && !security.some((one) => !one.session);
        const isForStaff = security.some(({ session: roles = [] }) =>
          ['administrator', 'helper'].some((role) => roles.includes(role)),
        );
        said[`${method} ${url}`] = isForStaff ? 'admin' : needsSession ? 'user' : 'all';
        const { statusCode, body } = await test.app.inject({ method, url });
        const isRefused = statusCode === 401 && body.includes('"unauthenticated"');
        found[`${method} ${url}`] = !isRefused
          ? 'all'
          : url.startsWith('/api/admin/')
            ? 'admin'
            : 'user';
      }
    expect(said).toEqual(found);
  });

  it('documents that a health report has the same shape when something is down', async () => {
    const document = (await test.app.inject({ url: '/api/openapi.json' })).json<Document>();
    const responses = document.paths['/api/health']?.get?.responses as Record<
      string,
      { content: object }
    >;
    expect(responses['503']?.content).toEqual(responses['200']?.content);
    expect(JSON.stringify(responses['503'])).toContain('components');
  });

  it('documents parameters, responses and errors', async () => {
    const document = (await test.app.inject({ url: '/api/openapi.json' })).json<Document>();
    const operation = document.paths['/api/users/{id}']?.patch;
    expect(operation?.parameters).toEqual([
      { name: 'id', in: 'path', required: true, schema: { type: 'string', maxLength: 64 } },
    ]);
    expect(Object.keys(operation?.responses ?? {})).toEqual(
      expect.arrayContaining(['200', '400', '401', '404', '409', '413', '415', '500']),
    );
    expect(Object.keys(document.paths['/api/auth/logout']?.post?.responses ?? {})).toContain('204');
  });
});

describe('the documentation page', () => {
  it('lists every route and loads nothing from other sites', async () => {
    const { body, headers } = await test.app.inject({ url: '/api/docs' });
    for (const key of Object.keys(api)) {
      const anchor = key.toLowerCase().replace(/[^a-z0-9]+/g, '-');
      expect(body).toContain(`id="${anchor}"`);
    }
    expect(body).not.toMatch(/<script|src=|https?:/);
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]+';/,
    );
  });
});

describe('the outbox', () => {
  const signInAdmin = async () => {
    const client = test.createClient();
    await seedDemoAccounts(test.deps.database.db, test.clock.now());
    await client.request({
      method: 'POST',
      url: '/api/auth/login',
      payload: { username: 'admin', password: DEMO_PASSWORD },
    });
    return client;
  };
  const message = (subject: string) => ({
    to: 'thandi@example.com',
    subject,
    text: 'Hello',
    html: '<p>Hello</p>',
  });

  it('shows administrators unsent e-mails, newest first', async () => {
    await test.deps.mail.send(message('first'));
    test.clock.advance(1);
    await test.deps.mail.send(message('second'));
    const response = await (await signInAdmin()).request({ url: '/api/admin/outbox' });
    expect(response.json()).toEqual({
      items: ['second', 'first'].map((subject) =>
        expect.objectContaining({ subject, to: 'thandi@example.com', text: 'Hello' }),
      ),
      nextCursor: null,
    });
  });

  itOnSqlite('is hidden from visitors and ordinary users', async () => {
    const visitor = await test.app.inject({ url: '/api/admin/outbox' });
    expect(visitor.statusCode).toBe(401);
    const { client } = await createUser(test);
    const member = await client.request({ url: '/api/admin/outbox' });
    expect([member.statusCode, member.json<{ code: string }>().code]).toEqual([404, 'not_found']);
  });
});

describe('the progress of the demo music', () => {
  it('counts demo tracks, and failed ones as ready', async () => {
    const { database, storage, clock } = test.deps;
    const seeder = { db: database.db, storage, now: clock.now() };
    const read = async () => (await test.app.inject({ url: '/api/demo/progress' })).json<unknown>();
    expect(await read()).toEqual({ ready: 0, total: 0 });
    await seedTrack(seeder, { id: 'demo-a', status: 'processing' });
    await seedTrack(seeder, { id: 'demo-b', status: 'ready' });
    await seedTrack(seeder, { id: 'demo-c', status: 'failed' });
    await seedTrack(seeder, { status: 'processing' });
    expect(await read()).toEqual({ ready: 2, total: 3 });
  });

  itOnSqlite('exists only in demo mode', async () => {
    const production = await createTestApp({ env: { APP_ORIGIN: 'http://localhost' } });
    try {
      const response = await production.app.inject({ url: '/api/demo/progress' });
      expect(response.statusCode).toBe(404);
    } finally {
      await production.close();
    }
  });
});

itOnSqlite('hides the outbox outside demo mode, even from administrators', async () => {
  const production = await createTestApp({ env: { APP_ORIGIN: 'http://localhost' } });
  try {
    const { client, user } = await createUser(production);
    await production.deps.database.db
      .updateTable('users')
      .set({ is_admin: 1 })
      .where('id', '=', user.id)
      .execute();
    expect((await client.request({ url: '/api/admin/outbox' })).statusCode).toBe(404);
  } finally {
    await production.close();
  }
});

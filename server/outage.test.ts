/** @module-tag both-databases */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MINUTE } from '#contract/rules/time.ts';
import { findOutage } from './outage.ts';
import { createLocalStorage } from './ports/storage/local-storage.ts';
import type { Storage } from './ports/storage/storage.ts';
import { fillDisk } from './testing/full-disk.ts';
import { seedTrack } from './testing/seed-track.ts';
import { createTestApp, type TestApp } from './testing/test-app.ts';
import { createUser, PASSWORD } from './testing/test-user.ts';

const failWith = (fields: object) => Object.assign(new Error('failed'), fields);

it.each([
  ['a full disk', failWith({ code: 'ENOSPC' }), 'full'],
  ['a used quota', failWith({ code: 'EDQUOT' }), 'full'],
  ['PostgreSQL without space', failWith({ code: '53100' }), 'full'],
  ['SQLite without space', failWith({ code: 'ERR_SQLITE_ERROR', errcode: 13 }), 'full'],
  ['PostgreSQL that stops', failWith({ code: '57P01' }), 'lost'],
  ['PostgreSQL that starts', failWith({ code: '57P03' }), 'lost'],
  ['a refused connection', failWith({ code: 'ECONNREFUSED' }), 'lost'],
  ['a removed socket', failWith({ code: 'ENOENT', syscall: 'connect' }), 'lost'],
  ['several refused addresses', new AggregateError([failWith({ code: 'ECONNREFUSED' })]), 'lost'],
  ['a cut connection', new Error('Connection terminated unexpectedly'), 'lost'],
  ['no free connection', new Error('timeout exceeded when trying to connect'), 'gone'],
  ['a cancelled query', failWith({ code: '57014' }), 'gone'],
  ['a locked SQLite', failWith({ code: 'ERR_SQLITE_ERROR', errcode: 517 }), 'gone'],
  ['a broken disk', failWith({ code: 'EIO' }), 'gone'],
  ['a store with errors', failWith({ $metadata: { httpStatusCode: 503 } }), 'gone'],
  ['a store without room', failWith({ $metadata: { httpStatusCode: 507 } }), 'full'],
  [
    'a used quota of a store',
    failWith({ name: 'QuotaExceeded', $metadata: { httpStatusCode: 403 } }),
    'full',
  ],
  ['a store that refuses the key', failWith({ $metadata: { httpStatusCode: 403 } }), 'refused'],
  [
    'a store without the bucket',
    failWith({ name: 'NoSuchBucket', $metadata: { httpStatusCode: 404 } }),
    'refused',
  ],
  ['a store without the file', failWith({ $metadata: { httpStatusCode: 404 } }), undefined],
  ['a violated constraint', failWith({ code: '23505' }), undefined],
  ['a SQLite constraint', failWith({ code: 'ERR_SQLITE_ERROR', errcode: 1555 }), undefined],
  ['a mistake of ours', new TypeError('x is not a function'), undefined],
  ['a missing file', failWith({ code: 'ENOENT' }), undefined],
])('%s', (_what, error, kind) => expect(findOutage(error)?.kind).toBe(kind));

describe('a request', () => {
  let test: TestApp;
  let storage: Storage & { fail: (error: Error | null) => void };
  beforeEach(async () => {
    test = await createTestApp();
    const working = createLocalStorage(`${test.deps.config.dataDir}/files`);
    let failure: Error | null = null;
    const failing = {
      put: async (...input: Parameters<Storage['put']>) => {
        if (failure) throw failure;
        return working.put(...input);
      },
    };
    storage = { ...working, ...failing, fail: (error) => void (failure = error) };
    Object.assign(test.deps, { storage });
  });
  afterEach(() => test.close());

  it('gets 507 and a sentence while the disk is full, and works again afterwards', async () => {
    const { client } = await createUser(test);
    const { database, storage: files, clock } = test.deps;
    const { id } = await seedTrack({ db: database.db, storage: files, now: clock.now() });
    const favorite = () => client.request({ method: 'POST', url: `/api/tracks/${id}/favorite` });
    const freeDisk = await fillDisk(test.deps.database, ['favorites']);
    const refused = await favorite();
    expect([refused.statusCode, refused.json()]).toEqual([
      507,
      { code: 'disk_full', message: expect.stringMatching(/disk is full.*Listening still works/) },
    ]);
    const readDatabase = async () => {
      test.clock.advance(5000);
      const { components } = (await client.request({ url: '/api/health' })).json();
      return components.find(({ name }: { name: string }) => name === 'database').status as string;
    };
    expect(await readDatabase()).toBe('degraded');
    const list = await client.request({ url: '/api/favorites' });
    expect([list.statusCode, list.json().items]).toEqual([200, []]);
    await freeDisk();
    expect((await favorite()).statusCode).toBe(204);
    const now = performance.now();
    const later = vi.spyOn(performance, 'now').mockReturnValue(now + MINUTE);
    expect(await readDatabase()).toBe('ok');
    later.mockRestore();
  });

  it('isn’t acknowledged on a full disk, and neither is a job: both happen once it has room', async () => {
    const { client, user } = await createUser(test);
    const { database } = test.deps;
    await test.worker.runDue();
    const freeDisk = await fillDisk(database, ['outbox', 'jobs', 'sessions']);
    const login = () =>
      test.app.inject({
        method: 'POST',
        url: '/api/auth/login',
        payload: { username: user.username, password: PASSWORD },
      });
    const forgotten = () =>
      client.request({
        method: 'POST',
        url: '/api/auth/reset-password/request',
        payload: { email: user.email },
      });
    expect([(await login()).statusCode, (await forgotten()).statusCode]).toEqual([507, 507]);
    await freeDisk();
    expect([(await login()).statusCode, (await forgotten()).statusCode]).toEqual([200, 204]);
    test.clock.advance(MINUTE);
    await test.worker.runDue();
    const mails = await database.db.selectFrom('outbox').select('recipient').execute();
    expect(mails).toContainEqual({ recipient: user.email });
  });

  it('for a search without results works on a full disk', async () => {
    const { client } = await createUser(test);
    const freeDisk = await fillDisk(test.deps.database, ['search_misses']);
    const found = await client.request({ url: '/api/tracks/search?q=nothing%20like%20it' });
    expect([found.statusCode, found.json().items]).toEqual([200, []]);
    expect(test.logText()).toContain('Could not count a search without results.');
    await freeDisk();
  });

  it.each([
    ['gone', failWith({ code: 'ECONNREFUSED' }), 503, 'unavailable', '5'],
    ['silent', Object.assign(failWith({}), { name: 'TimeoutError' }), 503, 'unavailable', '5'],
    ['full', failWith({ code: 'ENOSPC' }), 507, 'disk_full', undefined],
  ])('says so while the store is %s', async (_what, error, status, code, retryAfter) => {
    const { client, user } = await createUser(test);
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    );
    const upload = () =>
      client.request({
        method: 'PUT',
        url: `/api/users/${user.id}/avatar`,
        headers: { 'content-type': 'image/png' },
        payload: png,
      });
    storage.fail(error);
    const refused = await upload();
    expect([refused.statusCode, refused.json().code, refused.headers['retry-after']]).toEqual([
      status,
      code,
      retryAfter,
    ]);
    storage.fail(null);
    expect((await upload()).statusCode).toBe(200);
  });
});

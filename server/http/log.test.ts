import { afterEach, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../testing/test-app.ts';
import { createUser, PASSWORD } from '../testing/test-user.ts';
import { readTables } from '../testing/read-tables.ts';
import { createLog, redactUrl } from './log.ts';

let test: TestApp | undefined;
afterEach(async () => {
  await test?.close();
  test = undefined;
});

describe('logs', () => {
  it('contain no password, token or cookie', async () => {
    test = await createTestApp();
    const { client } = await createUser(test);
    const cookies = [...client.cookies.values()];
    const send = (url: string, payload: object) => client.request({ method: 'POST', url, payload });
    await send('/api/auth/login', { username: 'thandi', password: 'wrong-secret-1' });
    await send('/api/auth/login', { username: 'thandi', password: PASSWORD });
    cookies.push(...client.cookies.values());
    await send('/api/auth/reset-password/request', { email: 'thandi@example.com' });
    await test.worker.runDue();
    const { outbox } = await readTables(test.deps.database.db);
    const token = /reset-password\/([\w-]+)/.exec(outbox[0]?.body_text ?? '')?.[1] ?? 'missing';
    await client.request({ url: `/reset-password/${token}?q=${token}` });
    await client.request({ url: `/api/version?token=${token}` });
    await send('/api/auth/reset-password/confirm', { token, password: 'next-secret-2' });
    const logged = test.logText();

    expect(logged).toContain('/api/auth/reset-password/confirm');
    expect(cookies).toHaveLength(2);
    for (const secret of [PASSWORD, 'wrong-secret-1', 'next-secret-2', token, ...cookies])
      expect(logged).not.toContain(secret);
  });

  it('contain the request id of the answer', async () => {
    test = await createTestApp();
    const response = await test.app.inject({
      url: '/api/version',
      headers: { 'x-request-id': 'chosen-by-somebody' },
    });
    const id = String(response.headers['x-request-id']);
    expect(id).not.toBe('chosen-by-somebody');
    const line = JSON.parse(test.logText().trim().split('\n').at(-1) ?? '') as object;
    expect(line).toMatchObject({
      reqId: id,
      req: { method: 'GET', url: '/api/version' },
      res: { status: 200 },
    });
  });

  it('contain the cause of an unexpected error, which the answer doesn’t', async () => {
    test = await createTestApp();
    const { client } = await createUser(test);
    await test.deps.database.db.schema.dropTable('sessions').execute();
    const response = await client.request({ url: '/api/auth/me' });
    expect(response.statusCode).toBe(500);
    expect(response.json()).toEqual({
      code: 'internal',
      message: 'Something went wrong on our side. Try again in a moment.',
    });
    const logged = test.logText();
    expect(logged).toContain(String(response.headers['x-request-id']));
    expect(logged).toMatch(/sessions.*stack|stack.*sessions/s);
  });

  it('redact secrets in logged objects', () => {
    const lines: string[] = [];
    const log = createLog('info', { write: (line) => lines.push(line) });
    log.info({
      password: 's1',
      body: { token: 's2', password: 's3' },
      req: { method: 'GET', url: '/', ip: '', headers: { cookie: 's4' } },
      headers: { cookie: 's5', authorization: 's6', 'set-cookie': 's7' },
      deep: { headers: { cookie: 's8', 'set-cookie': ['s9'] } },
    });
    expect(lines.join('')).toContain('[secret]');
    expect(lines.join('')).not.toMatch(/s\d/);
  });
});

it.each([
  ['/search?q=deep+house', '/search'],
  ['/reset-password/abc-DEF_123', '/reset-password/[token]'],
  ['//reset-password/abc/', '/reset-password/[token]'],
  ['/reset-password/abc?x=1', '/reset-password/[token]'],
  ['/api/auth/reset-password/confirm', '/api/auth/reset-password/confirm'],
  ['/gift/abc-DEF_123', '/gift/[token]'],
  ['/api/gifts/abc-DEF_123/redeem', '/api/gifts/[token]/redeem'],
])('logs %s as %s', (url, shown) => {
  expect(redactUrl(url)).toBe(shown);
});

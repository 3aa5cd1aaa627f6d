import { afterEach, describe, expect, it } from 'vitest';
import { listPagePaths } from '#contract/page-paths.ts';
import { createTestApp, PROVIDER, type TestApp } from '../testing/test-app.ts';
import { createUser, PASSWORD } from '../testing/test-user.ts';
import { readTables } from '../testing/read-tables.ts';
import { createLog, redactUrl } from './log.ts';

let test: TestApp | undefined;
afterEach(async () => {
  await test?.close();
  test = undefined;
});

const listLines = (message: string): Record<string, unknown>[] =>
  (test?.logText() ?? '')
    .split('\n')
    .filter((line) => line.includes(`"msg":"${message}"`))
    .map((line) => JSON.parse(line) as Record<string, unknown>);

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
    expect(cookies.length).toBeGreaterThan(1);
    for (const secret of [PASSWORD, 'wrong-secret-1', 'next-secret-2', token, ...cookies])
      expect(logged).not.toContain(secret);
  });

  it('say who tried to log in and failed, without what was typed', async () => {
    test = await createTestApp();
    const { client, user } = await createUser(test);
    const log = (username: string) =>
      client.request({
        method: 'POST',
        url: '/api/auth/login',
        payload: { username, password: 'wrong-secret-1' },
      });
    await log('thandi');
    await log('my-password-in-the-wrong-field');
    const refused = listLines('Refused.');
    const line = {
      level: 40,
      code: 'invalid_credentials',
      route: 'POST /api/auth/login',
      ip: '127.0.0.1',
      reqId: expect.any(String) as string,
    };
    expect(refused).toEqual([
      expect.objectContaining({ ...line, account: user.id }),
      expect.objectContaining({ ...line, account: 'unknown' }),
    ]);
    expect(test.logText()).not.toMatch(/wrong-secret|wrong-field/);
  });

  it('say who logged in and how, and who changed, exported or administered something, but not who plays what', async () => {
    test = await createTestApp();
    const { client, user } = await createUser(test);
    const send = (method: 'GET' | 'POST' | 'PATCH', url: string, payload?: object) =>
      client.request({ method, url, ...(payload && { payload }) });
    await send('POST', '/api/auth/login', { username: 'thandi', password: PASSWORD });
    await send('PATCH', '/api/me/preferences', { newsMails: true });
    await send('GET', '/api/me/export');
    await send('GET', '/api/tracks');
    await send('POST', '/api/tracks/unknown/play', { listenerId: 'browser' });
    await send('POST', '/api/tracks/unknown/favorite');
    await send('GET', '/api/admin/jobs');

    const { id: account } = user;
    const ip = '127.0.0.1';
    expect(listLines('Logged in.')).toMatchObject([
      { account, ip, method: 'registration' },
      { account, ip, method: 'password' },
    ]);
    expect(listLines('Refused.')).toMatchObject([
      { code: 'not_found', route: 'GET /api/admin/jobs', account, ip },
    ]);
    const requests = listLines('request').map(({ req, account: by }) => [
      (req as { url: string }).url,
      by,
    ]);
    expect(requests).toContainEqual(['/api/me/preferences', account]);
    expect(requests).toContainEqual(['/api/me/export', account]);
    expect(requests).toContainEqual(['/api/tracks', undefined]);
    expect(requests).toContainEqual(['/api/tracks/unknown/play', undefined]);
    expect(requests).toContainEqual(['/api/tracks/unknown/favorite', undefined]);
  });

  it('say which limit was reached, and by which other site a request was made', async () => {
    test = await createTestApp({ env: { ...PROVIDER, APP_ORIGIN: 'https://music.example' } });
    const headers = { origin: 'https://evil.example' };
    await test.app.inject({ method: 'POST', url: '/api/auth/logout', headers });
    const { client } = await createUser(test);
    for (let i = 0; i <= 10; i += 1)
      await client.request({
        method: 'POST',
        url: '/api/me/confirm',
        payload: { password: 'wrong' },
      });
    const refused = listLines('Refused.').map(({ code, limit }) => [code, limit]);
    expect(refused[0]).toEqual(['cross_origin', undefined]);
    expect(refused.at(-1)).toEqual(['rate_limited', 'password-check-user']);
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
    await test.deps.database.db.schema.alterTable('sessions').renameTo('gone').execute();
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
  ['//reset-password/abc/', '//reset-password/[token]'],
  ['/reset-password/abc?x=1', '/reset-password/[token]'],
  ['/shared/abc/more', '/shared/[token]'],
  ['/reset-passwort/q7Jm2cVtXo9sLkPzR4wYbN8eUaHdFg1iKxTv3MlQyZo', '/reset-passwort/[long]'],
  ['/wp-login.php', '/wp-login.php'],
  ['/api/auth/reset-password/confirm', '/api/auth/reset-password/confirm'],
  ['/gift/abc-DEF_123', '/gift/[token]'],
])('logs %s as %s', (url, shown) => {
  expect(redactUrl(url)).toBe(shown);
});

it.each([
  ['/api/gifts/abc-DEF_123/redeem', '/api/gifts/:token/redeem', '/api/gifts/[token]/redeem'],
  ['/api/tracks/01jcqz?x=1', '/api/tracks/:id', '/api/tracks/01jcqz'],
  ['/rest/ping.view%3Fu=sipho&p=b250f-q1hmp', '/rest/*', '/rest/ping.view'],
  ['/rest/ping&u=sipho&p=b250f-q1hmp', '/rest/*', '/rest/ping'],
  ['/rest/ping.view/p=b250f-q1hmp/', '/rest/*', '/rest/ping.view/p'],
  [
    '/feed/covers/q7Jm2cVtXo9sLkPzR4wYbN8eUaHdFg1iKxTv3MlQyZo',
    '/feed/covers/:id',
    '/feed/covers/[long]',
  ],
])('logs %s, which matches %s, as %s', (url, route, shown) => {
  expect(redactUrl(url, route)).toBe(shown);
});

it('logs no token of any route', async () => {
  test = await createTestApp();
  const token = 'secret5token';
  const routes = [
    ...test.app.routeList.map(({ url }) => url),
    ...listPagePaths(),
    '/no/such/:token-q7Jm2cVtXo9sLkPzR4wYbN8e',
  ];
  const withToken = [...new Set(routes.filter((url) => url.includes(':token')))];
  expect(withToken.length).toBeGreaterThan(5);
  for (const url of withToken)
    await test.app.inject({
      url: url.replace(':token', token),
      query: { token },
      headers: { accept: 'text/html' },
    });
  expect(test.logText()).toContain('[token]');
  expect(test.logText()).not.toContain(token);
});

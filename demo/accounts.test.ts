/** @module-tag both-databases */
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { buildApp } from '#server/app.ts';
import { createTestApp, type TestApp } from '#server/testing/test-app.ts';
import { createUser } from '#server/testing/test-user.ts';
import { readTables } from '#server/testing/read-tables.ts';
import { readDemoCode } from '#server/features/accounts/service.ts';
import { seedDemoAccounts } from './accounts.ts';
import { DAY } from '#contract/rules/time.ts';
import { itOnSqlite } from '#server/testing/on-sqlite.ts';

const YEAR = 365 * DAY;

let test: TestApp;
beforeEach(async () => {
  test = await createTestApp();
});
afterEach(() => test.close());

const seed = (app: TestApp = test) => seedDemoAccounts(app.deps.database.db, app.clock.now());
const login = (app: TestApp, username: string, options: object = {}) =>
  app.app.inject({
    method: 'POST',
    url: '/api/auth/login',
    payload: { username, password: 'weekender-demo' },
    ...options,
  });

describe('demo accounts', () => {
  itOnSqlite.each([
    ['free', false, false],
    ['premium', true, false],
    ['admin', true, true],
  ])('lets %s log in', async (username, isSubscriber, isAdmin) => {
    await seed();
    const response = await login(test, username);
    expect(response.json()).toMatchObject({
      username,
      email: `${username}@example.com`,
      isSubscriber,
      isAdmin,
    });
  });

  itOnSqlite('resets them at every start, with a year of Premium', async () => {
    await seed();
    await test.deps.database.db.updateTable('users').set({ password_hash: '' }).execute();
    test.clock.advance(3 * YEAR);
    expect(await seed()).toEqual(['free', 'premium', 'admin']);
    expect((await login(test, 'premium')).json()).toMatchObject({ isSubscriber: true });
    expect((await readTables(test.deps.database.db)).users).toHaveLength(3);
  });

  itOnSqlite('are unknown on a site, as in a restored backup of a demo', async () => {
    const site = await createTestApp({ config: { demo: false } });
    await seed(site);
    const { code } = (await login(site, 'premium')).json<{ code: string }>();
    expect(code).toBe('invalid_credentials');
    await site.close();
  });

  itOnSqlite('removes at every start what would keep the password from logging in', async () => {
    await seed();
    const { db } = test.deps.database;
    const mine = { user_id: 'demo-admin', created_at: 0 };
    await db
      .insertInto('totp')
      .values({ ...mine, secret: 's', confirmed_at: 0, last_step: 0 })
      .execute();
    await db
      .insertInto('disabled_accounts')
      .values({ user_id: 'demo-admin', at: 0, reason: 'To try it.' })
      .execute();
    expect((await login(test, 'admin')).statusCode).not.toBe(200);
    await seed();
    expect((await login(test, 'admin')).statusCode).toBe(200);
  });

  itOnSqlite(
    'leaves an account alone that someone registered under one of their names',
    async () => {
      await createUser(test, 'premium');
      const before = await readTables(test.deps.database.db);
      expect(await seed()).toEqual(['free', 'admin']);
      const { users } = await readTables(test.deps.database.db);
      expect(users).toContainEqual(before.users[0]);
      expect(users).toHaveLength(3);
    },
  );

  itOnSqlite.each([
    ['another machine', { remoteAddress: '192.0.2.9' }],
    ['a proxy on this machine', { headers: { 'x-forwarded-for': '192.0.2.9' } }],
    ['a proxy with another header', { headers: { forwarded: 'for=192.0.2.9' } }],
    ['a foreign host name that points here', { headers: { host: 'rebound.example' } }],
    ['a tunnel of a company', { headers: { 'cf-connecting-ip': '192.0.2.9' } }],
  ])('refuses a login from %s', async (_name, options) => {
    await seed();
    const response = await login(test, 'admin', options);
    expect(response.statusCode).toBe(403);
    expect(response.json()).toMatchObject({ code: 'demo_only_local' });
    expect((await readTables(test.deps.database.db)).sessions).toEqual([]);
  });

  itOnSqlite('refuses a login by HTTP/1.0, which proxies speak and browsers do not', async () => {
    await seed();
    await test.app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = test.app.server.address() as AddressInfo;
    const body = JSON.stringify({ username: 'admin', password: 'weekender-demo' });
    const send = async (version: string) => {
      const socket = connect(port, '127.0.0.1');
      socket.write(
        `POST /api/auth/login HTTP/${version}\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n` +
          `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      );
      return (await text(socket)).split('\r\n', 1)[0];
    };
    expect(await send('1.0')).toBe('HTTP/1.1 403 Forbidden');
    expect(await send('1.1')).toBe('HTTP/1.1 200 OK');
  });

  itOnSqlite.each(['free', 'admin'])(
    'lets %s log in from elsewhere with the code from the console, and with no other',
    async (username) => {
      await seed();
      const code = await readDemoCode(test.deps.database.db);
      const from = (sent: string) => ({
        payload: { username, password: 'weekender-demo', code: sent },
        headers: { 'x-forwarded-for': '192.0.2.9' },
      });
      const refused = await login(test, username, from('0000-0000-0000-0000'));
      expect([refused.statusCode, refused.json()]).toMatchObject([
        403,
        { fields: { code: 'This isn’t the code that the console of the demo shows.' } },
      ]);
      expect((await login(test, username, from(code))).statusCode).toBe(200);
    },
  );

  const browser = { 'user-agent': 'Mozilla/5.0', 'sec-fetch-site': 'same-origin' };
  it.each([
    ['passes the visitor’s name on', { ...browser, host: 'demo.example' }],
    ['replaces it', { ...browser, host: '127.0.0.1:3000', referer: 'https://demo.example/top-20' }],
  ])(
    'asks the administrator for the code after a visit through a proxy that %s',
    async (_name, headers) => {
      await seed();
      await test.app.inject({ url: '/', headers: { host: 'demo.example' } });
      await test.app.inject({
        url: '/',
        headers: { ...browser, referer: 'http://localhost:3000/' },
      });
      // Perhaps a program that uses the proxy already, before anyone visits the site through it.
      const early = await login(test, 'admin');
      expect(early.statusCode).toBe(200);
      const cookies = Object.fromEntries(early.cookies.map(({ name, value }) => [name, value]));
      const readMe = () => test.app.inject({ url: '/api/auth/me', cookies });
      expect((await readMe()).statusCode).toBe(200);
      await test.app.inject({ url: '/api/tracks', headers });
      expect((await readMe()).statusCode).toBe(401);
      expect((await login(test, 'admin')).json()).toMatchObject({ code: 'demo_only_local' });
      expect((await login(test, 'free')).statusCode).toBe(200);
      const code = await readDemoCode(test.deps.database.db);
      const payload = { username: 'admin', password: 'weekender-demo', code };
      expect((await login(test, 'admin', { payload })).statusCode).toBe(200);
      expect(test.logText()).toContain('Someone visits this demo through a proxy.');
      // Also after the next start.
      const next = await buildApp(test.deps);
      const again = await login({ ...test, app: next }, 'admin');
      expect(again.json()).toMatchObject({ code: 'demo_only_local' });
      await next.close();
    },
  );

  itOnSqlite.each(['127.0.0.1:3000', 'localhost:3000', '[::1]:3000'])(
    'accepts a login at %s',
    async (host) => {
      await seed();
      expect((await login(test, 'admin', { headers: { host } })).statusCode).toBe(200);
    },
  );
});

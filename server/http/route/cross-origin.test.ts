import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../testing/test-app.ts';
import { createUser, PASSWORD } from '../../testing/test-user.ts';
import { readTables } from '../../testing/read-tables.ts';

const APP = 'https://app.example';
const EVIL = 'https://evil.example';

type Headers = Record<string, string>;

const register = (test: TestApp, username: string, headers: Headers) =>
  test.app.inject({
    method: 'POST',
    url: '/api/auth/register',
    payload: { username, email: `${username}@example.com`, password: PASSWORD },
    headers,
  });

describe('with APP_ORIGIN', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await createTestApp({ env: { APP_ORIGIN: APP, AUTH_ORIGIN: 'https://auth.example' } });
  });
  afterAll(() => test.close());

  it.each<[string, Headers]>([
    ['own', { origin: APP, 'sec-fetch-site': 'same-origin' }],
    ['no-referrer', { origin: 'null', 'sec-fetch-site': 'same-origin' }],
    ['old-browser', { origin: APP }],
    ['typed', { 'sec-fetch-site': 'none' }],
    ['no-browser', {}],
  ])('accepts writes from the site itself: %s', async (name, headers) => {
    expect((await register(test, name, headers)).statusCode).toBe(200);
  });

  it.each<Headers>([
    { origin: EVIL, 'sec-fetch-site': 'cross-site' },
    { origin: EVIL },
    { origin: 'null' },
    // A sandboxed frame, and a page on another subdomain that sends no referrer.
    { origin: 'null', 'sec-fetch-site': 'cross-site' },
    { origin: 'null', 'sec-fetch-site': 'same-site' },
    { origin: 'null', 'sec-fetch-site': 'none' },
    // A name of the attacker's that leads to our address.
    { origin: EVIL, 'sec-fetch-site': 'same-origin' },
    { origin: `${APP}.evil.example` },
    { origin: 'http://app.example' },
    { origin: APP, 'sec-fetch-site': 'cross-site' },
    { origin: 'https://auth.example', 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://localhost', host: 'localhost' },
  ])('rejects a write from another site and executes nothing: %j', async (headers) => {
    const before = await readTables(test.deps.database.db);
    const response = await register(test, 'victim', headers);
    expect(response.statusCode).toBe(403);
    expect(response.json()).toMatchObject({ code: 'cross_origin' });
    expect(await readTables(test.deps.database.db)).toEqual(before);
  });

  it('doesn’t let another site log a user out', async () => {
    const { client } = await createUser(test);
    await client.request({ method: 'POST', url: '/api/auth/logout', headers: { origin: EVIL } });
    const me = await client.request({ url: '/api/auth/me' });
    expect(me.statusCode).toBe(200);
  });

  it('answers reads, but doesn’t let another site see the answer', async () => {
    const response = await test.app.inject({ url: '/api/version', headers: { origin: EVIL } });
    expect(response.statusCode).toBe(200);
    expect(response.headers).not.toHaveProperty('access-control-allow-origin');
  });

  describe('for the reset-password paths', () => {
    const url = '/api/auth/reset-password/request';
    const preflight = (origin: string, path = url) =>
      test.app.inject({
        method: 'OPTIONS',
        url: path,
        headers: { origin, 'access-control-request-method': 'POST' },
      });

    it('answers the app on its other origin, with credentials', async () => {
      const allowed = await preflight(APP);
      expect(allowed.statusCode).toBe(204);
      expect(allowed.headers).toMatchObject({
        'access-control-allow-origin': APP,
        'access-control-allow-credentials': 'true',
        'access-control-allow-methods': 'POST',
        'access-control-allow-headers': expect.stringContaining('content-type'),
        vary: 'Origin',
      });
      const confirm = await preflight(APP, '/api/auth/reset-password/confirm');
      expect(confirm.headers).toMatchObject({ 'access-control-allow-origin': APP });
      const response = await test.app.inject({
        method: 'POST',
        url,
        payload: { email: 'a@example.com' },
        headers: { origin: APP, 'sec-fetch-site': 'cross-site' },
      });
      expect(response.statusCode).toBe(204);
      expect(response.headers).toMatchObject({
        'access-control-allow-origin': APP,
        'access-control-allow-credentials': 'true',
      });
    });

    it.each([
      [EVIL, url],
      ['null', url],
      [APP, '/api/auth/login'],
    ])('allows no other origin or path: %s on %s', async (origin, path) => {
      const response = await preflight(origin, path);
      expect(response.statusCode).toBe(405);
      expect(response.headers).not.toHaveProperty('access-control-allow-origin');
    });

    it('rejects a password reset from another site', async () => {
      const response = await test.app.inject({
        method: 'POST',
        url,
        payload: { email: 'a@example.com' },
        headers: { origin: EVIL, 'sec-fetch-site': 'cross-site' },
      });
      expect(response.json()).toMatchObject({ code: 'cross_origin' });
      expect(response.headers).not.toHaveProperty('access-control-allow-origin');
    });
  });
});

describe('in demo mode', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await createTestApp();
  });
  afterAll(() => test.close());

  it.each([
    ['127.0.0.1:3000', 'http://127.0.0.1:3000', 204],
    ['localhost:5173', 'http://localhost:5173', 204],
    ['127.0.0.1:3000', 'http://127.0.0.1:4000', 403],
    ['127.0.0.1:3000', EVIL, 403],
    ['127.0.0.1:3000', 'null', 403],
  ])('answers a write to host %s from %s with %i', async (host, origin, status) => {
    const request = { method: 'POST' as const, url: '/api/auth/logout', headers: { host, origin } };
    expect((await test.app.inject(request)).statusCode).toBe(status);
  });
});

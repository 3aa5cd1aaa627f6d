import type { InjectOptions } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HOUR, MINUTE } from '#contract/rules/time.ts';
import { createTestApp, type TestApp } from '../../testing/test-app.ts';
import { createUser, PASSWORD } from '../../testing/test-user.ts';

let test: TestApp;
beforeEach(async () => {
  test = await createTestApp({ env: { APP_ORIGIN: 'http://localhost', TRUST_PROXY: '1' } });
});
afterEach(() => test.close());

const send = (url: string, payload: object, from = '198.51.100.7') =>
  test.app.inject({ method: 'POST', url, payload, headers: { 'x-forwarded-for': from } });

const login = (username: string, password: string, from?: string) =>
  send('/api/auth/login', { username, password }, from);
const askReset = (email: string, from?: string) =>
  send('/api/auth/reset-password/request', { email }, from);

async function countAllowed(
  times: number,
  attempt: (n: number) => Promise<{ statusCode: number }>,
) {
  let allowed = 0;
  for (let n = 0; n < times; n += 1) {
    if ((await attempt(n)).statusCode !== 429) allowed += 1;
  }
  return allowed;
}

describe('login', () => {
  it('limits guesses at one account across addresses', async () => {
    await createUser(test);
    const guess = (n: number) => login(n % 2 ? 'THANDI' : 'thandi', 'wrong', `203.0.113.${n}`);
    expect(await countAllowed(12, guess)).toBe(10);
    const refused = await login('thandi', PASSWORD);
    expect(refused.statusCode).toBe(429);
    expect(refused.json()).toEqual({
      code: 'rate_limited',
      message: 'Too many attempts. Try again in 2 minutes. To log in sooner, reset your password.',
    });
    expect(refused.headers['retry-after']).toBe('90');
    test.clock.advance(90_000);
    expect((await login('thandi', PASSWORD)).statusCode).toBe(200);
  });

  it('counts the username and the e-mail address of an account as one', async () => {
    await createUser(test);
    const names = ['thandi', 'Thandi@Example.com'];
    const guess = (n: number) => login(names[n % 2] ?? '', 'wrong', `203.0.113.${n}`);
    expect(await countAllowed(14, guess)).toBe(10);
    for (const name of names) expect((await login(name, PASSWORD)).statusCode).toBe(429);
  });

  it('limits unknown names the same way, so that the limit does not reveal accounts', async () => {
    expect(await countAllowed(12, (n) => login('nobody', 'wrong', `203.0.113.${n}`))).toBe(10);
  });

  it('limits attempts at many accounts from one address', async () => {
    expect(await countAllowed(52, (n) => login(`person${n}`, 'wrong'))).toBe(50);
    expect((await login('somebody', 'wrong', '198.51.100.8')).statusCode).toBe(401);
  });

  it('does not count successful logins as guesses, but bounds them', async () => {
    await createUser(test);
    test.clock.advance(HOUR);
    expect(await countAllowed(62, () => login('thandi', PASSWORD))).toBe(60);
    test.clock.advance(MINUTE);
    expect((await login('thandi', PASSWORD)).statusCode).toBe(200);
  });

  it('never locks out a device that has logged in before, wherever others guess', async () => {
    const { client } = await createUser(test);
    const { cookies } = client;
    cookies.delete('session');
    for (let n = 0; n < 60; n += 1) await login('thandi', 'wrong', `203.0.113.${n}`);
    for (let n = 0; n < 60; n += 1) await login(`person${n}`, 'wrong');
    const attempt = (username: string, password: string) =>
      client.request({
        method: 'POST',
        url: '/api/auth/login',
        payload: { username, password },
        headers: { 'x-forwarded-for': '198.51.100.7' },
      });
    expect((await login('thandi', PASSWORD)).statusCode).toBe(429);
    expect((await attempt('thandi@example.com', PASSWORD)).statusCode).toBe(200);
    expect(await countAllowed(12, () => attempt('thandi', 'wrong'))).toBe(10);
  });

  it('lets the owner in on a new device after a reset by e-mail, while others guess', async () => {
    await createUser(test);
    await askReset('thandi@example.com');
    await test.worker.runDue();
    const mails = await test.deps.database.db.selectFrom('outbox').select('body_text').execute();
    const text = mails.map(({ body_text }) => body_text).join();
    const [, token] = /reset-password\/([\w-]+)/.exec(text) ?? [];
    const password = 'another horse battery';
    const device = test.createClient();
    const post = (url: string, payload: object) => device.request({ method: 'POST', url, payload });
    await post('/api/auth/reset-password/confirm', { token, password });
    for (let n = 0; n < 12; n += 1) await login('thandi', 'wrong', `203.0.113.${n}`);
    expect((await login('thandi', password)).statusCode).toBe(429);
    expect((await post('/api/auth/login', { username: 'thandi', password })).statusCode).toBe(200);
  });

  it('doesn’t take another account’s device, or an invented one, for a known one', async () => {
    await createUser(test);
    const { client } = await createUser(test, 'mallory');
    const device = client.cookies.get('device') ?? '';
    const [id = '', signature = ''] = device.split('.');
    for (let n = 0; n < 10; n += 1) await login('thandi', 'wrong', `203.0.113.${n}`);
    const forged = [
      device,
      `${id}.${'A'.repeat(signature.length)}`,
      `${id}.`,
      'x',
      `.${signature}`,
    ];
    for (const value of forged) {
      const response = await test.app.inject({
        method: 'POST',
        url: '/api/auth/login',
        payload: { username: 'thandi', password: PASSWORD },
        cookies: { device: value },
      });
      expect(response.statusCode).toBe(429);
    }
  });

  it('counts a client that makes up forwarded addresses as one', async () => {
    const guess = (n: number) => login(`person${n}`, 'wrong', `203.0.113.${n}, 198.51.100.7`);
    expect(await countAllowed(52, guess)).toBe(50);
  });
});

describe('password reset', () => {
  it.each(['thandi@example.com', 'nobody@example.com'])(
    'sends to one address three times an hour, known or not: %s',
    async (email) => {
      await createUser(test);
      expect(await countAllowed(5, (n) => askReset(email, `203.0.113.${n}`))).toBe(3);
      test.clock.advance(20 * MINUTE);
      expect((await askReset(email)).statusCode).toBe(204);
    },
  );

  it('is limited per address', async () => {
    expect(await countAllowed(22, (n) => askReset(`person${n}@example.com`))).toBe(20);
  });

  it('limits guesses at a token', async () => {
    const guess = (n: number) =>
      send('/api/auth/reset-password/confirm', { token: `guess${n}`, password: PASSWORD });
    expect(await countAllowed(22, guess)).toBe(20);
  });
});

describe('registration', () => {
  it('is limited per address', async () => {
    const register = (n: number) =>
      send('/api/auth/register', {
        username: `person${n}`,
        email: 'same@example.com',
        password: PASSWORD,
      });
    expect(await countAllowed(22, register)).toBe(20);
  });
});

describe('a user', () => {
  it.each<[string, (id: string, n: number) => InjectOptions]>([
    [
      'profile changes',
      (id, n) => ({
        method: 'PATCH',
        url: `/api/users/${id}`,
        payload: { username: `person${n}` },
      }),
    ],
    [
      'avatar uploads',
      (id) => ({
        method: 'PUT',
        url: `/api/users/${id}/avatar`,
        headers: { 'content-type': 'image/png' },
        payload: Buffer.from('not an image'),
      }),
    ],
  ])('has 30 %s an hour, independent of other users', async (_what, make) => {
    const { client, user } = await createUser(test);
    const other = await createUser(test, 'lerato');
    expect(await countAllowed(32, (n) => client.request(make(user.id, n)))).toBe(30);
    expect((await other.client.request(make(other.user.id, 99))).statusCode).not.toBe(429);
    test.clock.advance(HOUR / 30);
    expect((await client.request(make(user.id, 98))).statusCode).not.toBe(429);
  });
});

it('counts all IPv6 addresses of a household as one', async () => {
  const ask = (n: number) => askReset(`person${n}@example.com`, `2001:db8:1:2::${n.toString(16)}`);
  expect(await countAllowed(22, ask)).toBe(20);
});

it('ignores a forwarded address that no trusted proxy set', async () => {
  const direct = await createTestApp();
  try {
    const ask = (n: number) =>
      direct.app.inject({
        method: 'POST',
        url: '/api/auth/reset-password/request',
        payload: { email: `person${n}@example.com` },
        headers: { 'x-forwarded-for': `203.0.113.${n}` },
      });
    expect(await countAllowed(22, ask)).toBe(20);
  } finally {
    await direct.close();
  }
});

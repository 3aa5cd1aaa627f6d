/** @module-tag both-databases */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { User } from '#contract/accounts.ts';
import { createTestApp, type TestApp, type TestClient } from '../../testing/test-app.ts';
import { createUser } from '../../testing/test-user.ts';
import { runAdminCommand } from '../console/service.ts';
import { completeSetup, offerSetup } from './service.ts';
import { DAY } from '#contract/rules/time.ts';
import { itOnSqlite } from '../../testing/on-sqlite.ts';

const ORIGIN = 'https://music.example';
const right = {
  username: 'naledi',
  email: 'naledi@example.com',
  password: 'quiet-harbour-23',
};

let test: TestApp;
beforeEach(async () => {
  test = await createTestApp({ env: { APP_ORIGIN: ORIGIN } });
});
afterEach(() => test.close());

async function offer(): Promise<string> {
  const link = await offerSetup(test.deps);
  expect(link).toMatch(/^https:\/\/music\.example\/setup\/[\w-]{43}$/);
  return new URL(link ?? '').pathname;
}

const open = (path: string, client: TestClient = test.createClient()) =>
  client.request({ method: 'GET', url: path, headers: { accept: 'text/html' } });

const send = (path: string, form: object, client: TestClient = test.createClient()) =>
  client.request({
    method: 'POST',
    url: path,
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: ORIGIN },
    payload: new URLSearchParams({ ...form }).toString(),
  });

describe('the first start in production', () => {
  it('prints a link that creates the first administrator and logs them in', async () => {
    const path = await offer();
    const page = await open(path);
    expect([page.statusCode, page.headers['cache-control']]).toEqual([200, 'no-store']);
    expect(page.body).toContain('Set up Weekender');
    const client = test.createClient();
    const answer = await send(path, right, client);
    expect([answer.statusCode, answer.headers.location]).toEqual([303, '/admin']);
    const me = await client.request({ url: '/api/auth/me' });
    expect(me.json<User>()).toMatchObject({ username: 'naledi', isAdmin: true });
    const acts = await test.deps.database.db.selectFrom('audit_log').selectAll().execute();
    expect(acts).toMatchObject([{ action: 'admin.created', via: 'setup', actor_id: null }]);
    expect(JSON.stringify(acts)).not.toContain('naledi');
  });

  it('has a link that works once, and not when there is an administrator', async () => {
    const path = await offer();
    const answers = await Promise.all([
      send(path, right),
      send(path, { ...right, username: 'sipho', email: 'sipho@example.com' }),
    ]);
    expect(new Set(answers.map((answer) => answer.statusCode))).toEqual(new Set([303, 404]));
    expect(await offerSetup(test.deps)).toBeNull();
    expect((await send(path, { ...right, username: 'other' })).statusCode).toBe(404);
  });

  it('creates no account after the console has created an administrator, not even from an open form', async () => {
    const path = await offer();
    const token = path.split('/').at(-1) ?? '';
    await runAdminCommand(test.deps, ['create', 'sipho', 'sipho@example.com'], {
      askPassword: null,
    });
    expect((await send(path, right)).statusCode).toBe(404);
    const form = { ...right, isSubscriber: false };
    const visit = {
      userAgent: '',
      ip: '',
      oldToken: null,
      deviceCookie: null,
      isLocal: true,
    };
    const late = completeSetup(test.deps, token, form, visit);
    await expect(late).rejects.toMatchObject({ code: 'not_found' });
    const users = await test.deps.database.db.selectFrom('users').select('username').execute();
    expect(users).toEqual([{ username: 'sipho' }]);
  });

  it('has a link that expires after a day', async () => {
    const path = await offer();
    test.clock.advance(DAY);
    expect((await open(path)).statusCode).not.toBe(200);
    expect((await send(path, right)).statusCode).toBe(404);
    expect((await send(await offer(), right)).statusCode).toBe(303);
  });

  it('prints another link after a restart; both work, but only one account is created', async () => {
    const paths = [await offer(), await offer()];
    for (const path of paths) expect((await open(path)).statusCode).toBe(200);
    const forms = [right, { ...right, username: 'sipho', email: 'sipho@example.com' }];
    const answers = await Promise.all(paths.map((path, index) => send(path, forms[index] ?? {})));
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([303, 404]));
    for (const path of paths) expect((await send(path, right)).statusCode).toBe(404);
    const { db } = test.deps.database;
    expect(await db.selectFrom('setup_links').selectAll().execute()).toEqual([]);
    expect(await db.selectFrom('users').select('is_admin').execute()).toEqual([{ is_admin: 1 }]);
  });

  it('keeps the links of the last ten starts', async () => {
    const first = await offer();
    for (let start = 0; start < 10; start += 1) {
      test.clock.advance(1);
      await offer();
    }
    expect((await send(first, right)).statusCode).toBe(404);
    const links = await test.deps.database.db.selectFrom('setup_links').selectAll().execute();
    expect(links).toHaveLength(10);
  });

  it('answers a guessed link like any unknown path', async () => {
    await offer();
    const guess = await open('/setup/guess');
    const unknown = await open('/no/such-page');
    expect([guess.statusCode, guess.body]).toEqual([unknown.statusCode, unknown.body]);
    expect((await send('/setup/guess', right)).json()).toEqual(
      (await send('/no/such-page', right)).json(),
    );
  });

  it('keeps the token out of the database and out of the log', async () => {
    const path = await offer();
    await open(path);
    await send(path, right);
    const token = path.slice('/setup/'.length);
    expect(test.logText()).not.toContain(token);
    const links = await test.deps.database.db.selectFrom('setup_links').selectAll().execute();
    expect(JSON.stringify(links)).not.toContain(token);
  });

  it.each([
    [{ ...right, password: 'password' }, 'password'],
    [{ ...right, password: '' }, 'password'],
    [{ ...right, email: 'nobody' }, 'email'],
    [{ ...right, username: '<b>' }, 'username'],
    [{ ...right, username: 'quiet-harbour-23' }, 'password'],
    [{}, 'username'],
  ])('shows field errors and keeps the link valid: %o', async (form, field) => {
    const path = await offer();
    const answer = await send(path, form);
    expect(answer.statusCode).toBe(400);
    expect(answer.body).toMatch(new RegExp(`id="${field}-hint" class="problem"`));
    expect(answer.body).not.toContain('<b>');
    expect((await send(path, right)).statusCode).toBe(303);
  });

  it('reports a username that was registered meanwhile', async () => {
    await createUser(test, 'naledi');
    const path = await offer();
    const answer = await send(path, right);
    expect(answer.statusCode).toBe(409);
    expect(answer.body).toContain('This username is taken.');
    expect(
      (await send(path, { ...right, username: 'naledi2', email: 'n2@example.com' })).statusCode,
    ).toBe(303);
  });

  it.each([
    [{ origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    [{ origin: 'null', 'sec-fetch-site': 'cross-site' }],
    [{ origin: 'null' }],
  ])('rejects a form on another site with a page, and keeps the link valid: %j', async (from) => {
    const path = await offer();
    const answer = await test.app.inject({
      method: 'POST',
      url: path,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        accept: 'text/html,application/xhtml+xml',
        ...from,
      },
      payload: new URLSearchParams(right).toString(),
    });
    expect(answer.statusCode).toBe(403);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(answer.body).toContain('<p>This request came from another site and was rejected.</p>');
    expect((await send(path, right)).statusCode).toBe(303);
  });
});

itOnSqlite('demo mode has an administrator and offers no link', async () => {
  const demo = await createTestApp();
  try {
    expect(await offerSetup(demo.deps)).toBeNull();
  } finally {
    await demo.close();
  }
});

/** @module-tag both-databases */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { User } from '#contract/accounts.ts';
import { UPLOAD_PATH } from '#contract/admin/upload-path.ts';
import type { ErrorBody } from '#contract/errors.ts';
import { DAY, HOUR } from '#contract/rules/time.ts';
import { confirmDevices, createAdmin } from '../../../testing/test-admin.ts';
import { createTestApp, type TestApp, type TestClient } from '../../../testing/test-app.ts';
import { createAuthenticator } from '../../../testing/test-authenticator.ts';
import { codeAt, enableTwoStepLogin, HALF_MINUTE } from '../../../testing/test-totp.ts';
import { createUser, PASSWORD, type TestUser } from '../../../testing/test-user.ts';
import { runAdminCommand } from '../../console/service.ts';
import { offerSetup } from '../../setup/service.ts';
import { startMissingGraces } from './administrators.ts';
import { itOnSqlite } from '../../../testing/on-sqlite.ts';

const SITE = { APP_ORIGIN: 'https://music.example' };

let test: TestApp;
beforeEach(async () => {
  test = await createTestApp({ env: SITE });
});
afterEach(() => test.close());

const askAdmin = async (client: TestClient) => {
  const answer = await client.request({ url: '/api/admin/settings' });
  return answer.statusCode === 200 ? 200 : [answer.statusCode, answer.json<ErrorBody>().code];
};
const CLOSED = [403, 'two_step_required'];
const readGrace = async (client: TestClient) =>
  (await client.request({ url: '/api/auth/me' })).json<User>().adminGrace;
const run = (command: string) =>
  runAdminCommand(test.deps, command.split(' '), { askPassword: null });
const readMails = async () => {
  await test.worker.runDue();
  const { db } = test.deps.database;
  return db.selectFrom('outbox').select(['recipient', 'subject', 'body_text']).execute();
};

/** An administrator from before the rule, whose week has begun. */
async function createOldAdmin(): Promise<TestUser> {
  const admin = await createAdmin(test);
  await startMissingGraces(test.deps);
  return admin;
}
/** Sessions last, as if everyone had just logged in again. */
async function passDays(days: number, ...users: TestUser[]) {
  test.clock.advance(days * DAY);
  const now = test.clock.now();
  const fresh = { created_at: now, last_seen_at: now, expires_at: now + DAY };
  await test.deps.database.db.updateTable('sessions').set(fresh).execute();
  for (const user of users) await confirmDevices(test, user);
}

describe('an administrator with only a password', () => {
  it('has a week after an upgrade, and gets one mail with the day', async () => {
    const admin = await createOldAdmin();
    const until = test.clock.now() + 7 * DAY;
    test.clock.advance(HOUR);
    await startMissingGraces(test.deps);
    expect(await readMails()).toEqual([
      {
        recipient: 'naledi@example.com',
        subject: 'Protect your Weekender administrator account by 22 November',
        body_text: expect.stringContaining('You have until 22 November;') as string,
      },
    ]);
    expect(await readGrace(admin.client)).toEqual({ until, isOver: false, hasPasskey: false });
    expect(await askAdmin(admin.client)).toBe(200);

    await passDays(7, admin);
    expect(await askAdmin(admin.client)).toEqual(CLOSED);
    expect(await readGrace(admin.client)).toEqual({ until, isOver: true, hasPasskey: false });
    for (const url of ['/api/admin/week', '/api/admin/uploads'])
      expect((await admin.client.request({ url })).json<ErrorBody>().code).toBe(
        'two_step_required',
      );
    const upload = await admin.client.request({
      method: 'POST',
      url: UPLOAD_PATH,
      headers: { 'tus-resumable': '1.0.0', 'upload-length': '10' },
    });
    expect(upload.json<ErrorBody>().code).toBe('two_step_required');
    expect((await admin.client.request({ url: '/api/favorites' })).statusCode).toBe(200);
  });

  it('gets in again with two-step login, and not without it', async () => {
    const admin = await createOldAdmin();
    await passDays(8);
    const { secret } = await enableTwoStepLogin(test, admin);
    expect(await askAdmin(admin.client)).toBe(200);
    expect(await readGrace(admin.client)).toBeUndefined();
    test.clock.advance(HALF_MINUTE);
    const off = { password: PASSWORD, code: codeAt(test, secret) };
    await admin.client.request({ method: 'DELETE', url: '/api/me/totp', payload: off });
    expect(await askAdmin(admin.client)).toEqual(CLOSED);
  });

  it('gets in again by using a passkey, and not by owning one', async () => {
    const admin = await createOldAdmin();
    await passDays(8, admin);
    const device = createAuthenticator({ origin: SITE.APP_ORIGIN, userId: admin.user.id });
    const post = (client: TestClient, url: string, payload?: object) =>
      client.request({ method: 'POST', url, ...(payload && { payload }) });
    const start = async (client: TestClient, url: string) =>
      (await post(client, url)).json<{ challenge: string }>();
    const { challenge } = await start(admin.client, '/api/me/passkeys/options');
    await post(admin.client, '/api/me/passkeys', device.register({ challenge }));
    expect(await askAdmin(admin.client)).toBe(200);

    const thief = test.createClient();
    await post(thief, '/api/auth/login', { username: 'naledi', password: PASSWORD });
    expect(await askAdmin(thief)).toEqual(CLOSED);
    const refused = await thief.request({ url: '/api/admin/settings' });
    expect(refused.json<ErrorBody>().message).toContain('log in with your passkey');
    expect(await readGrace(thief)).toMatchObject({ isOver: true, hasPasskey: true });

    const owner = test.createClient();
    const login = await start(owner, '/api/auth/passkey/options');
    const answer = await post(owner, '/api/auth/passkey', device.logIn(login));
    expect(answer.json<User>().adminGrace).toBeUndefined();
    expect(await askAdmin(owner)).toBe(200);
    await test.deps.database.db.deleteFrom('passkeys').execute();
    expect(await askAdmin(owner)).toEqual(CLOSED);
  });

  it('has a week from the day of becoming one, and another one after losing the role', async () => {
    const first = await createOldAdmin();
    await enableTwoStepLogin(test, first);
    const second = await createUser(test, 'sipho');
    const change = (isAdmin: boolean) =>
      first.client.request({
        method: 'PUT',
        url: `/api/admin/subscribers/${second.user.id}/admin`,
        payload: { isAdmin, reason: 'She helps with uploads.' },
      });
    await passDays(20, first);
    expect((await change(true)).statusCode).toBe(200);
    const until = test.clock.now() + 7 * DAY;
    expect(await readGrace(second.client)).toEqual({ until, isOver: false, hasPasskey: false });
    await passDays(8, first);
    expect(await askAdmin(second.client)).toEqual(CLOSED);
    await change(false);
    expect(await readGrace(second.client)).toBeUndefined();
    expect(await askAdmin(second.client)).toEqual([404, 'not_found']);
    await change(true);
    expect(await askAdmin(second.client)).toBe(200);
  });

  itOnSqlite('is not asked in demo mode, or where the setting says so', async () => {
    for (const env of [{}, { ...SITE, ADMIN_TWO_STEP: 'optional' }]) {
      await test.close();
      test = await createTestApp({ env });
      const admin = await createOldAdmin();
      await passDays(30);
      expect(await askAdmin(admin.client)).toBe(200);
      expect(await readGrace(admin.client)).toBeUndefined();
      expect(await readMails()).toEqual([]);
      await expect(run('extend-grace naledi')).rejects.toThrow(
        'need no two-step login on this site',
      );
    }
  });

  itOnSqlite('has another week when the rule comes back after it was turned off', async () => {
    await test.close();
    test = await createTestApp({ env: { ...SITE, ADMIN_TWO_STEP: 'optional' } });
    await createAdmin(test);
    const { db } = test.deps.database;
    await db.updateTable('users').set({ admin_grace_until: 1 }).execute();
    await startMissingGraces(test.deps);
    const user = await db.selectFrom('users').select('admin_grace_until').executeTakeFirst();
    expect(user?.admin_grace_until).toBeNull();
  });
});

it('never keeps the first operator out: a week from the first account on, and setting it up after that', async () => {
  const client = test.createClient();
  const url = new URL((await offerSetup(test.deps)) ?? '').pathname;
  const form = { username: 'naledi', email: 'naledi@example.com', password: PASSWORD };
  const created = await client.request({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(form).toString(),
  });
  expect(created.statusCode).toBe(303);
  const until = test.clock.now() + 7 * DAY;
  expect(await readGrace(client)).toEqual({ until, isOver: false, hasPasskey: false });
  expect(await askAdmin(client)).toBe(200);
  await passDays(30);
  expect(await askAdmin(client)).toEqual(CLOSED);
  const user = (await client.request({ url: '/api/auth/me' })).json<User>();
  await enableTwoStepLogin(test, { client, user });
  expect(await askAdmin(client)).toBe(200);
});

describe('on the console', () => {
  const listActions = async () => {
    const { db } = test.deps.database;
    const rows = await db.selectFrom('audit_log').select(['action', 'via', 'subject_id']).execute();
    return rows.map(({ action, via, subject_id }) => [action, via, subject_id]);
  };

  itOnSqlite('an administrator gets another week', async () => {
    const admin = await createOldAdmin();
    await passDays(8);
    expect(await run('extend-grace naledi')).toBe(
      'naledi can use the admin pages without two-step login or a passkey until 30 November.',
    );
    expect(await askAdmin(admin.client)).toBe(200);
    expect(await listActions()).toEqual([['admin.grace-extended', 'console', admin.user.id]]);
    await createUser(test, 'sipho');
    await expect(run('extend-grace sipho')).rejects.toThrow('sipho is not an administrator.');
  });

  it('an administrator who lost the phone gets in with the password, for a week', async () => {
    const admin = await createOldAdmin();
    await enableTwoStepLogin(test, admin);
    await passDays(8);
    expect(await run('reset-two-step naledi')).toBe(
      'Removed two-step login and the passkeys of naledi, and logged out every device.\nnaledi can use the admin pages without two-step login or a passkey until 30 November.',
    );
    expect((await admin.client.request({ url: '/api/auth/me' })).statusCode).toBe(401);
    const client = test.createClient();
    const payload = { username: 'naledi', password: PASSWORD };
    await client.request({ method: 'POST', url: '/api/auth/login', payload });
    expect(await askAdmin(client)).toBe(200);
    expect(await listActions()).toEqual([['user.two-step-reset', 'console', admin.user.id]]);
    const subjects = (await readMails()).map(({ subject }) => subject);
    expect(subjects).toContain('Two-step login for Weekender is off');
    expect(subjects).toContain('Protect your Weekender administrator account by 30 November');
  });
});

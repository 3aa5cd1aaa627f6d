/** @module-tag both-databases */
import type { LightMyRequestResponse } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { api } from '#contract/api.ts';
import type { ErrorBody } from '#contract/errors.ts';
import type { RouteSpec } from '#contract/route.ts';
import { MINUTE } from '#contract/rules/time.ts';
import { createAdmin } from '../../../testing/test-admin.ts';
import { createTestApp, type TestApp, type TestClient } from '../../../testing/test-app.ts';
import { codeAt, enableTwoStepLogin, HALF_MINUTE } from '../../../testing/test-totp.ts';
import { createUser, PASSWORD, type TestUser } from '../../../testing/test-user.ts';
import { describeOnSqlite } from '../../../testing/on-sqlite.ts';

let test: TestApp;
let admin: TestUser;
let member: TestUser;
beforeEach(async () => {
  test = await createTestApp();
  admin = await createAdmin(test);
  member = await createUser(test);
});
afterEach(() => test.close());

/** A device that is logged in as the administrator, and nothing more: what a thief of a session has. */
async function logIn(code?: string): Promise<TestClient> {
  const client = test.createClient();
  const payload = { username: 'naledi', password: PASSWORD, ...(code && { code }) };
  const response = await client.request({ method: 'POST', url: '/api/auth/login', payload });
  expect(response.statusCode).toBe(200);
  return client;
}
const promote = (client: TestClient) =>
  client.request({
    method: 'PUT',
    url: `/api/admin/subscribers/${member.user.id}/admin`,
    payload: { isAdmin: true, reason: 'She helps us.' },
  });
const confirm = (client: TestClient, payload: object = { password: PASSWORD }) =>
  client.request({ method: 'POST', url: '/api/me/confirm', payload });
const codeOf = (response: LightMyRequestResponse) => response.json<ErrorBody>().code;
const isAdmin = async () => {
  const url = `/api/admin/subscribers/${member.user.id}`;
  const response = await admin.client.request({ url });
  return response.json<{ subscriber: { isAdmin: boolean } }>().subscriber.isAdmin;
};

describeOnSqlite('a route that needs the password again', () => {
  const keys = Object.entries(api as Record<string, RouteSpec>)
    .filter(([, { errors }]) => errors?.includes('confirmation_required'))
    .map(([key]) => key);

  it('refuses a device that is only logged in, before it looks at the request', async () => {
    expect(keys).toEqual(
      expect.arrayContaining([
        'PUT /api/admin/subscribers/:id/admin',
        'POST /api/admin/subscribers/:id/refund',
      ]),
    );
    const client = await logIn();
    for (const key of keys) {
      const [method, path = ''] = key.split(' ');
      const url = path.replace(/:\w+/g, 'some-id');
      const response = await client.request({ method: method as 'PUT', url });
      expect([key, response.statusCode, codeOf(response)]).toEqual([
        key,
        403,
        'confirmation_required',
      ]);
    }
  });

  it('works for ten minutes after the password, on that device only', async () => {
    const client = await logIn();
    const other = await logIn();
    expect(codeOf(await promote(client))).toBe('confirmation_required');
    expect(await isAdmin()).toBe(false);
    expect((await confirm(client)).statusCode).toBe(204);
    expect(codeOf(await promote(other))).toBe('confirmation_required');
    expect((await promote(client)).statusCode).toBe(200);
    expect(await isAdmin()).toBe(true);
    test.clock.advance(10 * MINUTE - 1);
    expect((await promote(client)).statusCode).toBe(200);
    test.clock.advance(1);
    expect(codeOf(await promote(client))).toBe('confirmation_required');
  });

  it('refuses a time that a wrong clock has put into the future', async () => {
    const client = await logIn();
    test.clock.advance(60 * MINUTE);
    await confirm(client);
    test.clock.advance(-30 * MINUTE);
    expect(codeOf(await promote(client))).toBe('confirmation_required');
  });
});

describe('entering the password again', () => {
  it('refuses a wrong one, and ten wrong ones block further guesses', async () => {
    const client = await logIn();
    for (let guess = 0; guess < 10; guess += 1)
      expect(codeOf(await confirm(client, { password: `guess ${guess}` }))).toBe('wrong_password');
    expect(codeOf(await confirm(client))).toBe('rate_limited');
    expect(codeOf(await promote(client))).toBe('confirmation_required');
  });

  it('also needs a fresh code where two-step login is on', async () => {
    const { secret } = await enableTwoStepLogin(test, admin);
    test.clock.advance(HALF_MINUTE);
    const client = await logIn(codeAt(test, secret));
    expect(codeOf(await confirm(client))).toBe('totp_required');
    const used = { password: PASSWORD, code: codeAt(test, secret) };
    expect(codeOf(await confirm(client, used))).toBe('totp_invalid');
    expect(codeOf(await promote(client))).toBe('confirmation_required');
    test.clock.advance(HALF_MINUTE);
    const fresh = { password: PASSWORD, code: codeAt(test, secret) };
    expect((await confirm(client, fresh)).statusCode).toBe(204);
    expect((await promote(client)).statusCode).toBe(200);
  });

  it('needs a login', async () => {
    expect((await confirm(test.createClient())).statusCode).toBe(401);
  });
});

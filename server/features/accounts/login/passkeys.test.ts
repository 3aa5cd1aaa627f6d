/** @module-tag both-databases */
import type { LightMyRequestResponse } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { User } from '#contract/accounts.ts';
import type { ErrorBody } from '#contract/errors.ts';
import type { Passkey } from '#contract/security.ts';
import { MINUTE } from '#contract/rules/time.ts';
import { confirmDevices, createAdmin } from '../../../testing/test-admin.ts';
import { createTestApp, type TestApp, type TestClient } from '../../../testing/test-app.ts';
import { createAuthenticator, type Authenticator } from '../../../testing/test-authenticator.ts';
import { enableTwoStepLogin } from '../../../testing/test-totp.ts';
import { createUser, PASSWORD, type TestUser } from '../../../testing/test-user.ts';
import { describeOnSqlite, itOnSqlite } from '../../../testing/on-sqlite.ts';

const ORIGIN = 'https://music.example';

let test: TestApp;
let member: TestUser;
let device: Authenticator;
beforeEach(async () => {
  test = await createTestApp({ env: { APP_ORIGIN: ORIGIN } });
  member = await createUser(test);
  await confirmDevices(test, member);
  device = createAuthenticator({ origin: ORIGIN, userId: member.user.id });
});
afterEach(() => test.close());

const post = (client: TestClient, url: string, payload?: object) =>
  client.request({ method: 'POST', url, ...(payload && { payload }) });
const codeOf = (response: LightMyRequestResponse) => response.json<ErrorBody>().code;
const start = async (client: TestClient, url: string): Promise<string> =>
  (await post(client, url)).json<{ challenge: string }>().challenge;
const startAdding = ({ client }: TestUser) => start(client, '/api/me/passkeys/options');
const startLogin = () => start(test.createClient(), '/api/auth/passkey/options');
const add = (user: TestUser, body: object) => post(user.client, '/api/me/passkeys', body);
const logIn = (body: object, client = test.createClient()) =>
  post(client, '/api/auth/passkey', body);
const list = async ({ client }: TestUser): Promise<Passkey[]> =>
  (await client.request({ url: '/api/me/passkeys' })).json<{ items: Passkey[] }>().items;
async function addPasskey(user = member, authenticator = device): Promise<Passkey> {
  const response = await add(user, authenticator.register({ challenge: await startAdding(user) }));
  expect(response.statusCode).toBe(200);
  return response.json<Passkey>();
}
const logInWithDevice = async (authenticator = device) =>
  logIn(authenticator.logIn({ challenge: await startLogin() }));
const takeMails = async () => {
  await test.worker.runDue();
  const { db } = test.deps.database;
  const mails = await db.selectFrom('outbox').select('subject').execute();
  return mails.map(({ subject }) => subject).join();
};

describe('adding a passkey', () => {
  itOnSqlite('names it after the device, and it can be renamed and removed', async () => {
    const added = await addPasskey();
    expect(added).toMatchObject({ name: 'Unknown device', isSynced: false, lastUsedAt: null });
    const url = `/api/me/passkeys/${added.id}`;
    const renamed = await member.client.request({
      method: 'PATCH',
      url,
      payload: { name: ' My phone ' },
    });
    expect(renamed.json<Passkey>().name).toBe('My phone');
    expect(await list(member)).toMatchObject([{ id: added.id, name: 'My phone' }]);
    expect((await member.client.request({ method: 'DELETE', url })).statusCode).toBe(204);
    expect(await list(member)).toEqual([]);
    expect(codeOf(await logInWithDevice())).toBe('passkey_refused');
    const mails = await takeMails();
    expect(mails).toContain('A passkey was added to your');
    expect(mails).toContain('A passkey was removed from your');
  });

  itOnSqlite('asks for a passkey that checks its user, for this site', async () => {
    const options = await post(member.client, '/api/me/passkeys/options');
    expect(options.json()).toMatchObject({
      rp: { id: 'music.example' },
      user: { name: 'thandi', id: Buffer.from(member.user.id).toString('base64url') },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
  });

  itOnSqlite.each([
    ['from another site', { origin: 'https://evil.example' }],
    ['for another site', { rpId: 'evil.example' }],
    ['of a device that has not checked its user', { isVerified: false }],
  ])('refuses one %s', async (_which, wrong) => {
    const challenge = await startAdding(member);
    expect(codeOf(await add(member, device.register({ challenge, ...wrong })))).toBe(
      'passkey_refused',
    );
    // A challenge works once, also if its answer was wrong.
    expect(codeOf(await add(member, device.register({ challenge })))).toBe('passkey_refused');
    expect(await list(member)).toEqual([]);
  });

  itOnSqlite(
    'refuses a challenge that is late, of another user, of a login or invented',
    async () => {
      const other = await createUser(test, 'sipho');
      await confirmDevices(test, other);
      const late = await startAdding(member);
      test.clock.advance(5 * MINUTE);
      const challenges = [late, await startAdding(other), await startLogin(), 'AAAA'];
      for (const challenge of challenges)
        expect(codeOf(await add(member, device.register({ challenge })))).toBe('passkey_refused');
    },
  );

  itOnSqlite('refuses one that another user has', async () => {
    await addPasskey();
    const other = await createUser(test, 'sipho');
    await confirmDevices(test, other);
    const body = device.register({ challenge: await startAdding(other) });
    expect(codeOf(await add(other, body))).toBe('passkey_refused');
    expect((await logInWithDevice()).json<User>().username).toBe('thandi');
  });

  itOnSqlite('stops at ten', async () => {
    for (let count = 0; count < 10; count += 1)
      await addPasskey(member, createAuthenticator({ origin: ORIGIN, userId: member.user.id }));
    expect(codeOf(await post(member.client, '/api/me/passkeys/options'))).toBe('passkey_limit');
  });

  it('never touches the passkeys of others', async () => {
    const { id } = await addPasskey();
    const other = await createUser(test, 'sipho');
    await confirmDevices(test, other);
    const url = `/api/me/passkeys/${id}`;
    for (const method of ['PATCH', 'DELETE'] as const) {
      const payload = method === 'PATCH' ? { payload: { name: 'Mine' } } : {};
      expect((await other.client.request({ method, url, ...payload })).statusCode).toBe(404);
    }
    expect(await list(other)).toEqual([]);
    expect(await list(member)).toHaveLength(1);
  });
});

describeOnSqlite('logging in with a passkey', () => {
  it('needs neither name, password nor code', async () => {
    await enableTwoStepLogin(test, member);
    await addPasskey();
    test.clock.advance(MINUTE);
    const client = test.createClient();
    const response = await logIn(device.logIn({ challenge: await startLogin() }), client);
    expect(response.json<User>()).toMatchObject({ username: 'thandi' });
    expect((await client.request({ url: '/api/auth/me' })).statusCode).toBe(200);
    expect(await list(member)).toMatchObject([{ lastUsedAt: test.clock.now() }]);
    // Being logged in isn't enough for what needs the password.
    expect(codeOf(await post(client, '/api/me/passkeys/options'))).toBe('confirmation_required');
  });

  it('refuses an answer that was already used, and a challenge that is late or invented', async () => {
    await addPasskey();
    const answer = device.logIn({ challenge: await startLogin() });
    expect((await logIn(answer)).statusCode).toBe(200);
    expect(codeOf(await logIn(answer))).toBe('passkey_refused');
    const late = device.logIn({ challenge: await startLogin() });
    test.clock.advance(5 * MINUTE);
    expect(codeOf(await logIn(late))).toBe('passkey_refused');
    expect(codeOf(await logIn(device.logIn({ challenge: 'AAAA' })))).toBe('passkey_refused');
    const adding = await startAdding(member);
    expect(codeOf(await logIn(device.logIn({ challenge: adding })))).toBe('passkey_refused');
  });

  it.each([
    ['from another site', { origin: 'https://evil.example' }],
    ['for another site', { rpId: 'evil.example' }],
    ['of a device that has not checked its user', { isVerified: false }],
  ])('refuses one %s', async (_which, wrong) => {
    await addPasskey();
    const body = device.logIn({ challenge: await startLogin(), ...wrong });
    expect(codeOf(await logIn(body))).toBe('passkey_refused');
  });

  it('refuses another user’s credential, another key and a changed signature', async () => {
    await addPasskey();
    const stranger = createAuthenticator({ origin: ORIGIN, userId: member.user.id });
    expect(codeOf(await logInWithDevice(stranger))).toBe('passkey_refused');
    const { credential } = device.logIn({ challenge: await startLogin() });
    const forged = stranger.logIn({ challenge: await startLogin() }).credential.response;
    const { id, rawId } = credential;
    expect(
      codeOf(await logIn({ credential: { ...credential, id, rawId, response: forged } })),
    ).toBe('passkey_refused');
    const other = createAuthenticator({ origin: ORIGIN, userId: 'someone-else' });
    const { userHandle } = other.logIn({ challenge: 'x' }).credential.response;
    const answer = device.logIn({ challenge: await startLogin() }).credential;
    const response = { ...answer.response, userHandle };
    expect(codeOf(await logIn({ credential: { ...answer, response } }))).toBe('passkey_refused');
    expect((await logInWithDevice()).statusCode).toBe(200);
  });

  it('refuses a copy of the device, whose counter is behind', async () => {
    await addPasskey();
    device.setCounter(7);
    expect((await logInWithDevice()).statusCode).toBe(200);
    device.setCounter(3);
    expect(codeOf(await logInWithDevice())).toBe('passkey_refused');
    expect(test.logText()).toContain('A passkey was refused.');
  });

  it('refuses a disabled account', async () => {
    await addPasskey();
    const admin = await createAdmin(test);
    const disabled = await admin.client.request({
      method: 'PUT',
      url: `/api/admin/subscribers/${member.user.id}/disabled`,
      payload: { isDisabled: true, reason: 'Shared with strangers.' },
    });
    expect(disabled.statusCode).toBe(200);
    expect(codeOf(await logInWithDevice())).toBe('account_disabled');
  });

  it('rejects nonsense', async () => {
    const { credential } = device.logIn({ challenge: await startLogin() });
    for (const clientDataJSON of ['AAAA', 'bnVsbA', 'W10', 'e30']) {
      const response = { ...credential.response, clientDataJSON };
      expect(codeOf(await logIn({ credential: { ...credential, response } }))).toBe(
        'passkey_refused',
      );
    }
    for (const body of [{}, { credential: null }, { credential: { ...credential, id: '?' } }])
      expect(codeOf(await logIn(body))).toBe('validation_failed');
  });
});

itOnSqlite(
  'a password reset removes all passkeys, because someone else may have added one',
  async () => {
    await addPasskey();
    const { createResetLink } = await import('./password-reset.ts');
    const link = await test.deps.database.db.transaction().execute((tx) => {
      const reset = { userId: member.user.id, validMs: MINUTE };
      return createResetLink(tx, test.deps, reset);
    });
    const payload = { token: link.split('/').at(-1), password: `${PASSWORD} again` };
    const reset = await post(test.createClient(), '/api/auth/reset-password/confirm', payload);
    expect(reset.statusCode).toBe(204);
    expect(codeOf(await logInWithDevice())).toBe('passkey_refused');
  },
);

itOnSqlite('a site without a name has no passkeys', async () => {
  const plain = await createTestApp();
  try {
    const response = await post(plain.createClient(), '/api/auth/passkey/options');
    expect([response.statusCode, codeOf(response)]).toEqual([409, 'passkeys_unavailable']);
  } finally {
    await plain.close();
  }
});

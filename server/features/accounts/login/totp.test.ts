/** @module-tag both-databases */
import type { LightMyRequestResponse } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ErrorBody } from '#contract/errors.ts';
import { HOUR, MINUTE } from '#contract/rules/time.ts';
import { createTestApp, type TestApp } from '../../../testing/test-app.ts';
import {
  codeAt,
  HALF_MINUTE,
  enableTwoStepLogin,
  type TwoStep,
} from '../../../testing/test-totp.ts';
import { createUser, PASSWORD, type TestUser } from '../../../testing/test-user.ts';
import { describeOnSqlite, itOnSqlite } from '../../../testing/on-sqlite.ts';

let test: TestApp;
let testUser: TestUser;
beforeEach(async () => {
  test = await createTestApp();
  testUser = await createUser(test);
});
afterEach(() => test.close());

const login = (payload: { password?: string; code?: string }) =>
  test.app.inject({
    method: 'POST',
    url: '/api/auth/login',
    payload: { username: 'thandi', password: PASSWORD, ...payload },
  });
const send = (method: 'POST' | 'DELETE', url: string, payload: object) =>
  testUser.client.request({ method, url, payload });
const readState = async () =>
  (await testUser.client.request({ url: '/api/me/totp' })).json<object>();
const codeOf = (response: LightMyRequestResponse) => response.json<ErrorBody>().code;

/** Opens the reset link that is mailed to the address. */
async function resetByMail(email: string, password: string) {
  const post = (path: string, payload: object) =>
    test.app.inject({ method: 'POST', url: `/api/auth/reset-password/${path}`, payload });
  await post('request', { email });
  await test.worker.runDue();
  const mails = await test.deps.database.db.selectFrom('outbox').selectAll().execute();
  const text = mails.map(({ body_text }) => body_text).join();
  const token = /\/reset-password\/(\S+)/.exec(text)?.[1] ?? '';
  return post('confirm', { token, password });
}

describe('turning two-step login on', () => {
  itOnSqlite(
    'requires the password, shows a secret and takes effect with the first code',
    async () => {
      const refused = await send('POST', '/api/me/totp', { password: 'a wrong guess' });
      expect([refused.statusCode, codeOf(refused)]).toEqual([403, 'wrong_password']);

      const started = await send('POST', '/api/me/totp', { password: PASSWORD });
      const { secret, uri } = started.json<{ secret: string; uri: string }>();
      expect(secret).toMatch(/^[A-Z2-7]{32}$/);
      expect(uri).toBe(
        `otpauth://totp/Weekender:thandi?issuer=Weekender&secret=${secret}&algorithm=SHA1&digits=6&period=30`,
      );
      expect(await readState()).toMatchObject({ isOn: false, recoveryCodesLeft: 0 });
      expect((await login({})).statusCode).toBe(200);

      const wrong = await send('POST', '/api/me/totp/confirm', { code: '000000' });
      expect([wrong.statusCode, codeOf(wrong)]).toEqual([401, 'totp_invalid']);
      const code = codeAt(test, secret);
      const confirmed = await send('POST', '/api/me/totp/confirm', { code });
      const { recoveryCodes } = confirmed.json<{ recoveryCodes: string[] }>();
      expect(new Set(recoveryCodes).size).toBe(10);
      for (const each of recoveryCodes) expect(each).toMatch(/^(?:[0-9a-z]{4}-){5}[0-9a-z]{4}$/);
      expect(await readState()).toMatchObject({ isOn: true, recoveryCodesLeft: 10 });
      await test.worker.runDue();
      const outbox = await test.deps.database.db.selectFrom('outbox').selectAll().execute();
      expect(outbox.map(({ subject }) => subject)).toEqual(['Two-step login for Weekender is on']);
    },
  );

  itOnSqlite('starts over with a new secret until it is confirmed, but not after', async () => {
    const begin = () => send('POST', '/api/me/totp', { password: PASSWORD });
    const first = (await begin()).json<{ secret: string }>();
    const second = (await begin()).json<{ secret: string }>();
    const old = await send('POST', '/api/me/totp/confirm', { code: codeAt(test, first.secret) });
    expect(codeOf(old)).toBe('totp_invalid');
    const code = codeAt(test, second.secret);
    expect((await send('POST', '/api/me/totp/confirm', { code })).statusCode).toBe(200);
    const again = await begin();
    expect([again.statusCode, codeOf(again)]).toEqual([409, 'totp_on']);
    test.clock.advance(HALF_MINUTE);
    const twice = await send('POST', '/api/me/totp/confirm', { code: codeAt(test, second.secret) });
    expect([twice.statusCode, codeOf(twice)]).toEqual([409, 'totp_on']);
    expect(await readState()).toMatchObject({ isOn: true, recoveryCodesLeft: 10 });
  });

  describe('with an address that nobody has confirmed', () => {
    beforeEach(async () => {
      testUser = await createUser(test, 'lerato', { isEmailVerified: false });
    });
    const confirmAddress = () =>
      test.deps.database.db
        .updateTable('users')
        .set({ email_verified_at: test.clock.now() })
        .where('id', '=', testUser.user.id)
        .execute();

    itOnSqlite('waits until the link in the mail is opened', async () => {
      expect(await readState()).toMatchObject({ isOn: false, isEmailConfirmed: false });
      const refused = await send('POST', '/api/me/totp', { password: PASSWORD });
      expect([refused.statusCode, refused.json()]).toEqual([
        409,
        {
          code: 'email_unconfirmed',
          message: 'Confirm your e-mail address first: open the link in the mail we sent you.',
        },
      ]);
      await test.worker.runDue();
      const mail = await test.deps.database.db
        .selectFrom('outbox')
        .select('body_text')
        .where('recipient', '=', 'lerato@example.com')
        .executeTakeFirstOrThrow();
      const [, token] = /confirm-email\/([\w-]+)/.exec(mail.body_text) ?? [];
      const opened = await send('POST', '/api/auth/email/confirm', { token });
      expect(opened.statusCode).toBe(200);
      expect(await readState()).toMatchObject({ isOn: false, isEmailConfirmed: true });
      await enableTwoStepLogin(test, testUser);
      expect(await readState()).toMatchObject({ isOn: true });
    });

    itOnSqlite('is not finished if it was started before that rule', async () => {
      await confirmAddress();
      const started = await send('POST', '/api/me/totp', { password: PASSWORD });
      const { secret } = started.json<{ secret: string }>();
      await test.deps.database.db.updateTable('users').set({ email_verified_at: null }).execute();
      const response = await send('POST', '/api/me/totp/confirm', { code: codeAt(test, secret) });
      expect(codeOf(response)).toBe('email_unconfirmed');
    });

    it('stays on after a reset by e-mail if it was on before that rule', async () => {
      await confirmAddress();
      const { secret } = await enableTwoStepLogin(test, testUser);
      await test.deps.database.db.updateTable('users').set({ email_verified_at: null }).execute();
      const password = 'set by the link';
      const email = 'lerato@example.com';
      expect((await resetByMail(email, password)).statusCode).toBe(204);
      const attempt = (code?: string) =>
        test.app.inject({
          method: 'POST',
          url: '/api/auth/login',
          payload: { username: 'lerato', password, code },
        });
      expect(codeOf(await attempt())).toBe('totp_required');
      test.clock.advance(HALF_MINUTE);
      expect((await attempt(codeAt(test, secret))).statusCode).toBe(200);

      // If the address is someone else's, they can still have an account with it.
      const { client } = await createUser(test, 'owner-of-the-address', { isEmailVerified: false });
      const renamed = await client.request({
        method: 'PATCH',
        url: `/api/users/${(await client.request({ url: '/api/auth/me' })).json<{ id: string }>().id}`,
        payload: { email, password: PASSWORD },
      });
      expect(renamed.statusCode).toBe(200);
      await test.worker.runDue();
      const mails = await test.deps.database.db
        .selectFrom('outbox')
        .select('body_text')
        .where('recipient', '=', email)
        .where('body_text', 'like', '%/confirm-email/%')
        .orderBy('created_at')
        .orderBy('id')
        .execute();
      const [, token] = /confirm-email\/([\w-]+)/.exec(mails.at(-1)?.body_text ?? '') ?? [];
      const confirm = {
        method: 'POST',
        url: '/api/auth/email/confirm',
        payload: { token },
      } as const;
      expect((await client.request(confirm)).json()).toEqual({ email });
    });
  });

  itOnSqlite('cannot be confirmed before it is started', async () => {
    const response = await send('POST', '/api/me/totp/confirm', { code: '123456' });
    expect([response.statusCode, codeOf(response)]).toEqual([409, 'totp_not_started']);
  });

  itOnSqlite('stores recovery codes only as hashes', async () => {
    const { recoveryCodes } = await enableTwoStepLogin(test, testUser);
    const rows = await test.deps.database.db.selectFrom('recovery_codes').selectAll().execute();
    expect(rows).toHaveLength(10);
    for (const code of recoveryCodes) {
      expect(JSON.stringify(rows)).not.toContain(code.replaceAll('-', ''));
      expect(test.logText()).not.toContain(code);
    }
  });
});

describeOnSqlite('a two-step login', () => {
  let two: TwoStep;
  beforeEach(async () => {
    two = await enableTwoStepLogin(test, testUser);
    test.clock.advance(HALF_MINUTE);
  });

  it('asks for a code only once the password is right', async () => {
    const response = await login({});
    expect([response.statusCode, codeOf(response)]).toEqual([401, 'totp_required']);
    expect(response.cookies).toEqual([]);
    const wrong = await login({ password: 'a wrong guess' });
    expect(codeOf(wrong)).toBe('invalid_credentials');
    const both = await login({ password: 'a wrong guess', code: codeAt(test, two.secret) });
    expect(codeOf(both)).toBe('invalid_credentials');
  });

  it('accepts the codes of the current period and its neighbours, with spaces as the app shows them', async () => {
    const code = codeAt(test, two.secret);
    expect((await login({ code: `${code.slice(0, 3)} ${code.slice(3)}` })).statusCode).toBe(200);
    const next = codeAt(test, two.secret, HALF_MINUTE);
    expect((await login({ code: next })).statusCode).toBe(200);
    test.clock.advance(10 * HALF_MINUTE);
    const late = codeAt(test, two.secret, -2 * HALF_MINUTE);
    expect(codeOf(await login({ code: late }))).toBe('totp_invalid');
    const last = codeAt(test, two.secret, -HALF_MINUTE);
    expect((await login({ code: last })).statusCode).toBe(200);
  });

  it('accepts a recovery code, and codes of a known device, however many guesses failed elsewhere', async () => {
    const guesses = Array.from({ length: 20 }, (_, n) => `${100_000 + n}`);
    for (const code of guesses) {
      await login({ code });
      test.clock.advance(2 * MINUTE);
    }
    const refused = await login({ code: codeAt(test, two.secret) });
    expect([refused.statusCode, refused.json<ErrorBody>().message]).toEqual([
      429,
      expect.stringMatching(
        /^Too many attempts\. Try again in \d+ minutes\. Or use a recovery code\.$/,
      ),
    ]);
    const payload = { username: 'thandi', password: PASSWORD, code: codeAt(test, two.secret) };
    const known = await send('POST', '/api/auth/login', payload);
    expect(known.statusCode).toBe(200);
    expect((await login({ code: two.recoveryCodes[0] ?? '' })).statusCode).toBe(200);
  });

  it('accepts each code once, even when used many times at once', async () => {
    const code = codeAt(test, two.secret);
    const responses = await Promise.all(Array.from({ length: 5 }, () => login({ code })));
    expect(responses.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([
      200, 401, 401, 401, 401,
    ]);
    expect(codeOf(await login({ code: codeAt(test, two.secret, -HALF_MINUTE) }))).toBe(
      'totp_invalid',
    );
  });

  it('accepts each recovery code once, with or without dashes', async () => {
    const [first = '', second = ''] = two.recoveryCodes;
    expect((await login({ code: first })).statusCode).toBe(200);
    expect(codeOf(await login({ code: first }))).toBe('totp_invalid');
    const typed = second.replaceAll('-', ' ').toUpperCase();
    expect((await login({ code: typed })).statusCode).toBe(200);
    expect(await readState()).toMatchObject({ isOn: true, recoveryCodesLeft: 8 });
  });

  it("rejects another user's codes", async () => {
    const other = await createUser(test, 'sipho');
    const theirs = await enableTwoStepLogin(test, other);
    const [recoveryCode = ''] = theirs.recoveryCodes;
    expect(codeOf(await login({ code: recoveryCode }))).toBe('totp_invalid');
    test.clock.advance(HALF_MINUTE);
    expect(codeOf(await login({ code: codeAt(test, theirs.secret) }))).toBe('totp_invalid');
  });

  it('limits guesses at the code per day for someone who has the password', async () => {
    let limitedAt = 0;
    for (let n = 0; n < 60 && limitedAt === 0; n += 1) {
      // Stay below the limit on logins, which is a different one.
      test.clock.advance(2 * 60_000);
      const response = await login({ code: String(n).padStart(6, '0') });
      if (response.statusCode === 429) limitedAt = n;
    }
    expect(limitedAt).toBeGreaterThanOrEqual(20);
    expect(limitedAt).toBeLessThan(25);
    test.clock.advance(2 * 60_000);
    expect((await login({ code: codeAt(test, two.secret) })).statusCode).toBe(429);
    test.clock.advance(2 * HOUR);
    expect((await login({ code: codeAt(test, two.secret) })).statusCode).toBe(200);
  });

  it('rejects a malformed code', async () => {
    const texts = ['', '12345', '1234567', 'abcdef', '１２３４５６', '123456\u0000', "'--"];
    for (const code of [...texts, 'x'.repeat(5000)]) {
      const response = await login({ code });
      expect([code, response.statusCode, codeOf(response)]).toEqual([
        code,
        400,
        'validation_failed',
      ]);
    }
  });

  it('still requires a code after a password reset', async () => {
    const password = 'set by the link';
    expect((await resetByMail('thandi@example.com', password)).statusCode).toBe(204);
    expect(codeOf(await login({ password }))).toBe('totp_required');
  });
});

describe('new recovery codes', () => {
  const renew = (payload: object) => send('POST', '/api/me/totp/recovery-codes', payload);

  it('replace the old ones, given password and code, and the user gets an e-mail', async () => {
    const { secret, recoveryCodes: old } = await enableTwoStepLogin(test, testUser);
    test.clock.advance(HALF_MINUTE);
    const code = codeAt(test, secret);
    expect(codeOf(await renew({ password: 'a wrong guess', code }))).toBe('wrong_password');
    expect(codeOf(await renew({ password: PASSWORD, code: '000000' }))).toBe('totp_invalid');
    expect((await renew({ password: PASSWORD })).statusCode).toBe(400);
    expect(await readState()).toMatchObject({ isOn: true, recoveryCodesLeft: 10 });

    const [lastOld = '', otherOld = ''] = old;
    expect((await login({ code: otherOld })).statusCode).toBe(200);
    const renewed = await renew({ password: PASSWORD, code: lastOld });
    const { recoveryCodes } = renewed.json<{ recoveryCodes: string[] }>();
    expect(new Set([...recoveryCodes, ...old]).size).toBe(20);
    expect(await readState()).toMatchObject({ isOn: true, recoveryCodesLeft: 10 });
    for (const each of old.slice(2, 4))
      expect(codeOf(await login({ code: each }))).toBe('totp_invalid');
    const [fresh = ''] = recoveryCodes;
    expect((await login({ code: fresh })).statusCode).toBe(200);
    await test.worker.runDue();
    const mails = await test.deps.database.db.selectFrom('outbox').select('subject').execute();
    expect(mails).toContainEqual({ subject: 'New recovery codes for Weekender' });
  });

  itOnSqlite('are not available without two-step login', async () => {
    const payload = { password: PASSWORD, code: '123456' };
    expect((await renew(payload)).statusCode).toBe(404);
    await send('POST', '/api/me/totp', { password: PASSWORD });
    expect((await renew(payload)).statusCode).toBe(404);
  });
});

describeOnSqlite('turning two-step login off', () => {
  it('requires the password and a code', async () => {
    const { secret } = await enableTwoStepLogin(test, testUser);
    test.clock.advance(HALF_MINUTE);
    const off = (payload: object) => send('DELETE', '/api/me/totp', payload);
    expect(codeOf(await off({ password: 'a wrong guess', code: codeAt(test, secret) }))).toBe(
      'wrong_password',
    );
    expect(codeOf(await off({ password: PASSWORD, code: '000000' }))).toBe('totp_invalid');
    expect((await off({ password: PASSWORD })).statusCode).toBe(400);
    expect(await readState()).toMatchObject({ isOn: true });

    const done = await off({ password: PASSWORD, code: codeAt(test, secret) });
    expect(done.statusCode).toBe(204);
    expect(await readState()).toMatchObject({ isOn: false, recoveryCodesLeft: 0 });
    expect((await login({})).statusCode).toBe(200);
    const { db } = test.deps.database;
    expect(await db.selectFrom('recovery_codes').selectAll().execute()).toEqual([]);
    await test.worker.runDue();
    const mails = await db.selectFrom('outbox').select('subject').execute();
    expect(mails).toContainEqual({ subject: 'Two-step login for Weekender is off' });
  });

  it('responds with 404 if it is off', async () => {
    const payload = { password: PASSWORD, code: '123456' };
    expect((await send('DELETE', '/api/me/totp', payload)).statusCode).toBe(404);
  });
});

/** @module-tag both-databases */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { User } from '#contract/accounts.ts';
import { DAY, MINUTE } from '#contract/rules/time.ts';
import type { ErrorBody } from '#contract/errors.ts';
import { readTables } from '../../../testing/read-tables.ts';
import { createTestApp, type TestApp, type TestClient } from '../../../testing/test-app.ts';
import {
  changeEmail,
  openLink,
  readMails,
  readToken,
  requestEmail,
} from '../../../testing/test-email.ts';
import { codeAt, enableTwoStepLogin, HALF_MINUTE } from '../../../testing/test-totp.ts';
import { createUser, PASSWORD, type TestUser } from '../../../testing/test-user.ts';
import { updateProfile } from '../service.ts';
import { describeOnSqlite, itOnSqlite } from '../../../testing/on-sqlite.ts';

const OLD = 'thandi@example.com';
const NEW = 'new@example.com';

let test: TestApp;
beforeEach(async () => {
  test = await createTestApp();
});
afterEach(() => test.close());

const register = (username: string, email: string, client = test.createClient()) =>
  client.request({
    method: 'POST',
    url: '/api/auth/register',
    payload: { username, email, password: PASSWORD },
  });
const login = (username: string, password = PASSWORD) =>
  test.createClient().request({
    method: 'POST',
    url: '/api/auth/login',
    payload: { username, password },
  });
const readUser = async (client: TestClient) =>
  (await client.request({ url: '/api/auth/me' })).json<User>();
const codeOf = (response: { json: () => unknown }) => (response.json() as ErrorBody).code;
const subjectsTo = async (email: string) =>
  (await readMails(test, email)).map(({ subject }) => subject);

async function reset(email: string, password: string) {
  const payload = { email };
  await test.app.inject({ method: 'POST', url: '/api/auth/reset-password/request', payload });
  const texts = (await readMails(test, email)).map((mail) => mail.body_text);
  const token = /\/reset-password\/([\w-]+)/.exec(texts.join('\n'))?.[1];
  return test.app.inject({
    method: 'POST',
    url: '/api/auth/reset-password/confirm',
    payload: { token, password },
  });
}

describe('a new account', () => {
  it('works at once, and its address is verified by the link in a mail', async () => {
    const { client, user } = await createUser(test, 'thandi', { isEmailVerified: false });
    expect((await readUser(client)).unconfirmedEmail).toBe(OLD);
    expect((await login(OLD)).statusCode).toBe(200);
    expect(await subjectsTo(OLD)).toEqual(['Confirm your e-mail address for Weekender']);
    const token = await readToken(test, OLD);
    expect((await openLink(test, 'confirm', token)).json()).toEqual({ email: OLD });
    expect(await readUser(client)).toEqual({ ...user, unconfirmedEmail: undefined });
    expect((await openLink(test, 'confirm', token)).statusCode).toBe(200);
  });

  itOnSqlite('gets the link again on request, and no more once it is verified', async () => {
    const { client } = await createUser(test, 'thandi', { isEmailVerified: false });
    const resend = () => client.request({ method: 'POST', url: '/api/me/email/link' });
    expect((await resend()).statusCode).toBe(204);
    expect(await subjectsTo(OLD)).toHaveLength(2);
    await openLink(test, 'confirm', await readToken(test, OLD));
    expect((await resend()).statusCode).toBe(404);
  });

  itOnSqlite('has seven days to open the link', async () => {
    await createUser(test, 'thandi', { isEmailVerified: false });
    const token = await readToken(test, OLD);
    test.clock.advance(7 * DAY);
    expect(codeOf(await openLink(test, 'confirm', token))).toBe('email_link_invalid');
  });

  itOnSqlite(
    'is verified by a password reset, which ends an earlier visitor’s session',
    async () => {
      const { client } = await createUser(test, 'thandi', { isEmailVerified: false });
      expect((await reset(OLD, 'another quiet harbour')).statusCode).toBe(204);
      const answer = await login('thandi', 'another quiet harbour');
      expect([answer.statusCode, answer.json<User>().unconfirmedEmail]).toEqual([200, undefined]);
      expect((await client.request({ url: '/api/auth/me' })).statusCode).toBe(401);
    },
  );

  itOnSqlite('of a thief who entered someone’s address loses it to the owner', async () => {
    await register('thief', OLD);
    await readToken(test, OLD);
    const client = test.createClient();
    await register('thandi', OLD, client);
    await openLink(test, 'confirm', await readToken(test, OLD));
    expect((await login(OLD)).json<User>().username).toBe('thandi');
    expect((await login('thief')).json<User>()).toMatchObject({ unconfirmedEmail: OLD });
  });
});

describeOnSqlite('an address that has an account', () => {
  it('gets the same answer and the same work at registration, and a mail instead of an error', async () => {
    await createUser(test);
    const [fresh, taken] = [
      await register('fresh', NEW),
      await register('taken', 'THANDI@example.com'),
    ];
    const shape = (answer: typeof fresh) => [
      answer.statusCode,
      Object.keys(answer.json<User>()),
      answer.cookies.map(({ name }) => name),
    ];
    expect(shape(taken)).toEqual(shape(fresh));
    const { jobs } = await readTables(test.deps.database.db);
    expect(jobs.map(({ name }) => name)).toEqual(['send-email-link', 'send-email-link']);
    expect(await subjectsTo(OLD)).toEqual(['You already have a Weekender account']);
    expect(await subjectsTo(NEW)).toEqual(['Confirm your e-mail address for Weekender']);
    expect((await login(OLD)).json<User>().username).toBe('thandi');
    expect((await login('taken')).statusCode).toBe(200);
  });

  it('gets the same answer on the profile, and a mail instead of an error', async () => {
    await createUser(test);
    const lerato = await createUser(test, 'lerato');
    const fresh = await requestEmail(lerato, NEW);
    const taken = await requestEmail(lerato, OLD);
    expect(taken.json()).toEqual({ ...fresh.json<User>(), unconfirmedEmail: OLD });
    expect(await subjectsTo(OLD)).toEqual(['You already have a Weekender account']);
    expect(await readToken(test, OLD)).toBe('');
  });

  it('stays with the account that confirms it first', async () => {
    const lerato = await createUser(test, 'lerato');
    const sipho = await createUser(test, 'sipho');
    await requestEmail(lerato, NEW);
    const first = await readToken(test, NEW);
    await requestEmail(sipho, NEW);
    const second = await readToken(test, NEW);
    expect((await openLink(test, 'confirm', second)).statusCode).toBe(200);
    expect(codeOf(await openLink(test, 'confirm', first))).toBe('email_taken');
    expect((await readUser(lerato.client)).email).toBe('lerato@example.com');
  });

  it('gets at most five mails an hour, however many accounts enter it', async () => {
    for (let n = 0; n < 7; n += 1) expect((await register(`user${n}`, OLD)).statusCode).toBe(200);
    expect(await subjectsTo(OLD)).toHaveLength(5);
  });
});

describeOnSqlite('changing the address', () => {
  let testUser: TestUser;
  beforeEach(async () => {
    testUser = await createUser(test);
  });

  it('waits for the link in the new mailbox; the old address is told before and after', async () => {
    await requestEmail(testUser, NEW);
    expect(await readUser(testUser.client)).toMatchObject({ email: OLD, unconfirmedEmail: NEW });
    expect((await login(NEW)).statusCode).toBe(401);
    expect(await subjectsTo(OLD)).toEqual(['Your Weekender e-mail address is about to change']);
    const answer = await openLink(test, 'confirm', await readToken(test, NEW));
    expect(answer.json()).toEqual({ email: NEW });
    expect(await readUser(testUser.client)).toEqual({ ...testUser.user, email: NEW });
    expect((await login(NEW)).statusCode).toBe(200);
    expect((await login(OLD)).statusCode).toBe(401);
    expect((await subjectsTo(OLD)).at(-1)).toBe('Your Weekender e-mail address was changed');
  });

  it('needs the password', async () => {
    const before = await readTables(test.deps.database.db);
    const missing = await requestEmail(testUser, NEW, {});
    expect([missing.statusCode, missing.json<ErrorBody>().fields]).toEqual([
      400,
      { password: 'Enter your password to change your e-mail address.' },
    ]);
    const wrong = await requestEmail(testUser, NEW, { password: 'a wrong guess' });
    expect([wrong.statusCode, codeOf(wrong)]).toEqual([403, 'wrong_password']);
    expect(await readTables(test.deps.database.db)).toEqual(before);
  });

  it('needs the password for the former address too, if it changes at the same moment', async () => {
    const { db } = test.deps.database;
    const { id } = testUser.user;
    const readRow = () =>
      db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    // As the session was read, a moment before the link was opened.
    const viewer = { user: { ...(await readRow()), grace_ms: 0 } };
    await changeEmail(test, testUser, NEW);
    const before = await readRow();
    const change = updateProfile(test.deps, viewer, id, { email: OLD });
    await expect(change).rejects.toMatchObject({ code: 'validation_failed' });
    expect(await readRow()).toEqual(before);
  });

  it('needs a code if two-step login is on', async () => {
    const { secret } = await enableTwoStepLogin(test, testUser);
    test.clock.advance(HALF_MINUTE);
    expect(codeOf(await requestEmail(testUser, NEW))).toBe('totp_required');
    const proof = { password: PASSWORD, code: codeAt(test, secret) };
    expect((await requestEmail(testUser, NEW, proof)).statusCode).toBe(200);
  });

  it('can be cancelled until then', async () => {
    await requestEmail(testUser, NEW);
    const token = await readToken(test, NEW);
    const { client } = testUser;
    const cancel = await client.request({ method: 'DELETE', url: '/api/me/email/change' });
    expect(cancel.statusCode).toBe(204);
    expect(await readUser(client)).toEqual(testUser.user);
    expect(codeOf(await openLink(test, 'confirm', token))).toBe('email_link_invalid');
  });

  it('takes a day at most, and only the last one asked for', async () => {
    await requestEmail(testUser, NEW);
    const first = await readToken(test, NEW);
    await requestEmail(testUser, 'newest@example.com');
    expect(codeOf(await openLink(test, 'confirm', first))).toBe('email_link_invalid');
    const second = await readToken(test, 'newest@example.com');
    test.clock.advance(DAY);
    expect(codeOf(await openLink(test, 'confirm', second))).toBe('email_link_invalid');
  });

  it('from an address that nobody verified tells that address nothing', async () => {
    const lerato = await createUser(test, 'lerato', { isEmailVerified: false });
    const before = await subjectsTo('lerato@example.com');
    await changeEmail(test, lerato, NEW);
    expect((await readUser(lerato.client)).email).toBe(NEW);
    expect(await subjectsTo('lerato@example.com')).toEqual(before);
  });
});

describe('the former address', () => {
  let testUser: TestUser;
  beforeEach(async () => {
    testUser = await createUser(test);
  });

  itOnSqlite(
    'undoes the change: the old address is back, and nobody gets in without a new password',
    async () => {
      await changeEmail(test, testUser, NEW);
      await enableTwoStepLogin(test, testUser);
      const answer = await openLink(test, 'undo', await readToken(test, OLD));
      const { email, resetToken } = answer.json<{ email: string; resetToken: string }>();
      expect(email).toBe(OLD);
      expect((await testUser.client.request({ url: '/api/auth/me' })).statusCode).toBe(401);
      expect((await login('thandi')).statusCode).toBe(401);
      const payload = { token: resetToken, password: 'another quiet harbour' };
      const url = '/api/auth/reset-password/confirm';
      expect((await test.app.inject({ method: 'POST', url, payload })).statusCode).toBe(204);
      const back = await login(OLD, 'another quiet harbour');
      expect([back.statusCode, back.json<User>().email]).toEqual([200, OLD]);
      expect((await subjectsTo(NEW)).at(-1)).toBe(
        'The change of your Weekender e-mail address was undone',
      );
    },
  );

  itOnSqlite('stops a change that is not confirmed yet', async () => {
    await requestEmail(testUser, NEW);
    const token = await readToken(test, NEW);
    await openLink(test, 'undo', await readToken(test, OLD));
    expect(codeOf(await openLink(test, 'confirm', token))).toBe('email_link_invalid');
    expect((await login('thandi')).statusCode).toBe(401);
  });

  it('can undo for seven days, once', async () => {
    await changeEmail(test, testUser, NEW);
    const token = await readToken(test, OLD);
    test.clock.advance(7 * DAY - MINUTE);
    expect((await openLink(test, 'undo', token)).statusCode).toBe(200);
    expect(codeOf(await openLink(test, 'undo', token))).toBe('email_link_invalid');
  });

  itOnSqlite('can no longer undo after seven days', async () => {
    await changeEmail(test, testUser, NEW);
    const token = await readToken(test, OLD);
    test.clock.advance(7 * DAY);
    expect(codeOf(await openLink(test, 'undo', token))).toBe('email_link_invalid');
  });

  itOnSqlite('wins over a thief who changed the address twice', async () => {
    await changeEmail(test, testUser, 'thief@example.com');
    const owner = await readToken(test, OLD);
    test.clock.advance(MINUTE);
    await changeEmail(test, testUser, NEW);
    const thief = await readToken(test, 'thief@example.com');
    expect((await openLink(test, 'undo', thief)).statusCode).toBe(200);
    expect((await openLink(test, 'undo', owner)).json()).toMatchObject({ email: OLD });
    const { users } = await readTables(test.deps.database.db);
    expect(users).toMatchObject([{ email: OLD, pending_email: null }]);
  });

  itOnSqlite('wins over a thief’s mail about the second change that comes late', async () => {
    await changeEmail(test, testUser, 'thief@example.com');
    const owner = await readToken(test, OLD);
    test.clock.advance(MINUTE);
    await requestEmail(testUser, NEW);
    expect((await openLink(test, 'undo', owner)).statusCode).toBe(200);
    const mails = await readMails(test, 'thief@example.com');
    expect(mails.filter((mail) => mail.body_text.includes('/undo-email-change/'))).toEqual([]);
  });

  itOnSqlite(
    'is told about a password reset, as the new address is, and can still undo',
    async () => {
      await changeEmail(test, testUser, NEW);
      await reset(NEW, 'another quiet harbour');
      for (const email of [OLD, NEW])
        expect((await subjectsTo(email)).at(-1)).toBe('Your Weekender password was reset');
      expect((await openLink(test, 'undo', await readToken(test, OLD))).statusCode).toBe(200);
    },
  );
});

itOnSqlite(
  'a password reset cancels a change that is not confirmed, and tells both addresses',
  async () => {
    const testUser = await createUser(test);
    await requestEmail(testUser, NEW);
    const token = await readToken(test, NEW);
    await reset(OLD, 'another quiet harbour');
    expect((await subjectsTo(NEW)).at(-1)).toBe('Your Weekender e-mail address was not changed');
    expect(await subjectsTo(OLD)).toContain('Your Weekender password was reset');
    expect(codeOf(await openLink(test, 'confirm', token))).toBe('email_link_invalid');
  },
);

itOnSqlite('messages wait until the address is verified', async () => {
  const { client } = await createUser(test, 'thandi', { isEmailVerified: false });
  const payload = { currentPassword: PASSWORD, newPassword: 'another quiet harbour' };
  await client.request({ method: 'POST', url: '/api/me/password', payload });
  expect(await subjectsTo(OLD)).toEqual(['Confirm your e-mail address for Weekender']);
  await openLink(test, 'confirm', await readToken(test, OLD));
  expect((await subjectsTo(OLD)).at(-1)).toBe('Your Weekender password was changed');
});

itOnSqlite('links are stored as hashes', async () => {
  const testUser = await createUser(test);
  await requestEmail(testUser, NEW);
  const tokens = [await readToken(test, NEW), await readToken(test, OLD)];
  const { outbox: _, ...kept } = await readTables(test.deps.database.db);
  const links = await test.deps.database.db.selectFrom('email_links').selectAll().execute();
  for (const token of tokens) {
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(JSON.stringify([kept, links])).not.toContain(token);
  }
});

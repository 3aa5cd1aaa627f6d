import type { LightMyRequestResponse } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ErrorBody } from '#contract/errors.ts';
import { DAY, HOUR, MINUTE } from '#contract/rules/time.ts';
import { createTestApp, type TestApp, type TestClient } from '../../../testing/test-app.ts';
import {
  codeAt,
  enableTwoStepLogin,
  HALF_MINUTE,
  type TwoStep,
} from '../../../testing/test-totp.ts';
import { createUser, PASSWORD, type TestUser } from '../../../testing/test-user.ts';

const EMAIL = 'thandi@example.com';

let test: TestApp;
let owner: TestUser;
let two: TwoStep;
beforeEach(async () => {
  test = await createTestApp({ env: { APP_ORIGIN: 'http://localhost', TRUST_PROXY: '1' } });
  owner = await createUser(test);
  two = await enableTwoStepLogin(test, owner);
  test.clock.advance(HALF_MINUTE);
});
afterEach(() => test.close());

type Request = { method?: 'POST' | 'DELETE'; url: string; payload: object; from?: string };

const send = (client: TestClient, { method = 'POST', url, payload, from }: Request) =>
  client.request({
    method,
    url,
    payload,
    headers: { 'x-forwarded-for': from ?? '198.51.100.7' },
  });

let guessed = 0;
/** A code that is wrong for the next minutes. */
function guessCode(): string {
  const right = [-1, 0, 1].map((n) => codeAt(test, two.secret, n * HALF_MINUTE));
  for (;;) {
    guessed = (guessed + 7919) % 1_000_000;
    const code = String(guessed).padStart(6, '0');
    if (!right.includes(code)) return code;
  }
}

/** How many of the guesses the server compared with the right code. */
async function countCompared(
  times: number,
  attempt: (code: string) => Promise<LightMyRequestResponse>,
) {
  let compared = 0;
  for (let n = 0; n < times; n += 1)
    if ((await attempt(guessCode())).json<ErrorBody>().code === 'totp_invalid') compared += 1;
  return compared;
}

/** The reset link in the mailbox, which the attacker reads too. */
async function takeResetToken(): Promise<string | undefined> {
  await test.worker.runDue();
  const mails = await test.deps.database.db
    .deleteFrom('outbox')
    .where('subject', 'like', 'Reset your%')
    .returning('body_text')
    .execute();
  return /reset-password\/([\w-]+)/.exec(mails[0]?.body_text ?? '')?.[1];
}

async function resetPassword(
  client: TestClient,
  password: string,
  { from = '198.51.100.7', askedWith = client } = {},
) {
  const request = { url: '/api/auth/reset-password/request', payload: { email: EMAIL }, from };
  if ((await send(askedWith, request)).statusCode !== 204) return false;
  const payload = { token: await takeResetToken(), password };
  const url = '/api/auth/reset-password/confirm';
  return (await send(client, { url, payload, from })).statusCode === 204;
}

/**
 * Someone who reads the account's mail, with a new network and a new browser for each link. The
 * browser of the link before asks for the next one.
 */
async function attackWithResets(rounds: number, guesses: number): Promise<number> {
  let compared = 0;
  let password = PASSWORD;
  let askedWith = test.createClient();
  for (let n = 0; n < rounds; n += 1) {
    const from = `203.0.113.${n % 250}`;
    const browser = test.createClient();
    const next = `taken over ${n} times, says the link`;
    if (await resetPassword(browser, next, { from, askedWith })) password = next;
    compared += await countCompared(guesses, (code) => {
      const payload = { username: 'thandi', password, code };
      return send(browser, { url: '/api/auth/login', payload, from });
    });
    askedWith = browser;
  }
  return compared;
}

describe('someone who reads the account’s mail', () => {
  it('guesses at 20 codes, however many reset links, browsers and networks they use', async () => {
    expect(await attackWithResets(20, 10)).toBeLessThanOrEqual(20);
  });

  it('guesses at no more than 120 codes in a month', async () => {
    let compared = 0;
    for (let day = 0; day < 30; day += 2) {
      compared += await attackWithResets(1, 10);
      test.clock.advance(2 * DAY);
    }
    expect(compared).toBeGreaterThan(60);
    expect(compared).toBeLessThanOrEqual(120);
  });

  it('has no known device after a reset, and the owner is not locked out of theirs', async () => {
    const thief = test.createClient();
    const password = 'set by the link of a thief';
    expect(await resetPassword(thief, password)).toBe(true);
    expect(thief.cookies.get('device')).toBeUndefined();
    const guess = (code: string) =>
      send(thief, { url: '/api/auth/login', payload: { username: 'thandi', password, code } });
    for (let n = 0; n < 4; n += 1) {
      await countCompared(10, guess);
      test.clock.advance(15 * MINUTE);
    }
    expect((await guess(codeAt(test, two.secret))).statusCode).toBe(429);

    expect(await resetPassword(owner.client, 'taken back by the owner')).toBe(true);
    const payload = {
      username: 'thandi',
      password: 'taken back by the owner',
      code: codeAt(test, two.secret),
    };
    expect((await send(owner.client, { url: '/api/auth/login', payload })).statusCode).toBe(200);
  });
});

it('lets the owner in on a new device right after a reset, although others guessed the password', async () => {
  const stranger = test.createClient();
  const logIn = (client: TestClient, password: string, code?: string) =>
    send(client, { url: '/api/auth/login', payload: { username: 'thandi', password, code } });
  for (let n = 0; n < 11; n += 1) await logIn(stranger, 'wrong');
  const device = test.createClient();
  expect((await logIn(device, PASSWORD)).statusCode).toBe(429);
  const password = 'another horse battery';
  await resetPassword(device, password);
  expect((await logIn(device, password, codeAt(test, two.secret))).statusCode).toBe(200);
});

it('counts wrong codes of all sessions and all forms together', async () => {
  const sessions = [owner.client];
  for (let n = 0; n < 5; n += 1) {
    const client = test.createClient();
    const payload = { username: 'thandi', password: PASSWORD, code: two.recoveryCodes[n] };
    expect((await send(client, { url: '/api/auth/login', payload })).statusCode).toBe(200);
    sessions.push(client);
  }
  const forms: Request[] = [
    { url: '/api/me/confirm', payload: { password: PASSWORD } },
    { method: 'DELETE', url: '/api/me/totp', payload: { password: PASSWORD } },
    {
      url: '/api/me/password',
      payload: { currentPassword: PASSWORD, newPassword: 'another horse battery' },
    },
    { url: '/api/me/totp/recovery-codes', payload: { password: PASSWORD } },
    {
      method: 'DELETE',
      url: '/api/me',
      payload: { password: PASSWORD, confirmation: 'delete' },
    },
    { url: '/api/auth/login', payload: { username: 'thandi', password: PASSWORD } },
  ];
  let compared = 0;
  for (let n = 0; n < 4; n += 1) {
    for (const client of sessions)
      for (const form of forms)
        compared += await countCompared(2, (code) =>
          send(client, { ...form, payload: { ...form.payload, code } }),
        );
    test.clock.advance(15 * MINUTE);
  }
  expect(compared).toBe(20);
  test.clock.advance(2 * HOUR);
  const code = codeAt(test, two.secret);
  const confirmed = await send(owner.client, {
    url: '/api/me/confirm',
    payload: { password: PASSWORD, code },
  });
  expect(confirmed.statusCode).toBe(204);
});

it('leaves other devices some codes when one of them has used up its own', async () => {
  const other = test.createClient();
  const payload = { username: 'thandi', password: PASSWORD, code: two.recoveryCodes[0] };
  await send(other, { url: '/api/auth/login', payload });
  const confirm = (client: TestClient, code: string) =>
    send(client, { url: '/api/me/confirm', payload: { password: PASSWORD, code } });
  let compared = 0;
  for (let n = 0; n < 3; n += 1) {
    compared += await countCompared(10, (code) => confirm(other, code));
    test.clock.advance(15 * MINUTE);
  }
  expect(compared).toBe(10);
  expect((await confirm(owner.client, codeAt(test, two.secret))).statusCode).toBe(204);
});

it('counts a device as the owner’s only once it has completed both steps', async () => {
  const before = test.createClient();
  const other = await createUser(test, 'sipho');
  const logIn = (code?: string) =>
    send(before, {
      url: '/api/auth/login',
      payload: { username: 'sipho', password: PASSWORD, code },
    });
  expect((await logIn()).statusCode).toBe(200);
  const theirs = await enableTwoStepLogin(test, other);
  before.cookies.delete('session');
  for (let n = 0; n < 3; n += 1) {
    await countCompared(10, logIn);
    test.clock.advance(15 * MINUTE);
  }
  expect((await logIn(codeAt(test, theirs.secret))).statusCode).toBe(429);
  test.clock.advance(DAY);
  expect((await logIn(codeAt(test, theirs.secret))).statusCode).toBe(200);
});

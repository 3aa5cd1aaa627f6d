import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ErrorBody } from '#contract/errors.ts';
import { hashPassword } from '../../../background/passwords.ts';
import { beforeNextTransaction } from '../../../testing/before-next-transaction.ts';
import { readTables } from '../../../testing/read-tables.ts';
import { createTestApp, type TestApp, type TestClient } from '../../../testing/test-app.ts';
import { codeAt, enableTwoStepLogin, HALF_MINUTE } from '../../../testing/test-totp.ts';
import { createUser, PASSWORD, type TestUser } from '../../../testing/test-user.ts';

const NEXT = 'another quiet harbour';

let test: TestApp;
let testUser: TestUser;
beforeEach(async () => {
  test = await createTestApp();
  testUser = await createUser(test);
});
afterEach(() => test.close());

const login = async (
  password: string,
  client = test.createClient(),
): Promise<TestClient | null> => {
  const payload = { username: 'thandi', password };
  const response = await client.request({ method: 'POST', url: '/api/auth/login', payload });
  return response.statusCode === 200 ? client : null;
};
const change = (payload: object, client = testUser.client) =>
  client.request({ method: 'POST', url: '/api/me/password', payload });
const isLoggedIn = async (client: TestClient | null) =>
  (await client?.request({ url: '/api/auth/me' }))?.statusCode === 200;

describe('changing the password', () => {
  it('ends every other session and e-mails the owner', async () => {
    const phone = await login(PASSWORD);
    const response = await change({ currentPassword: PASSWORD, newPassword: NEXT });
    expect(response.statusCode).toBe(204);
    expect(await isLoggedIn(testUser.client)).toBe(true);
    expect(await isLoggedIn(phone)).toBe(false);
    expect(await login(PASSWORD)).toBeNull();
    expect(await login(NEXT)).not.toBeNull();
    await test.worker.runDue();
    const [mail] = (await readTables(test.deps.database.db)).outbox;
    expect(mail).toMatchObject({
      recipient: 'thandi@example.com',
      subject: 'Your Weekender password was changed',
    });
    expect(mail?.body_text).toContain('/forgot-password');
    expect(mail?.body_text).not.toContain(NEXT);
  });

  it('requires the current password', async () => {
    const before = await readTables(test.deps.database.db);
    const response = await change({ currentPassword: 'a wrong guess', newPassword: NEXT });
    expect([response.statusCode, response.json<ErrorBody>()]).toEqual([
      403,
      {
        code: 'wrong_password',
        message: 'This isn’t your current password.',
        fields: { currentPassword: 'This isn’t your current password.' },
      },
    ]);
    expect(await readTables(test.deps.database.db)).toEqual(before);
  });

  it('requires a code where two-step login is on', async () => {
    const { secret } = await enableTwoStepLogin(test, testUser);
    test.clock.advance(HALF_MINUTE);
    const before = await readTables(test.deps.database.db);
    const passwords = { currentPassword: PASSWORD, newPassword: NEXT };
    const refusals = [
      [passwords, 401, 'totp_required'],
      [{ ...passwords, code: '000000' }, 401, 'totp_invalid'],
      [
        { ...passwords, currentPassword: 'wrong', code: codeAt(test, secret) },
        403,
        'wrong_password',
      ],
    ] as const;
    for (const [payload, status, code] of refusals) {
      const response = await change(payload);
      expect([response.statusCode, response.json<ErrorBody>().code]).toEqual([status, code]);
    }
    expect(await readTables(test.deps.database.db)).toEqual(before);
    const done = await change({ ...passwords, code: codeAt(test, secret) });
    expect(done.statusCode).toBe(204);
    const again = { currentPassword: NEXT, newPassword: 'a third quiet harbour' };
    expect((await change({ ...again, code: codeAt(test, secret) })).statusCode).toBe(401);
  });

  it('limits guesses at the current password and does not count successes', async () => {
    const codes: number[] = [];
    for (let n = 0; n < 12; n += 1)
      codes.push((await change({ currentPassword: `guess ${n}`, newPassword: NEXT })).statusCode);
    expect(codes).toEqual([...Array<number>(10).fill(403), 429, 429]);
    test.clock.advance(15 * 60_000);
    const right = await change({ currentPassword: PASSWORD, newPassword: NEXT });
    expect(right.statusCode).toBe(204);
  });

  it('rejects a new password that breaks a rule', async () => {
    const refusals: [payload: object, field: string][] = [
      [{ currentPassword: PASSWORD, newPassword: PASSWORD }, 'newPassword'],
      [{ currentPassword: PASSWORD, newPassword: 'short' }, 'newPassword'],
      [{ currentPassword: PASSWORD, newPassword: 'password123' }, 'newPassword'],
      [{ currentPassword: PASSWORD, newPassword: 'Thandi@Example.com' }, 'newPassword'],
      [{ currentPassword: PASSWORD, newPassword: 'x'.repeat(129) }, 'newPassword'],
      [{ currentPassword: '', newPassword: NEXT }, 'currentPassword'],
      [{ newPassword: NEXT }, 'currentPassword'],
    ];
    for (const [payload, field] of refusals) {
      const response = await change(payload);
      expect(response.statusCode).toBe(400);
      expect(response.json<ErrorBody>().fields).toHaveProperty(field);
    }
    expect(await login(PASSWORD)).not.toBeNull();
  });

  it('fails if a reset has changed the password first', async () => {
    const { database } = test.deps;
    const hash = await hashPassword('set by the reset');
    beforeNextTransaction(database, async () => {
      await database.db.updateTable('users').set({ password_hash: hash }).execute();
    });
    const response = await change({ currentPassword: PASSWORD, newPassword: NEXT });
    expect(response.statusCode).toBe(403);
    expect(await login('set by the reset')).not.toBeNull();
  });

  it('invalidates reset links', async () => {
    const payload = { email: 'thandi@example.com' };
    const request = { method: 'POST', url: '/api/auth/reset-password/request', payload } as const;
    await test.app.inject(request);
    await test.worker.runDue();
    expect((await readTables(test.deps.database.db)).resets).toHaveLength(1);
    await change({ currentPassword: PASSWORD, newPassword: NEXT });
    expect((await readTables(test.deps.database.db)).resets).toEqual([]);
  });
});

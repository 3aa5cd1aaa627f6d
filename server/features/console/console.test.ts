import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../testing/test-app.ts';
import { createUser } from '../../testing/test-user.ts';
import { runAdminCommand } from './service.ts';

let test: TestApp;
beforeEach(async () => {
  test = await createTestApp({ env: { APP_ORIGIN: 'https://music.example' } });
});
afterEach(() => test.close());

const run = (command: string, password?: string) =>
  runAdminCommand(test.deps, command.split(' ').filter(Boolean), {
    askPassword: password === undefined ? null : async () => password,
  });

const login = async (username: string, password: string) => {
  const client = test.createClient();
  const answer = await client.request({
    method: 'POST',
    url: '/api/auth/login',
    payload: { username, password },
  });
  return answer.statusCode === 200 ? answer.json<{ isAdmin: boolean }>() : answer.statusCode;
};

const setPassword = (text: string, password: string) =>
  test.createClient().request({
    method: 'POST',
    url: '/api/auth/reset-password/confirm',
    payload: { token: /\/reset-password\/([\w-]+)$/.exec(text)?.[1] ?? '', password },
  });

describe('npm run admin', () => {
  it('creates an administrator and asks for a password', async () => {
    expect(await run('create naledi naledi@example.com', 'quiet-harbour-23')).toBe(
      'naledi is an administrator and can log in.',
    );
    expect(await login('naledi', 'quiet-harbour-23')).toMatchObject({ isAdmin: true });
  });

  it('creates an administrator with a link to set the password where no one can type', async () => {
    const said = await run('create naledi naledi@example.com');
    expect(said).toContain('https://music.example/reset-password/');
    expect((await setPassword(said, 'quiet-harbour-23')).statusCode).toBe(204);
    expect(await login('naledi', 'quiet-harbour-23')).toMatchObject({ isAdmin: true });
    expect((await setPassword(said, 'quiet-harbour-24')).statusCode).toBe(400);
  });

  it('promotes and demotes users, but never the last administrator', async () => {
    await createUser(test, 'sipho');
    await createUser(test, 'thandi');
    expect(await run('promote sipho')).toBe('sipho is an administrator.');
    await expect(run('demote sipho')).rejects.toThrow('This is the only administrator.');
    await run('promote thandi@example.com');
    expect(await run('demote sipho')).toBe('sipho is no longer an administrator.');
    const acts = await test.deps.database.db
      .selectFrom('audit_log')
      .select(['action', 'via'])
      .execute();
    expect(acts).toHaveLength(3);
    expect(new Set(acts.map(({ via }) => via))).toEqual(new Set(['console']));
  });

  it('prints a link that sets a new password and logs the user out everywhere', async () => {
    const { client } = await createUser(test, 'sipho');
    const said = await run('reset-password sipho');
    await setPassword(said, 'quiet-harbour-23');
    expect((await client.request({ url: '/api/auth/me' })).statusCode).toBe(401);
    expect(await login('sipho', 'quiet-harbour-23')).toMatchObject({ isAdmin: false });
  });

  it.each([
    ['', 'Usage:'],
    ['create', 'Usage:'],
    ['create naledi', 'Usage:'],
    ['create naledi a@example.com secret-password', 'Usage:'],
    ['promote', 'Usage:'],
    ['promote a b', 'Usage:'],
    ['destroy sipho', 'Usage:'],
    ['promote nobody', 'Account "nobody" not found.'],
    ['reset-password nobody', 'Account "nobody" not found.'],
    ['create x naledi@example.com', 'Invalid username'],
    ['create naledi nowhere', 'Invalid e-mail address'],
  ])('explains how to use "%s"', async (command, sentence) => {
    await expect(run(command)).rejects.toThrow(sentence);
  });

  it('rejects a weak password and a taken username', async () => {
    await expect(run('create naledi naledi@example.com', 'password')).rejects.toThrow(
      'Invalid password',
    );
    await createUser(test, 'naledi');
    await expect(run('create naledi other@example.com', 'quiet-harbour-23')).rejects.toThrow(
      'This username is taken.',
    );
    const users = await test.deps.database.db.selectFrom('users').select('id').execute();
    expect(users).toHaveLength(1);
  });
});

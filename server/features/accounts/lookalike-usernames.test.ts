/** @module-tag both-databases */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { seedDemoAccounts } from '#demo/accounts.ts';
import type { ErrorBody } from '#contract/errors.ts';
import { createTestApp, type TestApp } from '../../testing/test-app.ts';
import { createUser, PASSWORD } from '../../testing/test-user.ts';
import { runAdminCommand } from '../console/service.ts';
import { offerSetup } from '../setup/service.ts';
import { inviteMember } from './invitations.ts';
import { describeOnSqlite, itOnSqlite } from '../../testing/on-sqlite.ts';

const MESSAGE = 'This username looks too much like another one. Choose a different one.';

let test: TestApp;
beforeEach(async () => {
  test = await createTestApp();
});
afterEach(() => test.close());

let registered = 0;
const register = (username: string) => {
  registered += 1;
  return test.app.inject({
    method: 'POST',
    url: '/api/auth/register',
    payload: { username, email: `person${registered}@example.com`, password: PASSWORD },
  });
};

describe('a username that looks like another', () => {
  itOnSqlite.each([
    ['a Cyrillic а', 'аdmin'],
    ['Cyrillic capitals', 'АDМIN'],
    ['a Greek α', 'αdmin'],
    ['a digit', 'adm1n'],
    ['letters that look like one', 'adrnin'],
    ['a letter that nobody sees', 'admin\u3164'],
  ])('is refused at registration: %s', async (_how, username) => {
    await createUser(test, 'admin');
    const refused = await register(username);
    expect([refused.statusCode, refused.json()]).toEqual([
      409,
      { code: 'username_taken', message: MESSAGE, fields: { username: MESSAGE } },
    ]);
  });

  itOnSqlite('is refused with a capital I for a small l, whoever came first', async () => {
    await createUser(test, 'Paypal');
    expect((await register('PaypaI')).statusCode).toBe(409);
    expect((await register('сосо')).statusCode).toBe(200);
    expect((await register('coco')).statusCode).toBe(409);
  });

  it('gets only one of two accounts that are created at the same time', async () => {
    const names = ['lerato', 'lerаto', 'Ierato', 'lerat0'];
    const answers = await Promise.all(names.map(register));
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
    expect(answers.filter(({ statusCode }) => statusCode === 409)).toHaveLength(3);
  });

  itOnSqlite('is refused for a demo account’s name, and leaves the demo its accounts', async () => {
    await seedDemoAccounts(test.deps.database.db, test.clock.now());
    expect((await register('аdmin')).statusCode).toBe(409);
    const seeded = await seedDemoAccounts(test.deps.database.db, test.clock.now());
    expect(seeded).toEqual(['free', 'premium', 'admin']);
  });

  itOnSqlite(
    'is refused on the profile, where one’s own name may be spelled in another way',
    async () => {
      await createUser(test, 'admin');
      const { client, user } = await createUser(test, 'Sibongile');
      const rename = (username: string) =>
        client.request({ method: 'PATCH', url: `/api/users/${user.id}`, payload: { username } });
      const refused = await rename('аdmin');
      expect([refused.statusCode, refused.json<ErrorBody>().fields]).toEqual([
        409,
        { username: MESSAGE },
      ]);
      expect((await rename('sibongiIe')).statusCode).toBe(200);
      expect((await rename('Sibongile-Dube')).statusCode).toBe(200);
      expect((await register('sibongile')).statusCode).toBe(200);
    },
  );

  itOnSqlite('gets digits when members are imported', async () => {
    await createUser(test, 'thabo');
    const { deps } = test;
    const invited = await deps.database.db
      .transaction()
      .execute((tx) =>
        inviteMember(tx, deps, { name: 'thаbo', email: 'thabo@imported.example' }, 1),
      );
    expect(invited?.username).toMatch(/^thаbo-\d+$/);
  });
});

itOnSqlite('lets names that only differ in accents or digits be different people', async () => {
  const names = ['zoe', 'zoë', 'zoé', 'Sêlebi', 'selebi', 'Nomvula2', 'Nomvula3', 'Иван', '陈伟明'];
  for (const name of names) expect([name, (await register(name)).statusCode]).toEqual([name, 200]);
});

describeOnSqlite('on a site without demo accounts', () => {
  beforeEach(async () => {
    await test.close();
    test = await createTestApp({ env: { APP_ORIGIN: 'https://music.example' } });
    await createUser(test, 'admin');
  });

  it('refuses a name that looks like another on the form for the first account', async () => {
    const path = new URL((await offerSetup(test.deps)) ?? '').pathname;
    const form = { username: 'аdmin', email: 'me@example.com', password: 'quiet-harbour-23' };
    const answer = await test.app.inject({
      method: 'POST',
      url: path,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams(form).toString(),
    });
    expect(answer.statusCode).toBe(409);
    expect(answer.body).toContain(MESSAGE);
  });

  it('refuses it on the console', async () => {
    const created = runAdminCommand(test.deps, ['create', 'аdmin', 'me@example.com'], {
      askPassword: null,
    });
    await expect(created).rejects.toThrow(MESSAGE);
  });
});

itOnSqlite('saves the profile of someone whose name already looked like another', async () => {
  const { db } = test.deps.database;
  const { client, user } = await createUser(test, 'lerato');
  const name = { username: 'аdmin', username_key: 'аdmin', username_look: `adrnln ${user.id}` };
  await db.updateTable('users').set(name).execute();
  await createUser(test, 'admin');
  const payload = { username: 'аdmin', email: 'NEW@example.com', password: PASSWORD };
  const url = `/api/users/${user.id}`;
  expect((await client.request({ method: 'PATCH', url, payload })).statusCode).toBe(200);
});

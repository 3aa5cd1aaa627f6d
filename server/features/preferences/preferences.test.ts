import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { defaultPreferences } from '#contract/preferences.ts';
import { createTestApp, type TestApp } from '../../testing/test-app.ts';
import { createUser, type TestUser } from '../../testing/test-user.ts';
import { allowsMail, buildUnsubscribeUrl, type MailKind } from './service.ts';

let test: TestApp;
let testUser: TestUser;
beforeEach(async () => {
  test = await createTestApp();
  testUser = await createUser(test);
});
afterEach(() => test.close());

const read = async ({ client } = testUser) =>
  (await client.request({ url: '/api/me/preferences' })).json<object>();
const change = (payload: object) =>
  testUser.client.request({ method: 'PATCH', url: '/api/me/preferences', payload });

describe('preferences', () => {
  it('default to release e-mails, no news and analytics on', async () => {
    expect(await read()).toEqual({ releaseMails: true, newsMails: false, analytics: true });
  });

  it('change one at a time, only for the own account', async () => {
    const other = await createUser(test, 'sipho');
    const response = await change({ analytics: false });
    expect(response.json()).toEqual({ ...defaultPreferences, analytics: false });
    await change({ newsMails: true });
    expect(await read()).toEqual({ releaseMails: true, newsMails: true, analytics: false });
    expect(await read(other)).toEqual(defaultPreferences);
  });

  it('keep two simultaneous changes', async () => {
    await Promise.all([change({ analytics: false }), change({ releaseMails: false })]);
    expect(await read()).toEqual({ releaseMails: false, newsMails: false, analytics: false });
  });

  it('reject unknown fields and values', async () => {
    const refused = [
      {},
      { analytics: 'no' },
      { analytics: null },
      { paymentMails: false },
      { userId: 'x', analytics: false },
      [],
    ];
    for (const payload of refused) expect((await change(payload)).statusCode).toBe(400);
    expect(await read()).toEqual(defaultPreferences);
  });

  it('require a login', async () => {
    for (const method of ['GET', 'PATCH'] as const) {
      const response = await test.app.inject({ method, url: '/api/me/preferences' });
      expect(response.statusCode).toBe(401);
    }
  });

  it('decide who gets e-mails', async () => {
    const { db } = test.deps.database;
    const isAllowed = (kind: MailKind) => allowsMail(db, testUser.user.id, kind);
    expect([await isAllowed('releases'), await isAllowed('news')]).toEqual([true, false]);
    await change({ releaseMails: false, newsMails: true });
    expect([await isAllowed('releases'), await isAllowed('news')]).toEqual([false, true]);
  });
});

describe('the unsubscribe link', () => {
  const linkFor = async (kind: MailKind = 'releases') => {
    const url = await buildUnsubscribeUrl(test.deps, { userId: testUser.user.id, kind });
    return new URL(url).pathname;
  };

  it('asks for confirmation without a login and changes nothing when opened', async () => {
    const response = await test.app.inject({ url: await linkFor() });
    expect(response.statusCode).toBe(200);
    expect(response.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(response.body).toContain('<button>Unsubscribe</button>');
    expect(response.body).toContain('e-mails about new releases');
    expect(response.body).not.toContain(testUser.user.email);
    expect(await read()).toEqual(defaultPreferences);
  });

  it('unsubscribes with one click in a mail program, repeatedly', async () => {
    await change({ newsMails: true });
    const url = await linkFor();
    for (let n = 0; n < 2; n += 1) {
      const response = await test.app.inject({
        method: 'POST',
        url,
        payload: 'List-Unsubscribe=One-Click',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });
      expect(response.statusCode).toBe(200);
      expect(response.body).toContain('You’re unsubscribed');
    }
    expect(await read()).toEqual({ releaseMails: false, newsMails: true, analytics: true });
    expect((await test.app.inject({ url })).body).toContain('You’re unsubscribed');
  });

  it('accepts a body of any type', async () => {
    const url = await linkFor('news');
    for (const type of ['application/json', 'multipart/form-data; boundary=x', 'text/plain']) {
      await change({ newsMails: true });
      const headers = { 'content-type': type };
      const response = await test.app.inject({ method: 'POST', url, payload: '{', headers });
      expect(response.statusCode).toBe(200);
      expect(await read()).toMatchObject({ newsMails: false });
    }
  });

  it('is valid for one user and one kind of e-mail', async () => {
    const other = await createUser(test, 'sipho');
    const url = await linkFor();
    const forged = [
      url.replace(testUser.user.id, other.user.id),
      url.replace('releases', 'news'),
      url.replace('releases', 'payments'),
      url.slice(0, -1),
      `${url}x`,
      `${url}.x`,
      '/api/unsubscribe/x',
      '/api/unsubscribe/..%2f..%00',
      `/api/unsubscribe/releases.${testUser.user.id}.${'é'.repeat(43)}`,
    ];
    for (const address of forged)
      for (const method of ['GET', 'POST'] as const) {
        const response = await test.app.inject({ method, url: address });
        expect([address, response.statusCode]).toEqual([address, 404]);
      }
    expect(await read()).toEqual(defaultPreferences);
    expect(await read(other)).toEqual(defaultPreferences);
  });

  it('stops working when the account is deleted', async () => {
    const url = await linkFor();
    await test.deps.database.db.deleteFrom('users').execute();
    expect((await test.app.inject({ method: 'POST', url })).statusCode).toBe(404);
  });
});

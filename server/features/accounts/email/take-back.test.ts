import { afterEach, beforeEach, expect, it } from 'vitest';
import { startListenBrainz, type FakeScrobbler } from '../../../testing/fake-scrobblers.ts';
import { readTables } from '../../../testing/read-tables.ts';
import { createTestApp, type TestApp } from '../../../testing/test-app.ts';
import { createAdmin } from '../../../testing/test-admin.ts';
import { changeEmail, openLink, readToken } from '../../../testing/test-email.ts';
import { createSubscriber, type TestUser } from '../../../testing/test-user.ts';

const TOKEN = '8a0f2f0e-6f3a-4c35-9d1c-2f4a5b6c7d8e';

let test: TestApp;
let fake: FakeScrobbler;
let sipho: TestUser;

beforeEach(async () => {
  fake = await startListenBrainz();
  fake.tokens.add(TOKEN);
  test = await createTestApp({ config: { allowsPrivateServers: true } });
  sipho = await createSubscriber(test);
});
afterEach(async () => {
  await test.close();
  await fake.close();
});

/** Each ends an account's sessions because someone else may have been in it. */
const takeBack: Record<string, () => Promise<{ statusCode: number }>> = {
  'a new password by mail': async () => {
    const { email } = sipho.user;
    const base = '/api/auth/reset-password';
    const { app, worker, deps } = test;
    await app.inject({ method: 'POST', url: `${base}/request`, payload: { email } });
    await worker.runDue();
    const { outbox } = await readTables(deps.database.db);
    const token = /\/reset-password\/([\w-]+)/.exec(outbox.at(-1)?.body_text ?? '')?.[1] ?? '';
    const payload = { token, password: 'a better horse battery' };
    return app.inject({ method: 'POST', url: `${base}/confirm`, payload });
  },
  'undoing a change of address': async () => {
    const { email } = sipho.user;
    await changeEmail(test, sipho, 'thief@example.com');
    return openLink(test, 'undo', await readToken(test, email));
  },
  'an administrator who logs the member out': async () => {
    const { client } = await createAdmin(test);
    const url = `/api/admin/subscribers/${sipho.user.id}/sessions`;
    return client.request({ method: 'DELETE', url });
  },
};

it.each(Object.keys(takeBack))(
  'what plays or reports elsewhere ends with %s, in case someone else has set it up',
  async (name) => {
    const payload = { token: TOKEN, server: fake.origin };
    const url = '/api/me/scrobbling/listenbrainz';
    const connected = await sipho.client.request({ method: 'PUT', url, payload });
    expect(connected.statusCode).toBe(200);
    await sipho.client.request({ method: 'POST', url: '/api/me/podcast-feed' });
    const answer = await takeBack[name]?.();
    expect(answer?.statusCode).toBeLessThan(300);
    const { db } = test.deps.database;
    for (const table of ['scrobble_accounts', 'podcast_feeds'] as const)
      expect(await db.selectFrom(table).selectAll().execute()).toEqual([]);
    const { users } = await readTables(db);
    expect(users.find(({ id }) => id === sipho.user.id)?.is_scrobbling).toBe(0);
  },
);

/** @module-tag both-databases */
import { hash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AppPassword } from '#contract/clients/app-passwords.ts';
import { buildApp } from '../../app.ts';
import { HOUR, MINUTE } from '#contract/rules/time.ts';
import { settleBackgroundWrites } from '../../background/background-writes.ts';
import { createAdmin } from '../../testing/test-admin.ts';
import { createTestApp, type TestApp } from '../../testing/test-app.ts';
import type { TestDatabase } from '../../testing/test-database.ts';
import { createAppPassword, createMusicApp, seed, toSearch } from '../../testing/test-subsonic.ts';
import { createSubscriber, createUser, PASSWORD, type TestUser } from '../../testing/test-user.ts';
import { MANY_NETWORKS, MAX_NETWORKS_A_DAY } from '../networks/service.ts';
import { describeOnSqlite, itOnSqlite } from '../../testing/on-sqlite.ts';

let test: TestApp;
let member: TestUser;
beforeEach(async () => {
  test = await createTestApp();
  member = await createSubscriber(test);
});
afterEach(() => test.close());

const list = async ({ client } = member): Promise<AppPassword[]> => {
  const response = await client.request({ url: '/api/me/app-passwords' });
  return response.json<{ items: AppPassword[] }>().items;
};

/** The code of the protocol's error, or `ok`. */
async function ping(
  query: Record<string, string>,
  { remoteAddress = '203.0.113.9', app = test.app } = {},
): Promise<number | 'ok'> {
  const url = `/rest/ping.view?${toSearch({ v: '1.16.1', c: 'test', f: 'json', ...query })}`;
  const response = await app.inject({ url, remoteAddress });
  await settleBackgroundWrites();
  const answer = response.json<{
    'subsonic-response': { status: string; error?: { code: number } };
  }>();
  const { status, error } = answer['subsonic-response'];
  return status === 'ok' ? 'ok' : (error?.code ?? -1);
}

const tokenOf = (password: string, s = 'c19b2d') => ({ t: hash('md5', password + s, 'hex'), s });

describe('the password of a music app', () => {
  itOnSqlite(
    'is created after the account’s password was entered, shown once, listed and deleted',
    async () => {
      const url = '/api/me/app-passwords';
      const early = await member.client.request({
        method: 'POST',
        url,
        payload: { name: 'Phone' },
      });
      expect([early.statusCode, early.json<{ code: string }>().code]).toEqual([
        403,
        'confirmation_required',
      ]);
      const { id, password } = await createAppPassword(test, member, 'Phone');
      expect(password).toMatch(/^(?:[0-9a-hjkmnp-tv-z]{5}-){3}[0-9a-hjkmnp-tv-z]{5}$/);
      const listed = await member.client.request({ url });
      expect(listed.body).not.toContain(password);
      const unused = { lastUsedAt: null, lastClient: null, networks: 0, isShared: false };
      expect(await list()).toEqual([{ id, name: 'Phone', createdAt: test.clock.now(), ...unused }]);
      expect(await ping({ apiKey: password })).toBe('ok');
      const removed = await member.client.request({ method: 'DELETE', url: `${url}/${id}` });
      expect(removed.statusCode).toBe(204);
      expect(await ping({ apiKey: password })).toBe(44);
    },
  );

  itOnSqlite('is stored encrypted and hashed, never as it is, and never logged', async () => {
    const { password } = await createAppPassword(test, member);
    await ping({ u: 'sipho', p: password });
    await ping({ u: 'sipho', ...tokenOf(password) });
    const row = await test.deps.database.db
      .selectFrom('app_passwords')
      .selectAll()
      .executeTakeFirstOrThrow();
    expect(JSON.stringify(row)).not.toContain(password);
    expect(test.logText()).not.toContain(password);
  });

  it('works on another server of the site', async () => {
    const { password } = await createAppPassword(test, member);
    const database = (test.deps.database as TestDatabase).connectAgain();
    const app = await buildApp({ ...test.deps, database });
    try {
      expect(await ping({ u: 'sipho', ...tokenOf(password) }, { app })).toBe('ok');
    } finally {
      await app.close();
    }
  });

  itOnSqlite('says when it was last used, and by which app', async () => {
    const app = await createMusicApp(test, member, 'Phone');
    await app.request('ping', { c: 'Symfonium\u0007' });
    const usedAt = test.clock.now();
    test.clock.advance(10 * MINUTE);
    await app.request('ping', { c: 'Symfonium\u0007' });
    expect(await list()).toMatchObject([{ lastUsedAt: usedAt, lastClient: 'Symfonium' }]);
    test.clock.advance(HOUR);
    await app.request('ping', { c: 'DSub' });
    expect(await list()).toMatchObject([{ lastUsedAt: test.clock.now(), lastClient: 'DSub' }]);
  });

  itOnSqlite('exists ten times at most', async () => {
    for (let n = 0; n < 10; n += 1) await createAppPassword(test, member, `App ${n}`);
    const url = '/api/me/app-passwords';
    const more = await member.client.request({ method: 'POST', url, payload: { name: 'More' } });
    expect([more.statusCode, more.json<{ code: string }>().code]).toEqual([
      409,
      'app_password_limit',
    ]);
  });

  it('belongs to one user: nobody else sees or deletes it', async () => {
    const { id, password } = await createAppPassword(test, member);
    const other = await createUser(test);
    expect(await list(other)).toEqual([]);
    const url = `/api/me/app-passwords/${id}`;
    expect((await other.client.request({ method: 'DELETE', url })).statusCode).toBe(404);
    expect(await ping({ u: 'thandi', p: password })).toBe(40);
  });
});

describeOnSqlite('a music app says who it is', () => {
  it('by password, in clear or hexadecimal, by token and salt, or by API key alone', async () => {
    const { password } = await createAppPassword(test, member);
    await createAppPassword(test, member, 'Another');
    const hex = Buffer.from(password).toString('hex');
    for (const way of [{ p: password }, { p: `enc:${hex}` }, tokenOf(password)]) {
      expect(await ping({ u: 'sipho', ...way })).toBe('ok');
      expect(await ping({ u: 'SIPHO', ...way })).toBe('ok');
      expect(await ping({ u: 'sipho@example.com', ...way })).toBe('ok');
    }
    expect(await ping({ apiKey: password })).toBe('ok');
  });

  it('never by the account’s own password, nor with a wrong one', async () => {
    const { password } = await createAppPassword(test, member);
    const wrong = [
      { p: PASSWORD },
      tokenOf(PASSWORD),
      { p: '' },
      { p: 'enc:zz' },
      { p: 'enc:' },
      { p: `${password}x` },
      { t: tokenOf(password).t, s: 'another' },
      { t: 'x'.repeat(32), s: 'c19b2d' },
      { t: password, s: '' },
    ];
    for (const way of wrong) expect(await ping({ u: 'sipho', ...way })).toBe(40);
    expect(await ping({ u: 'nobody', p: password })).toBe(40);
    expect(await ping({ apiKey: PASSWORD })).toBe(44);
    expect(await ping({ apiKey: '' })).toBe(44);
  });

  it('in one way at a time', async () => {
    const { password } = await createAppPassword(test, member);
    expect(await ping({ u: 'sipho', apiKey: password })).toBe(43);
    expect(await ping({ apiKey: password, ...tokenOf(password) })).toBe(43);
    expect(await ping({ u: 'sipho', p: password, ...tokenOf(password) })).toBe(43);
    const url = `/rest/ping?f=json&u=thandi&u=sipho&p=${password}`;
    expect((await test.app.inject({ url })).json()).toMatchObject({
      'subsonic-response': { error: { code: 43 } },
    });
    for (const missing of [
      {},
      { u: 'sipho' },
      { u: 'sipho', t: 'x' },
      { u: 'sipho', s: 'x' },
      { p: password },
    ])
      expect(await ping(missing as Record<string, string>)).toBe(10);
  });

  it('not by the cookie of a browser', async () => {
    const response = await member.client.request({ url: '/rest/ping?f=json' });
    expect(response.json()).toMatchObject({ 'subsonic-response': { error: { code: 10 } } });
  });
});

describe('wrong passwords', () => {
  it('are limited for each address, and never lock out the owner', async () => {
    const { password } = await createAppPassword(test, member);
    const home = { remoteAddress: '198.51.100.7' };
    expect(await ping({ u: 'sipho', p: password }, home)).toBe('ok');
    const guesses = Array.from({ length: 61 }, (_, n) => n);
    const answers: (number | 'ok')[] = [];
    for (const n of guesses) answers.push(await ping({ u: 'sipho', p: `guess ${n}` }));
    expect(answers.slice(0, 60)).toEqual(Array(60).fill(40));
    expect(answers[60]).toBe(0);
    // Not even a right one, from that address.
    expect(await ping({ u: 'sipho', p: password })).toBe(0);
    expect(await ping({ u: 'sipho', p: password }, home)).toBe('ok');
    expect(await ping({ u: 'sipho', p: password }, { remoteAddress: '192.0.2.1' })).toBe('ok');
    test.clock.advance(15 * MINUTE);
    expect(await ping({ u: 'sipho', p: password })).toBe('ok');
  });

  itOnSqlite(
    'of an app that wasn’t told of a new one don’t keep out the other apps at home',
    async () => {
      const { password } = await createAppPassword(test, member);
      expect(await ping({ u: 'sipho', p: password })).toBe('ok');
      test.clock.advance(HOUR);
      expect(await ping({ u: 'sipho', p: password })).toBe('ok');
      for (let n = 0; n < 70; n += 1) await ping({ u: 'sipho', p: 'an old one' });
      expect(await ping({ u: 'sipho', p: password })).toBe('ok');
    },
  );
});

describeOnSqlite('app passwords end', () => {
  const expectEnded = async (end: () => Promise<unknown>) => {
    const { password } = await createAppPassword(test, member);
    expect(await ping({ apiKey: password })).toBe('ok');
    await end();
    expect(await ping({ apiKey: password })).toBe(44);
    expect(await ping({ u: 'sipho', ...tokenOf(password) })).toBe(40);
  };

  it('when the user logs out all other devices, or changes the password', async () => {
    const { client } = member;
    await expectEnded(() => client.request({ method: 'DELETE', url: '/api/me/sessions' }));
    const payload = { currentPassword: PASSWORD, newPassword: 'another horse battery' };
    const { password } = await createAppPassword(test, member);
    await client.request({ method: 'POST', url: '/api/me/password', payload });
    expect(await ping({ apiKey: password })).toBe(44);
  });

  it('when an administrator disables the account', async () => {
    const admin = await createAdmin(test);
    const url = `/api/admin/subscribers/${member.user.id}/disabled`;
    const payload = { isDisabled: true, reason: 'A test says so.' };
    await expectEnded(() => admin.client.request({ method: 'PUT', url, payload }));
    const disabled = await admin.client.request({
      url: `/api/admin/subscribers/${member.user.id}`,
    });
    expect(disabled.json()).toMatchObject({ disabled: { reason: 'A test says so.' } });
  });

  it('with the account', async () => {
    await createAppPassword(test, member);
    const payload = { password: PASSWORD, confirmation: 'delete' };
    await member.client.request({ method: 'DELETE', url: '/api/me', payload });
    const rows = await test.deps.database.db.selectFrom('app_passwords').selectAll().execute();
    expect(rows).toEqual([]);
  });
});

describe('a password that many use', () => {
  /** Resumed downloads too: each continues one that another network began. */
  const load = async (password: string, trackId: string, network: number, call = 'download') => {
    const search = toSearch({ apiKey: password, v: '1.16.1', c: 'test', f: 'json', id: trackId });
    const headers = call === 'resume' ? { range: 'bytes=100-' } : {};
    const name = call === 'resume' ? 'download' : call;
    const remoteAddress = `198.51.${network}.7`;
    return test.app.inject({ url: `/rest/${name}?${search}`, remoteAddress, headers });
  };
  const isAudio = ({ headers }: { headers: Record<string, unknown> }) =>
    String(headers['content-type']).startsWith('audio/');

  itOnSqlite.each(['download', 'resume', 'stream'])(
    'is noticed, and gives no audio to further networks: %s',
    async (call) => {
      const { id: trackId } = await seed(test);
      const { id, password } = await createAppPassword(test, member);
      await load(password, trackId, 0);
      for (let n = 0; n < MAX_NETWORKS_A_DAY; n += 1) {
        expect(isAudio(await load(password, trackId, n, call))).toBe(true);
        // So that no stream stops another.
        test.clock.advance(3 * MINUTE);
      }
      const refused = await load(password, trackId, MAX_NETWORKS_A_DAY, call);
      expect(refused.json()).toMatchObject({
        'subsonic-response': {
          status: 'failed',
          error: { code: 50, message: expect.stringContaining('Remove it under “Music apps”') },
        },
      });
      expect(isAudio(await load(password, trackId, 3, call))).toBe(true);
      expect(await list()).toMatchObject([{ id, networks: MAX_NETWORKS_A_DAY, isShared: true }]);
      const rows = await test.deps.database.db
        .selectFrom('credential_networks')
        .selectAll()
        .execute();
      expect(JSON.stringify(rows)).not.toContain('198.51');

      // Another password starts anew.
      await member.client.request({ method: 'DELETE', url: `/api/me/app-passwords/${id}` });
      const next = await createAppPassword(test, member);
      expect(isAudio(await load(next.password, trackId, 90, call))).toBe(true);
      expect(await list()).toMatchObject([{ id: next.id, networks: 1, isShared: false }]);
    },
  );

  it('is shown to the operator: on the member’s page, in a list and as something to look at', async () => {
    const { id: trackId } = await seed(test);
    const { password } = await createAppPassword(test, member, 'Symfonium');
    const { client } = await createAdmin(test);
    const read = async (url: string) => (await client.request({ url })).json<never>();
    const readAttention = async () =>
      (await read('/api/admin/week')) as { attention: { kind: string }[] };
    const listShared = async () =>
      (await read('/api/admin/subscribers?filter=shared')) as { items: { id: string }[] };
    for (let n = 0; n < MANY_NETWORKS; n += 1) await load(password, trackId, n);
    expect((await readAttention()).attention).toEqual([]);
    expect((await listShared()).items).toEqual([]);
    await load(password, trackId, MANY_NETWORKS);
    expect((await readAttention()).attention).toEqual([
      {
        kind: 'shared-access',
        count: 1,
        text: '1 member’s podcast address or music app is used from many networks.',
        href: '/admin/subscribers?filter=shared',
      },
    ]);
    expect((await listShared()).items).toMatchObject([{ id: member.user.id }]);
    const page = await read(`/api/admin/subscribers/${member.user.id}`);
    expect(page).toMatchObject({
      musicApps: [{ name: 'Symfonium', networks: MANY_NETWORKS + 1, isShared: true }],
    });
    expect(JSON.stringify(page)).not.toContain(password);
  });
});

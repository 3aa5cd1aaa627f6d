/** @module-tag both-databases */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Download } from '#contract/downloads.ts';
import { GRACE_MS, EARLY_ACCESS_MS } from '#contract/rules/access.ts';
import { MINUTE } from '#contract/rules/time.ts';
import { changeSettings } from '../../db/settings.ts';
import type { TracksTable } from '../../db/types/tables.ts';
import { startS3Server } from '../../testing/s3-server.ts';
import { fileBytes, seedTrack } from '../../testing/seed-track.ts';
import { createAdmin } from '../../testing/test-admin.ts';
import {
  createTestApp,
  type TestApp,
  type TestAppOptions,
  type TestClient,
} from '../../testing/test-app.ts';
import {
  createUser,
  createSubscriber,
  PASSWORD,
  payUntil,
  type TestUser,
} from '../../testing/test-user.ts';
import { disableAccount } from '../accounts/service.ts';
import { LINK_LIFETIME_MS } from './service.ts';
import { describeOnSqlite, itOnSqlite } from '../../testing/on-sqlite.ts';

let test: TestApp;
let track: TracksTable;
let sipho: TestUser;

const seed = (change: Partial<TracksTable> = {}) => {
  const { database, storage, clock } = test.deps;
  return seedTrack({ db: database.db, storage, now: clock.now() }, change);
};

async function start(options: TestAppOptions = {}) {
  test = await createTestApp(options);
  track = await seed();
  sipho = await createSubscriber(test);
}
beforeEach(() => start());
afterEach(() => test.close());

async function restart(options: TestAppOptions) {
  await test.close();
  await start(options);
}

const ask = (client: TestClient, format: unknown = 'mp3', id = track.id) =>
  client.request({ method: 'POST', url: `/api/tracks/${id}/download`, payload: { format } });

async function getUrl(client: TestClient, format: 'mp3' | 'flac' = 'mp3', id = track.id) {
  const response = await ask(client, format, id);
  expect(response.statusCode).toBe(200);
  return response.json<{ url: string }>().url;
}

/** A request without a session, like a download manager's. */
const fetchUrl = (url: string, headers: Record<string, string> = {}) =>
  test.app.inject({ url, headers });

async function list(client: TestClient, query = '') {
  const response = await client.request({ method: 'GET', url: `/api/downloads${query}` });
  expect(response.statusCode).toBe(200);
  return response.json<{ items: Download[]; nextCursor: string | null }>();
}

describe('a download', () => {
  it.each(['mp3', 'flac'] as const)(
    'is the whole file as an attachment, without a cookie: %s',
    async (format) => {
      const response = await fetchUrl(await getUrl(sipho.client, format));
      expect(response.statusCode).toBe(200);
      expect(response.rawPayload).toEqual(fileBytes(format));
      expect(response.headers).toMatchObject({
        'content-type': format === 'mp3' ? 'audio/mpeg' : 'audio/flac',
        'content-disposition': `attachment; filename="Weekender - Week 46 2026 - Golden Hour Pressure.${format}"; filename*=UTF-8''Weekender%20-%20Week%2046%202026%20-%20Golden%20Hour%20Pressure.${format}`,
        'accept-ranges': 'bytes',
        'cache-control': 'private, no-cache',
      });
      expect(response.headers).not.toHaveProperty('set-cookie');
    },
  );

  it('resumes hours later where it was interrupted', async () => {
    const url = await getUrl(sipho.client);
    const { headers, rawPayload } = await fetchUrl(url, { range: 'bytes=0-999' });
    test.clock.advance(LINK_LIFETIME_MS - 1);
    const rest = await fetchUrl(url, { range: 'bytes=1000-', 'if-range': String(headers.etag) });
    expect(rest.statusCode).toBe(206);
    expect(Buffer.concat([rawPayload, rest.rawPayload])).toEqual(fileBytes('mp3'));
    const other = await fetchUrl(url, { range: 'bytes=1000-', 'if-range': '"another"' });
    expect(other.statusCode).toBe(200);
    expect(other.rawPayload).toEqual(fileBytes('mp3'));
  });

  it('is only for viewers with full access', async () => {
    const { client } = await createUser(test);
    const free = await ask(client);
    expect([free.statusCode, free.json()]).toMatchObject([403, { code: 'subscribers_only' }]);
    expect((await ask(test.createClient())).statusCode).toBe(401);
    expect((await list(client)).items).toEqual([]);
  });

  itOnSqlite('needs an existing track and an available format', async () => {
    const draft = await seed({ publish_at: null });
    const far = await seed({ publish_at: test.clock.now() + 2 * EARLY_ACCESS_MS });
    for (const id of [draft.id, far.id, 'unknown'])
      expect((await ask(sipho.client, 'mp3', id)).statusCode).toBe(404);
    await test.deps.database.db.deleteFrom('renditions').where('name', '=', 'flac').execute();
    const none = await ask(sipho.client, 'flac');
    expect([none.statusCode, none.json()]).toMatchObject([
      404,
      { message: 'This mix isn’t available as FLAC.' },
    ]);
    for (const format of ['stream', 'wav', '', null, 7])
      expect((await ask(sipho.client, format)).statusCode).toBe(400);
    expect((await list(sipho.client)).items).toEqual([]);
  });

  it('of an early release is for subscribers, like playback', async () => {
    const early = await seed({ publish_at: test.clock.now() + 1000, is_subscriber_only: 1 });
    expect((await fetchUrl(await getUrl(sipho.client, 'mp3', early.id))).statusCode).toBe(200);
  });
});

describeOnSqlite('a download URL', () => {
  it('stops working when the subscription ends', async () => {
    const url = await getUrl(sipho.client);
    await payUntil(test, sipho.user, test.clock.now() - GRACE_MS);
    const refused = await fetchUrl(url, { range: 'bytes=0-9' });
    expect([refused.statusCode, refused.json()]).toMatchObject([403, { code: 'subscribers_only' }]);
    await payUntil(test, sipho.user, test.clock.now() + 1);
    expect((await fetchUrl(url)).statusCode).toBe(200);
  });

  it('expires after six hours', async () => {
    const url = await getUrl(sipho.client);
    test.clock.advance(LINK_LIFETIME_MS);
    const refused = await fetchUrl(url);
    expect([refused.statusCode, refused.json()]).toMatchObject([403, { code: 'forbidden' }]);
  });

  it('stops working when the account or the track is deleted', async () => {
    const url = await getUrl(sipho.client);
    const { db } = test.deps.database;
    await db.updateTable('tracks').set({ publish_at: null }).execute();
    expect((await fetchUrl(url)).statusCode).toBe(404);
    await db.updateTable('tracks').set({ publish_at: 1 }).execute();
    expect((await fetchUrl(url)).statusCode).toBe(200);
    await db.deleteFrom('users').where('id', '=', sipho.user.id).execute();
    expect((await fetchUrl(url)).statusCode).toBe(404);
  });

  it.each<[string, () => Promise<unknown>, number]>([
    [
      'the password is changed',
      () =>
        sipho.client.request({
          method: 'POST',
          url: '/api/me/password',
          payload: { currentPassword: PASSWORD, newPassword: 'another horse battery' },
        }),
      403,
    ],
    [
      'the user logs out all other devices',
      () => sipho.client.request({ method: 'DELETE', url: '/api/me/sessions' }),
      403,
    ],
    [
      'an administrator disables the account',
      async () => {
        await createAdmin(test);
        await test.deps.database.db
          .transaction()
          .execute((tx) => disableAccount(tx, test.deps, { id: sipho.user.id, reason: 'Spam' }));
      },
      404,
    ],
  ])(
    'stops working at once when %s, also in the middle of the file',
    async (_what, act, status) => {
      const url = await getUrl(sipho.client);
      expect((await fetchUrl(url, { range: 'bytes=0-9' })).statusCode).toBe(206);
      await act();
      expect((await fetchUrl(url, { range: 'bytes=10-19' })).statusCode).toBe(status);
    },
  );

  it('works again for a new link after the password was changed', async () => {
    const payload = { currentPassword: PASSWORD, newPassword: 'another horse battery' };
    await sipho.client.request({ method: 'POST', url: '/api/me/password', payload });
    expect((await fetchUrl(await getUrl(sipho.client))).statusCode).toBe(200);
  });

  it('works from three networks, whatever forwarded addresses a client makes up', async () => {
    await restart({ env: { APP_ORIGIN: 'http://localhost', TRUST_PROXY: '1' } });
    const url = await getUrl(sipho.client);
    const fetchFrom = (address: string) => fetchUrl(url, { 'x-forwarded-for': address });
    const places = ['198.51.100.7', '203.0.113.9', '2001:db8:1:2::1'];
    for (const address of places) expect((await fetchFrom(address)).statusCode).toBe(200);
    for (const address of ['198.51.100.99', '2001:db8:1:2:ffff::2', '8.8.8.8, 203.0.113.9'])
      expect((await fetchFrom(address)).statusCode).toBe(200);
    const refused = await fetchFrom('192.0.2.1');
    expect([refused.statusCode, refused.json()]).toEqual([
      403,
      {
        code: 'forbidden',
        message:
          'This download link was used from too many places. Log in and start the download again.',
      },
    ]);
    expect((await fetchFrom('198.51.100.7, 192.0.2.1')).statusCode).toBe(403);
    test.clock.advance(1);
    const fresh = await getUrl(sipho.client);
    expect((await fetchUrl(fresh, { 'x-forwarded-for': '192.0.2.1' })).statusCode).toBe(200);
    const rows = await test.deps.database.db.selectFrom('download_networks').selectAll().execute();
    expect(JSON.stringify(rows)).not.toMatch(/198\.51|203\.0|2001/);
  });

  it('is invalid after any change', async () => {
    const naledi = await createSubscriber(test, 'naledi');
    const other = await seed({ title: 'Another' });
    const url = new URL(await getUrl(sipho.client), 'http://site');
    const change = (edit: (copy: URL) => void) => {
      const copy = new URL(url);
      edit(copy);
      return `${copy.pathname}${copy.search}`;
    };
    const later = Number(url.searchParams.get('expires')) + 1;
    const changed = [
      change((copy) => (copy.pathname = copy.pathname.replace('mp3', 'flac'))),
      change((copy) => (copy.pathname = copy.pathname.replace('mp3', 'stream'))),
      change((copy) => (copy.pathname = copy.pathname.replace(track.id, other.id))),
      change((copy) => copy.searchParams.set('user', naledi.user.id)),
      change((copy) => copy.searchParams.append('user', sipho.user.id)),
      change((copy) => copy.searchParams.set('generation', '1')),
      change((copy) => copy.searchParams.delete('generation')),
      change((copy) => copy.searchParams.set('expires', String(later))),
      change((copy) => copy.searchParams.set('expires', `${later}0`)),
      change((copy) => copy.searchParams.set('signature', 'A'.repeat(43))),
      change((copy) => copy.searchParams.set('signature', '')),
      change((copy) => copy.searchParams.delete('signature')),
      change((copy) => (copy.search = '')),
      change((copy) => copy.searchParams.append('format', 'flac')).replace('mp3', 'flac'),
    ];
    for (const path of changed) {
      const response = await fetchUrl(path);
      expect([path, response.statusCode]).toEqual([path, 403]);
    }
    // The unchanged URL works, so the test would notice if none did.
    expect((await fetchUrl(`${url.pathname}${url.search}`)).statusCode).toBe(200);
  });

  it('is signed with a key that all servers share', async () => {
    const url = await getUrl(sipho.client);
    const secrets = test.deps.database.db
      .selectFrom('secrets')
      .selectAll()
      .where('name', '=', 'download-links');
    const rows = await secrets.execute();
    expect(rows).toHaveLength(1);
    await Promise.all([1, 2, 3].map(() => getUrl(sipho.client)));
    expect(await secrets.execute()).toEqual(rows);
    await test.deps.database.db.deleteFrom('secrets').execute();
    expect((await fetchUrl(url)).statusCode).toBe(403);
  });

  it('is not written to the log', async () => {
    const url = new URL(await getUrl(sipho.client), 'http://site');
    await fetchUrl(`${url.pathname}${url.search}`);
    expect(test.logText()).toContain('/media/downloads/');
    expect(test.logText()).not.toContain(url.searchParams.get('signature'));
  });

  it('lets nginx send the file under its name', async () => {
    await restart({ env: { ACCEL_PREFIX: '/protected' } });
    const { headers } = await fetchUrl(await getUrl(sipho.client));
    expect(headers['x-accel-redirect']).toBe(`/protected/tracks/${track.id}-mp3.bin`);
    expect(headers['content-disposition']).toContain('attachment');
  });

  it('redirects to the store, which serves the file under its name', async () => {
    const server = await startS3Server();
    try {
      await restart({ config: { s3: server.settings } });
      const answer = await fetchUrl(await getUrl(sipho.client));
      expect(answer.statusCode).toBe(302);
      const stored = await fetch(String(answer.headers.location));
      expect(Buffer.from(await stored.arrayBuffer())).toEqual(fileBytes('mp3'));
      expect(stored.headers.get('content-disposition')).toContain(
        'filename="Weekender - Week 46 2026 - Golden Hour Pressure.mp3"',
      );
    } finally {
      await server.close();
    }
  });
});

it('an address of the store ends with the downloads, and in an hour at the latest', async () => {
  const server = await startS3Server();
  try {
    await restart({ config: { s3: server.settings } });
    const now = test.clock.now();
    const url = await getUrl(sipho.client);
    const readLifetime = async (format: 'mp3' | 'flac') => {
      const { headers } = await fetchUrl(
        format === 'mp3' ? url : await getUrl(sipho.client, format),
      );
      return new URL(String(headers.location)).searchParams.get('X-Amz-Expires');
    };
    expect(await readLifetime('mp3')).toBe('3600');
    const end = (change: object) => changeSettings(test.deps.database.db, change, now);
    await end({ losslessEnd: now + 10 * MINUTE });
    expect([await readLifetime('flac'), await readLifetime('mp3')]).toEqual(['600', '3600']);
    await end({ downloadsEnd: now + MINUTE });
    expect([await readLifetime('flac'), await readLifetime('mp3')]).toEqual(['60', '60']);
    await end({ downloadsEnd: now + 1 });
    expect(await readLifetime('mp3')).toBe('1');
    test.clock.advance(1);
    expect((await fetchUrl(url)).json()).toMatchObject({ code: 'files_off' });
  } finally {
    await server.close();
  }
});

describe('the list of downloads', () => {
  it('has each format of a track once, with size and last download, newest first', async () => {
    const started = test.clock.now();
    await getUrl(sipho.client, 'mp3');
    test.clock.advance(1000);
    await getUrl(sipho.client, 'flac');
    test.clock.advance(1000);
    await getUrl(sipho.client, 'mp3');
    const { items } = await list(sipho.client);
    expect(items).toMatchObject([
      { format: 'mp3', size: 4096, downloadedAt: started + 2000, times: 2 },
      { format: 'flac', size: 4096, downloadedAt: started + 1000, times: 1 },
    ]);
    expect(items[0]?.track).toMatchObject({ id: track.id, access: 'full' });
  });

  it('belongs to one user, and stays after the subscription ends', async () => {
    const naledi = await createSubscriber(test, 'naledi');
    await getUrl(sipho.client);
    expect((await list(naledi.client)).items).toEqual([]);
    expect((await test.createClient().request({ url: '/api/downloads' })).statusCode).toBe(401);
    await payUntil(test, sipho.user, null);
    expect((await list(sipho.client)).items[0]?.track.access).toBe('preview');
  });

  it('continues exactly where a page ends', async () => {
    for (let i = 0; i < 3; i++) {
      const { id } = await seed({ title: `Mix ${i}` });
      // Both formats at the same time: the cursor must not depend on the time alone.
      await getUrl(sipho.client, 'mp3', id);
      await getUrl(sipho.client, 'flac', id);
    }
    const name = ({ track: { title }, format }: Download) => `${title} ${format}`;
    const all = (await list(sipho.client)).items.map(name);
    expect(all).toHaveLength(6);
    const paged: string[] = [];
    for (let query = '?limit=4'; query;) {
      const { items, nextCursor } = await list(sipho.client, query);
      paged.push(...items.map(name));
      query = nextCursor ? `?limit=4&cursor=${nextCursor}` : '';
    }
    expect(paged).toEqual(all);
    const refused = await sipho.client.request({ url: '/api/downloads?cursor=x' });
    expect(refused.statusCode).toBe(400);
  });

  it('omits deleted tracks, and says when a format is gone', async () => {
    await getUrl(sipho.client, 'flac');
    const { db } = test.deps.database;
    await db.deleteFrom('renditions').where('name', '=', 'flac').execute();
    expect((await list(sipho.client)).items[0]?.size).toBeNull();
    await db.updateTable('tracks').set({ publish_at: null }).execute();
    expect((await list(sipho.client)).items).toEqual([]);
  });
});

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isPlaylistShared } from './service.ts';
import { SharedPlaylist } from '#contract/playlists.ts';
import { ListTeaser } from '#contract/shared-links.ts';
import { consumeRateLimit } from '../../http/route/rate-limit.ts';
import { limitTeasers } from '../tracks/service.ts';
import { createTestApp, type TestApp, type TestClient } from '../../testing/test-app.ts';
import { createUser, createSubscriber } from '../../testing/test-user.ts';
import { playlistClient, seedTracks } from '../../testing/test-playlists.ts';

let test: TestApp;
let playlists: ReturnType<typeof playlistClient>;
let id: string;
let premiumId: string;
beforeEach(async () => {
  test = await createTestApp();
  playlists = playlistClient((await createSubscriber(test, 'thandi')).client);
  const [open, premium] = await seedTracks(test, ['Open', 'Premium']);
  premiumId = premium?.id ?? '';
  await test.deps.database.db
    .updateTable('tracks')
    .set({ is_subscriber_only: 1 })
    .where('id', '=', premiumId)
    .execute();
  id = await playlists.create({ name: 'Road', trackIds: [open?.id, premiumId] });
});
afterEach(() => test.close());

async function share(): Promise<string> {
  const response = await playlists.send('PUT', `/${id}/share`);
  expect(response.statusCode).toBe(200);
  return response.json<{ shareToken: string }>().shareToken;
}
const open = (client: TestClient, token: string) =>
  client.request({ method: 'GET', url: `/api/shared-playlists/${token}` });

describe('a shared playlist', () => {
  it("opens with a secret link, with each viewer's own access", async () => {
    const token = await share();
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    expect(await share()).toBe(token);
    expect(await playlists.read(id)).toMatchObject({ shareToken: token });

    const free = await open((await createUser(test, 'lerato')).client, token);
    const seen = SharedPlaylist.strict().parse(free.json());
    expect(seen).toMatchObject({ name: 'Road', ownerName: 'thandi', trackCount: 1 });
    expect(seen.tracks.map(({ title, access }) => [title, access])).toEqual([['Open', 'preview']]);
    expect(free.body).not.toContain(premiumId);

    const paying = await open((await createSubscriber(test, 'sipho')).client, token);
    const tracks = SharedPlaylist.parse(paying.json()).tracks;
    expect(tracks.map(({ title, access }) => [title, access])).toEqual([
      ['Open', 'full'],
      ['Premium', 'full'],
    ]);
  });

  it('needs an account and the right token', async () => {
    const token = await share();
    expect((await open(test.createClient(), token)).statusCode).toBe(401);
    const { client } = await createUser(test, 'lerato');
    for (const wrong of ['x', id, `${token}x`, token.slice(0, -1), '%00', 'x'.repeat(65)])
      expect((await open(client, wrong)).statusCode).toBeOneOf([400, 404]);
  });

  it('shows visitors its name and the mixes that everyone may hear, and nothing about its owner', async () => {
    const token = await share();
    const read = () =>
      test.createClient().request({ url: `/api/shared-playlists/${token}/teaser` });
    const answer = await read();
    expect(ListTeaser.strict().parse(answer.json())).toMatchObject({
      name: 'Road',
      trackCount: 1,
      sleeves: [{ weekNumber: 46 }],
      first: { title: 'Open', access: 'preview', dataSaverUrl: null },
    });
    for (const secret of ['thandi', premiumId, 'Premium', '/stream'])
      expect(answer.body).not.toContain(secret);
    const { db } = test.deps.database;
    await db.updateTable('tracks').set({ publish_at: null }).where('title', '=', 'Open').execute();
    expect((await read()).json()).toEqual({
      name: 'Road',
      trackCount: 0,
      sleeves: [],
      first: null,
    });
    await playlists.send('DELETE', `/${id}/share`);
    expect((await read()).statusCode).toBe(404);
  });

  it('is counted in full for visitors, who see its first four sleeves', async () => {
    const ids = (await seedTracks(test, ['A', 'B', 'C', 'D', 'E'])).map((track) => track.id);
    await playlists.send('POST', `/${id}/tracks`, { trackIds: ids });
    const url = `/api/shared-playlists/${await share()}/teaser`;
    const { sleeves, trackCount, first } = ListTeaser.parse(
      (await test.createClient().request({ url })).json(),
    );
    expect([sleeves.length, trackCount, first?.title]).toEqual([4, 6, 'Open']);
  });

  it('is closed while its owner is disabled', async () => {
    const { client } = await createUser(test, 'lerato');
    const token = await share();
    const statuses = async () => [
      (await open(client, token)).statusCode,
      (await test.createClient().request({ url: `/api/shared-playlists/${token}/teaser` }))
        .statusCode,
      // Its page, which is missing then.
      await isPlaylistShared(test.deps, token),
    ];
    expect(await statuses()).toEqual([200, 200, true]);
    const { db } = test.deps.database;
    const owner = db.selectFrom('playlists').select('user_id').where('id', '=', id);
    const { user_id } = await owner.executeTakeFirstOrThrow();
    const disabled = { user_id, at: test.clock.now(), reason: 'A test.' };
    await db.insertInto('disabled_accounts').values(disabled).execute();
    expect(await statuses()).toEqual([404, 404, false]);
    await db.deleteFrom('disabled_accounts').execute();
    expect(await statuses()).toEqual([200, 200, true]);
  });

  it('is opened by visitors from one address 300 times in ten minutes', async () => {
    const url = `/api/shared-playlists/${await share()}/teaser`;
    const use = limitTeasers({ address: '127.0.0.1' })[0];
    if (!use) throw new Error('There is no limit.');
    const { db } = test.deps.database;
    while ((await consumeRateLimit(db, use, test.clock.now())).isAllowed);
    const refused = await test.createClient().request({ url });
    expect(refused.statusCode).toBe(429);
    expect(refused.headers['retry-after']).toBe('2');
    const artist = await test.createClient().request({ url: '/api/artists/any/teaser' });
    expect(artist.statusCode).toBe(429);
  });

  it('closes immediately, and gets a new link when shared again', async () => {
    const { client } = await createUser(test, 'lerato');
    const token = await share();
    for (let i = 0; i < 2; i++)
      expect((await playlists.send('DELETE', `/${id}/share`)).statusCode).toBe(204);
    expect((await open(client, token)).statusCode).toBe(404);
    const another = await share();
    expect(another).not.toBe(token);
    expect((await open(client, token)).statusCode).toBe(404);
    expect((await open(client, another)).statusCode).toBe(200);
  });

  it('is closed while the playlist is deleted', async () => {
    const { client } = await createUser(test, 'lerato');
    const token = await share();
    await playlists.send('DELETE', `/${id}`);
    expect((await open(client, token)).statusCode).toBe(404);
    await playlists.send('POST', `/${id}/restore`);
    expect((await open(client, token)).statusCode).toBe(200);
  });

  it('is not logged with its link', async () => {
    const { client } = await createUser(test, 'lerato');
    const token = await share();
    await open(client, token);
    await client.request({ method: 'GET', url: `/shared/${token}` });
    expect(test.logText()).toContain('/api/shared-playlists/[token]');
    expect(test.logText()).not.toContain(token);
  });
});

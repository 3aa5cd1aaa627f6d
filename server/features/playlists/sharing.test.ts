import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SharedPlaylist } from '#contract/playlists.ts';
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

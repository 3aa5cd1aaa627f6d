import { expect } from 'vitest';
import { PlaylistDetail } from '#contract/playlists.ts';
import type { TracksTable } from '../db/types/tables.ts';
import { seedTrack } from './seed-track.ts';
import type { TestApp, TestClient } from './test-app.ts';

export const seedTracks = (test: TestApp, titles: readonly string[]): Promise<TracksTable[]> => {
  const { database, storage, clock } = test.deps;
  const place = { db: database.db, storage, now: clock.now() };
  return Promise.all(titles.map((title) => seedTrack(place, { title })));
};

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The requests a browser makes for one playlist, as a logged-in user. */
export const playlistClient = (client: TestClient) => {
  const send = (method: Method, path: string, payload?: object) =>
    client.request({ method, url: `/api/playlists${path}`, ...(payload && { payload }) });
  const create = async (payload: object): Promise<string> => {
    const response = await send('POST', '', payload);
    expect(response.statusCode).toBe(200);
    return response.json<{ id: string }>().id;
  };
  const read = async (id: string): Promise<PlaylistDetail> => {
    const response = await send('GET', `/${id}`);
    expect(response.statusCode).toBe(200);
    return PlaylistDetail.parse(response.json());
  };
  return {
    send,
    create,
    read,
    titles: async (id: string) => (await read(id)).tracks.map((track) => track.title),
    move: async (id: string, trackId: string, after: string | null) => {
      const { version } = await read(id);
      return send('PUT', `/${id}/order`, { version, trackId, after });
    },
  };
};

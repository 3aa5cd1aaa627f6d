import type { CatalogueTrack } from '#contract/admin/catalogue.ts';
import type { TracksTable } from '../db/types/tables.ts';
import { indexTrack } from '../features/search/service.ts';
import { seedTrack } from './seed-track.ts';
import type { TestApp, TestClient } from './test-app.ts';

/** Existing tracks, and an administrator's requests for them. */
export function createCatalogue(test: TestApp, admin: TestClient) {
  async function seed(change: Partial<TracksTable> = {}): Promise<TracksTable> {
    const { database, storage } = test.deps;
    const track = await seedTrack({ db: database.db, storage, now: test.clock.now() }, change);
    await database.db.transaction().execute((tx) => indexTrack(tx, database.dialect, track));
    return track;
  }
  const list = async (query = ''): Promise<CatalogueTrack[]> => {
    const answer = await admin.request({ url: `/api/admin/tracks${query}` });
    return answer.json<{ items: CatalogueTrack[] }>().items;
  };
  const titles = async (query = '') => (await list(query)).map(({ title }) => title);
  const bulk = (payload: object) =>
    admin.request({ method: 'POST', url: '/api/admin/tracks/bulk', payload });
  const edit = (id: string, payload: object) =>
    admin.request({ method: 'PATCH', url: `/api/admin/tracks/${id}`, payload });
  const isOut = async (id: string, client = test.createClient()) =>
    (await client.request({ url: `/api/tracks/${id}` })).statusCode === 200;
  return { seed, list, titles, bulk, edit, isOut };
}

export type TestCatalogue = ReturnType<typeof createCatalogue>;

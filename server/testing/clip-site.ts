import { clipFilePath, type Clip, type ClipFile, type TrackClips } from '#contract/clips.ts';
import { changeSettings } from '../db/settings.ts';
import type { TracksTable } from '../db/types/tables.ts';
import { clipFiles, keyOfFile } from '../features/clips/jobs.ts';
import { publishClip } from '../features/clips/queries.ts';
import { seedTrack } from './seed-track.ts';
import { createTestApp, type TestClient } from './test-app.ts';

/** What a file of a test says: which seconds of the mix are in it. */
export const sayings = (start: number, seconds: number): string =>
  Array.from({ length: seconds }, (_, index) => `<${start + index}>`).join('');

export type ClipSite = Awaited<ReturnType<typeof startClipSite>>;

/** A site on which members make clips. */
export async function startClipSite() {
  const test = await createTestApp();
  const { deps, clock } = test;
  const { storage } = deps;
  const { db } = deps.database;

  const post = (client: TestClient, trackId: string, payload: object) =>
    client.request({ method: 'POST', url: `/api/tracks/${trackId}/clips`, payload });
  const fetchFile = (id: string, file: ClipFile, headers: Record<string, string> = {}) =>
    test.app.inject({ url: clipFilePath(id, file), headers });

  return {
    ...test,
    post,
    fetchFile,
    seed: (change: Partial<TracksTable> = {}) =>
      seedTrack({ db, storage, now: clock.now() }, { duration_ms: 3_600_000, ...change }),
    change: (id: string, to: Partial<TracksTable>) =>
      db.updateTable('tracks').set(to).where('id', '=', id).execute(),
    setLimit: (clipSeconds: number) => changeSettings(db, { clipSeconds }, clock.now()),
    async make(client: TestClient, trackId: string, start: number, seconds = 20) {
      const response = await post(client, trackId, { start, seconds });
      if (response.statusCode !== 200) throw new Error(response.body);
      return response.json<Clip>();
    },
    /** As the job would: files with the marked seconds, and then the clip is public. */
    async cutAll(): Promise<void> {
      const waiting = await db
        .selectFrom('clips')
        .selectAll()
        .where('state', '=', 'waiting')
        .execute();
      for (const { id, start_s, seconds } of waiting) {
        const bytes = Buffer.from(sayings(start_s, seconds));
        for (const file of clipFiles) await storage.put(keyOfFile(id, file), bytes);
        const sizes = { audio: bytes.length, square: bytes.length, upright: bytes.length };
        await db.transaction().execute((tx) => publishClip(tx, id, sizes, clock.now()));
      }
      await db.deleteFrom('jobs').where('name', '=', 'cut-clip').execute();
    },
    /** Of its page and its video. */
    async statusOf(id: string) {
      const [page, file] = [
        await test.app.inject(`/api/clips/${id}`),
        await fetchFile(id, 'square'),
      ];
      return [page.statusCode, file.statusCode];
    },
    read: async (client: TestClient, trackId: string) =>
      (await client.request({ url: `/api/tracks/${trackId}/clips` })).json<TrackClips>(),
  };
}

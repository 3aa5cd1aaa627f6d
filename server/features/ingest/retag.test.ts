import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { seedTrack } from '../../testing/seed-track.ts';
import { createTestApp, type TestApp } from '../../testing/test-app.ts';
import { createSubscriber } from '../../testing/test-user.ts';
import { writeToneWav } from '../../testing/tone-wav.ts';
import { startIngest, createMasterKey } from './service.ts';
import { DAY } from '#contract/rules/time.ts';

let test: TestApp;
beforeEach(async () => {
  test = await createTestApp();
});
afterEach(() => test.close());

async function ingestTone(): Promise<string> {
  const { database, storage, clock } = test.deps;
  const now = clock.now();
  const track = await seedTrack({ db: database.db, storage, now }, { duration_ms: 3000 });
  await database.db.deleteFrom('renditions').where('track_id', '=', track.id).execute();
  const { runId, masterKey } = createMasterKey('wav', now);
  await storage.put(masterKey, writeToneWav({ seconds: 3, loudFrom: 1 }));
  await database.db
    .transaction()
    .execute((tx) => startIngest(tx, { trackId: track.id, runId, masterKey, now }));
  await test.worker.runDue();
  return track.id;
}

const findFile = async (kind: 'mp3' | 'flac') =>
  test.deps.database.db
    .selectFrom('renditions')
    .selectAll()
    .where('name', '=', kind)
    .executeTakeFirstOrThrow();

const pathOf = (key: string) => test.deps.storage.localPath?.(key) ?? '';

/** The tags as any other player reads them. */
async function readTags(kind: 'mp3' | 'flac') {
  const { key } = await findFile(kind);
  const media = await test.deps.media();
  const { tags, hasCover, isLossless } = await media.probe(pathOf(key));
  return { ...tags, hasCover, isLossless };
}

/** The audio without its tags. */
async function hashAudio(kind: 'mp3' | 'flac') {
  const file = pathOf((await findFile(kind)).key);
  const media = await test.deps.media();
  const { peaks, durationSeconds } = await media.analyse({ file, probe: await media.probe(file) });
  return { peaks, durationSeconds };
}

describe('the tags of a download', () => {
  it('are title, week, site, year, genre and cover, and follow edits of the track', async () => {
    const id = await ingestTone();
    for (const kind of ['mp3', 'flac'] as const)
      expect(await readTags(kind)).toMatchObject({
        title: 'Golden Hour Pressure',
        album: 'Week 46, 2026',
        artist: 'Weekender',
        year: 2026,
        genre: 'Amapiano',
        bpm: 113,
        hasCover: true,
        isLossless: kind === 'flac',
      });
    const before = { mp3: await findFile('mp3'), flac: await findFile('flac') };
    const sound = { mp3: await hashAudio('mp3'), flac: await hashAudio('flac') };
    const { client } = await createSubscriber(test);
    const download = async () => {
      const response = await client.request({
        method: 'POST',
        url: `/api/tracks/${id}/download`,
        payload: { format: 'mp3' },
      });
      return test.app.inject({ url: response.json<{ url: string }>().url });
    };
    const first = await download();
    await test.worker.runDue();
    expect(await findFile('mp3')).toEqual(before.mp3);

    await test.deps.database.db
      .updateTable('tracks')
      .set({ title: 'Amanzi: the “other” side', genre: 'Gqom' })
      .execute();
    await download();
    await test.worker.runDue();
    for (const kind of ['mp3', 'flac'] as const) {
      expect(await readTags(kind)).toMatchObject({
        title: 'Amanzi: the “other” side',
        genre: 'Gqom',
        hasCover: true,
      });
      expect((await findFile(kind)).key).not.toBe(before[kind].key);
      expect(await hashAudio(kind)).toEqual(sound[kind]);
      expect(await test.deps.storage.stat((await findFile(kind)).key)).toEqual({
        size: (await findFile(kind)).size,
      });
    }
    const second = await download();
    expect(second.headers.etag).not.toBe(first.headers.etag);

    // Requests for the old file may finish before it is deleted.
    expect(await test.deps.storage.stat(before.mp3.key)).not.toBeNull();
    test.clock.advance(DAY);
    await test.worker.runDue();
    expect(await test.deps.storage.stat(before.mp3.key)).toBeNull();
  });
});

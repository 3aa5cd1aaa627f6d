import { parseFile } from 'music-metadata';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Loudness } from '../../ports/media/media.ts';
import { ingestTone } from '../../testing/ingest-tone.ts';
import { seedArtist } from '../../testing/seed-artist.ts';
import { createTestApp, type TestApp } from '../../testing/test-app.ts';
import { createSubscriber } from '../../testing/test-user.ts';
import { DAY } from '#contract/rules/time.ts';

let test: TestApp;
beforeEach(async () => {
  test = await createTestApp();
});
afterEach(() => test.close());

const INTRO = { at: 0, title: 'Substation Intro', artist: 'Relay Room' };
const UNTIMED = { at: null, title: 'Log Drum', artist: null };
const TIMED = { ...UNTIMED, at: 1.5 };

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

/** ReplayGain as another program reads it, beside the loudness that the analysis measured. */
async function readGain(kind: 'mp3' | 'flac') {
  const { common } = await parseFile(pathOf((await findFile(kind)).key));
  const [stage] = await test.deps.database.db
    .selectFrom('ingest_stages')
    .select('result')
    .where('stage', '=', 'analysis')
    .execute();
  const { loudness } = JSON.parse(stage?.result ?? '{}') as { loudness: Loudness };
  expect(common.replaygain_track_gain?.dB).toBeCloseTo(-18 - loudness.integrated, 2);
  return common.replaygain_track_gain;
}

/** The artists as another program reads them. */
async function readArtists(kind: 'mp3' | 'flac') {
  const { common } = await parseFile(pathOf((await findFile(kind)).key));
  return { artist: common.artist, albumArtist: common.albumartist };
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
    const id = await ingestTone(test, { chapters: JSON.stringify([INTRO, UNTIMED]) });
    for (const kind of ['mp3', 'flac'] as const)
      expect(await readTags(kind)).toMatchObject({
        title: 'Golden Hour Pressure',
        album: 'Week 46, 2026',
        artist: 'Weekender',
        year: 2026,
        genre: 'Amapiano',
        bpm: 113,
        chapters: [INTRO],
        hasCover: true,
        isLossless: kind === 'flac',
      });
    const gains = { mp3: await readGain('mp3'), flac: await readGain('flac') };
    expect(gains.mp3).toEqual(gains.flac);
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
      .set({
        title: 'Amanzi: the “other” side',
        genre: 'Gqom',
        chapters: JSON.stringify([INTRO, TIMED]),
      })
      .execute();
    const site = { db: test.deps.database.db, now: test.clock.now() };
    for (const name of ['Zola', 'Ama & Friends']) await seedArtist(site, name, [id]);
    await download();
    await test.worker.runDue();
    for (const kind of ['mp3', 'flac'] as const) {
      expect(await readArtists(kind)).toEqual({
        artist: 'Zola; Ama & Friends',
        albumArtist: 'Weekender',
      });
      expect(await readTags(kind)).toMatchObject({
        title: 'Amanzi: the “other” side',
        genre: 'Gqom',
        chapters: [INTRO, TIMED],
        hasCover: true,
      });
      expect(await readGain(kind)).toEqual(gains[kind]);
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

/** @module-tag both-databases */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MAX_CLIP_BYTES } from '#contract/rules/clips.ts';
import { DAY, HOUR } from '#contract/rules/time.ts';
import { ingestTone } from '../../testing/ingest-tone.ts';
import { describeOnSqlite, itOnSqlite } from '../../testing/on-sqlite.ts';
import { readTrack } from '../../testing/seed-track.ts';
import { createSubscriber } from '../../testing/test-user.ts';
import { clipFiles, keyOfFile } from './jobs.ts';
import { startClipSite, type ClipSite } from '../../testing/clip-site.ts';

let site: ClipSite;
beforeEach(async () => {
  site = await startClipSite();
});
afterEach(() => site.close());

const run = promisify(execFile);

describeOnSqlite('a clip', () => {
  it('is cut, drawn and played by everyone', async (context) => {
    const id = await ingestTone(site, {
      // With the same id, and so sleeve, ffmpeg gets the same pictures in each run.
      id: 'clipped',
      duration_ms: 9000,
      chapters: JSON.stringify([
        { at: 0, title: 'Intro', artist: null },
        { at: 4, title: 'Stoep Talk (Dub)', artist: 'The Queue Marshals' },
      ]),
    });
    const { client } = await createSubscriber(site);
    const { id: clipId, ...made } = await site.make(client, id, 3, 3);
    expect(made).toMatchObject({ start: 3, seconds: 3, state: 'waiting', sizes: null });
    expect(await site.statusOf(clipId)).toEqual([404, 404]);
    await site.worker.runDue();
    const [own] = (await site.read(client, id)).items;
    expect(own).toMatchObject({ id: clipId, state: 'ready' });
    const clip = (await site.app.inject(`/api/clips/${clipId}`)).json<object>();
    expect(clip).toMatchObject({
      start: 3,
      seconds: 3,
      sizes: own?.sizes,
      chapter: { title: 'Intro' },
      track: { id, duration: 9 },
      peaks: expect.any(Array),
    });
    expect(JSON.stringify(clip)).not.toContain('sipho');
    for (const file of clipFiles) {
      const { statusCode, headers, rawPayload } = await site.fetchFile(clipId, file);
      expect([statusCode, rawPayload.length]).toEqual([200, own?.sizes?.[file]]);
      expect(rawPayload.length).toBeLessThan(MAX_CLIP_BYTES);
      expect(headers).toMatchObject({
        'content-type': file === 'audio' ? 'audio/mpeg' : 'video/mp4',
        'cross-origin-resource-policy': 'cross-origin',
        'accept-ranges': 'bytes',
        'cache-control': 'public, max-age=60, must-revalidate',
      });
      const part = await site.fetchFile(clipId, file, { range: 'bytes=4-7' });
      expect([part.statusCode, part.rawPayload]).toEqual([206, rawPayload.subarray(4, 8)]);
    }
    const folder = site.deps.config.dataDir;
    const expected = { square: [720, 720], upright: [720, 1280] } as const;
    for (const file of ['square', 'upright'] as const) {
      const path = join(folder, `${file}.mp4`);
      await writeFile(path, (await site.fetchFile(clipId, file)).rawPayload);
      const fields = 'stream=codec_name,pix_fmt,width,height,sample_rate:format=duration';
      const asked = ['-v', 'error', '-show_entries', fields, '-of', 'json', path];
      const answer = await run('ffprobe', asked).catch(() => null);
      if (!answer) return context.skip('ffprobe is not installed');
      const [width, height] = expected[file];
      const probe = JSON.parse(answer.stdout) as {
        streams: object[];
        format: { duration: string };
      };
      expect(probe.streams).toEqual([
        { codec_name: 'h264', pix_fmt: 'yuv420p', width, height },
        { codec_name: 'aac', sample_rate: '48000' },
      ]);
      expect(Number(probe.format.duration)).toBeCloseTo(3, 1);
    }
  });
});

describe('the job', () => {
  itOnSqlite('publishes nothing that may no longer be public when it is ready', async () => {
    const id = await ingestTone(site, { duration_ms: 30_000, preview_start_ms: 10_000 });
    const { client } = await createSubscriber(site);
    const { storage, media } = site.deps;
    const real = await media();
    site.deps.media = async () => ({
      ...real,
      makeVideo: async ({ to }) => writeFile(to, 'video'),
    });
    const now = site.clock.now();
    const shown = await readTrack(site.deps.database.db, id);
    const put = storage.put.bind(storage);
    const states: Record<string, string | undefined> = {};
    for (const [name, happen] of Object.entries({
      'a lower limit': () => site.setLimit(2),
      'no clips': () => site.setLimit(0),
      'an unpublished mix': () => site.change(id, { publish_at: null }),
      'an early mix': () => site.change(id, { publish_at: now + DAY }),
      'a mix for subscribers': () => site.change(id, { is_subscriber_only: 1 }),
      nothing: () => Promise.resolve(),
    })) {
      const clip = await site.make(client, id, 2, 3);
      storage.put = async (key, content) => {
        await put(key, content);
        if (key === keyOfFile(clip.id, 'upright')) await happen();
      };
      await site.worker.runDue();
      await site.worker.runDue();
      const { publish_at, is_subscriber_only } = shown;
      await site.change(id, { publish_at, is_subscriber_only });
      await site.setLimit(60);
      const isThere = (await storage.stat(keyOfFile(clip.id, 'square'))) !== null;
      const made = (await site.read(client, id)).items.find((item) => item.id === clip.id);
      states[name] = `${made?.state}${isThere ? ', with files' : ''}`;
    }
    expect(states).toEqual({
      'a lower limit': 'failed',
      'no clips': 'failed',
      'an unpublished mix': 'failed',
      'an early mix': 'failed',
      'a mix for subscribers': 'failed',
      nothing: 'ready, with files',
    });
  });

  it('leaves nothing of a clip that was removed while it was cut', async () => {
    const id = await ingestTone(site, { duration_ms: 9000 });
    const { client } = await createSubscriber(site);
    const clip = await site.make(client, id, 1, 3);
    const { storage, media } = site.deps;
    const real = await media();
    // Between the last file and the transaction that publishes it.
    const put = storage.put.bind(storage);
    storage.put = async (key, content) => {
      await put(key, content);
      if (key === keyOfFile(clip.id, 'upright'))
        await client.request({ method: 'DELETE', url: `/api/clips/${clip.id}` });
    };
    site.deps.media = async () => ({
      ...real,
      makeVideo: async ({ to }) => writeFile(to, 'video'),
    });
    await site.worker.runDue();
    await site.worker.runDue();
    for (const file of clipFiles) expect(await storage.stat(keyOfFile(clip.id, file))).toBeNull();
    expect(await site.statusOf(clip.id)).toEqual([404, 404]);
    expect((await site.read(client, id)).left).toBe(60);
  });

  it('tries again, and gives the seconds back when it can’t', async () => {
    const id = await ingestTone(site, { duration_ms: 9000 });
    const { client } = await createSubscriber(site);
    const clip = await site.make(client, id, 1, 3);
    const { media } = site.deps;
    const real = await media();
    site.deps.media = async () => ({
      ...real,
      cutSound: () => Promise.reject(new Error('No memory.')),
    });
    const stateOf = async () => (await site.read(client, id)).items.map(({ state }) => state);
    await site.worker.runDue();
    expect(await stateOf()).toEqual(['waiting']);
    for (let attempt = 1; attempt < 4; attempt += 1) {
      site.clock.advance(HOUR);
      await site.worker.runDue();
    }
    expect(await stateOf()).toEqual(['failed']);
    await site.worker.runDue();
    for (const file of clipFiles)
      expect(await site.deps.storage.stat(keyOfFile(clip.id, file))).toBeNull();
    // New audio has other seconds than the ones that were marked.
    site.deps.media = media;
    const next = await site.make(client, id, 1, 3);
    // An earlier attempt was stopped after it.
    await site.deps.storage.put(keyOfFile(next.id, 'audio'), Buffer.from('<1>'));
    expect(next.id).not.toBe(clip.id);
    await site.deps.database.db
      .updateTable('renditions')
      .set({ key: 'tracks/other-stream.mp3' })
      .where('track_id', '=', id)
      .where('name', '=', 'stream')
      .execute();
    await site.worker.runDue();
    expect(await stateOf()).toEqual(['failed', 'failed']);
    await site.worker.runDue();
    expect(await site.deps.storage.stat(keyOfFile(next.id, 'audio'))).toBeNull();
  });
});

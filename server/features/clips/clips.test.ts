/** @module-tag both-databases */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AdminClip } from '#contract/admin/clips.ts';
import { clipFilePath, type Clip, type ClipFile, type TrackClips } from '#contract/clips.ts';
import { MAX_CLIP_BYTES } from '#contract/rules/clips.ts';
import { DAY, HOUR, MINUTE } from '#contract/rules/time.ts';
import type { TracksTable } from '../../db/types/tables.ts';
import { changeSettings } from '../../db/settings.ts';
import { endPreviewKey } from '../../ports/media/preview-window.ts';
import { hasRoomForFiles } from '../../ports/storage/disk-space.ts';
import { ingestTone } from '../../testing/ingest-tone.ts';
import { describeOnSqlite, itOnSqlite } from '../../testing/on-sqlite.ts';
import { readTrack, seedTrack } from '../../testing/seed-track.ts';
import { createAdmin, createHelper } from '../../testing/test-admin.ts';
import { createTestApp, type TestApp, type TestClient } from '../../testing/test-app.ts';
import { writeToneWav } from '../../testing/tone-wav.ts';
import { createSubscriber, createUser, payUntil } from '../../testing/test-user.ts';
import { createMasterKey, startIngest } from '../ingest/service.ts';
import { clipFiles, keyOfFile } from './jobs.ts';
import { publishClip } from './queries.ts';

const run = promisify(execFile);

let test: TestApp;
beforeEach(async () => {
  test = await createTestApp();
});
afterEach(() => test.close());

const seed = (change: Partial<TracksTable> = {}) => {
  const { database, storage, clock } = test.deps;
  return seedTrack(
    { db: database.db, storage, now: clock.now() },
    { duration_ms: 3_600_000, ...change },
  );
};

const change = (id: string, to: Partial<TracksTable>) =>
  test.deps.database.db.updateTable('tracks').set(to).where('id', '=', id).execute();

const setLimit = (clipSeconds: number) =>
  changeSettings(test.deps.database.db, { clipSeconds }, test.clock.now());

const post = (client: TestClient, trackId: string, payload: object) =>
  client.request({ method: 'POST', url: `/api/tracks/${trackId}/clips`, payload });

async function make(client: TestClient, trackId: string, start: number, seconds = 20) {
  const response = await post(client, trackId, { start, seconds });
  if (response.statusCode !== 200) throw new Error(response.body);
  return response.json<Clip>();
}

/** What a file of a test says: which seconds of the mix are in it. */
const sayings = (start: number, seconds: number): string =>
  Array.from({ length: seconds }, (_, index) => `<${start + index}>`).join('');

/** As the job would: files with the marked seconds, and then the clip is public. */
async function cutAll(): Promise<void> {
  const { database, storage, clock } = test.deps;
  const waiting = await database.db
    .selectFrom('clips')
    .selectAll()
    .where('state', '=', 'waiting')
    .execute();
  for (const { id, start_s, seconds } of waiting) {
    const bytes = Buffer.from(sayings(start_s, seconds));
    for (const file of clipFiles) await storage.put(keyOfFile(id, file), bytes);
    const sizes = { audio: bytes.length, square: bytes.length, upright: bytes.length };
    await database.db.transaction().execute((tx) => publishClip(tx, id, sizes, clock.now()));
  }
  await database.db.deleteFrom('jobs').where('name', '=', 'cut-clip').execute();
}

const fetchFile = (id: string, file: ClipFile, headers: Record<string, string> = {}) =>
  test.app.inject({ url: clipFilePath(id, file), headers });

const statusOf = async (id: string) => {
  const [page, file] = [await test.app.inject(`/api/clips/${id}`), await fetchFile(id, 'square')];
  return [page.statusCode, file.statusCode];
};

const read = async (client: TestClient, trackId: string) =>
  (await client.request({ url: `/api/tracks/${trackId}/clips` })).json<TrackClips>();

describeOnSqlite('a clip', () => {
  it('is cut, drawn and played by everyone', async (context) => {
    const id = await ingestTone(test, {
      // With the same id, and so sleeve, ffmpeg gets the same pictures in each run.
      id: 'clipped',
      duration_ms: 9000,
      chapters: JSON.stringify([
        { at: 0, title: 'Intro', artist: null },
        { at: 4, title: 'Stoep Talk (Dub)', artist: 'The Queue Marshals' },
      ]),
    });
    const { client } = await createSubscriber(test);
    const { id: clipId, ...made } = await make(client, id, 3, 3);
    expect(made).toMatchObject({ start: 3, seconds: 3, state: 'waiting', sizes: null });
    expect(await statusOf(clipId)).toEqual([404, 404]);
    await test.worker.runDue();
    const [own] = (await read(client, id)).items;
    expect(own).toMatchObject({ id: clipId, state: 'ready' });
    const clip = (await test.app.inject(`/api/clips/${clipId}`)).json<object>();
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
      const { statusCode, headers, rawPayload } = await fetchFile(clipId, file);
      expect([statusCode, rawPayload.length]).toEqual([200, own?.sizes?.[file]]);
      expect(rawPayload.length).toBeLessThan(MAX_CLIP_BYTES);
      expect(headers).toMatchObject({
        'content-type': file === 'audio' ? 'audio/mpeg' : 'video/mp4',
        'cross-origin-resource-policy': 'cross-origin',
        'accept-ranges': 'bytes',
        'cache-control': 'public, max-age=60, must-revalidate',
      });
      const part = await fetchFile(clipId, file, { range: 'bytes=4-7' });
      expect([part.statusCode, part.rawPayload]).toEqual([206, rawPayload.subarray(4, 8)]);
    }
    const folder = test.deps.config.dataDir;
    const expected = { square: [720, 720], upright: [720, 1280] } as const;
    for (const file of ['square', 'upright'] as const) {
      const path = join(folder, `${file}.mp4`);
      await writeFile(path, (await fetchFile(clipId, file)).rawPayload);
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

describe('making one', () => {
  it('is for subscribers and staff, of a mix that everyone can hear a preview of', async () => {
    const { id } = await seed();
    const visitor = test.createClient();
    const { client: free } = await createUser(test, 'free');
    const { client } = await createSubscriber(test);
    const { client: helper } = await createHelper(test);
    const answer = async (who: TestClient, trackId: string) => {
      const response = await post(who, trackId, { start: 0, seconds: 3 });
      return [response.statusCode, response.json<{ code?: string }>().code];
    };
    expect(await answer(visitor, id)).toEqual([401, 'unauthenticated']);
    expect(await answer(free, id)).toEqual([403, 'subscribers_only']);
    expect((await read(free, id)).refusal).toBe('Clips are part of Premium.');
    expect(await answer(client, id)).toEqual([200, undefined]);
    expect(await answer(helper, id)).toEqual([200, undefined]);
    const now = test.clock.now();
    const draft = await seed({ publish_at: null });
    const early = await seed({ publish_at: now + HOUR });
    const reserved = await seed({ is_subscriber_only: 1 });
    expect(await answer(client, 'unknown')).toEqual([404, 'not_found']);
    expect(await answer(client, draft.id)).toEqual([404, 'not_found']);
    expect(await answer(helper, draft.id)).toEqual([422, 'clip_refused']);
    expect(await answer(client, early.id)).toEqual([422, 'clip_refused']);
    expect(await answer(client, reserved.id)).toEqual([422, 'clip_refused']);
    expect(await answer(helper, reserved.id)).toEqual([200, undefined]);
  });

  it('takes 3 to 20 whole seconds inside the mix', async () => {
    const { id } = await seed({ duration_ms: 95_500 });
    const { client } = await createSubscriber(test);
    const bad = [
      { start: 0, seconds: 2 },
      { start: 0, seconds: 21 },
      { start: 0, seconds: 0 },
      { start: -1, seconds: 5 },
      { start: 1.5, seconds: 5 },
      { start: 1, seconds: 5.5 },
      { start: 1, seconds: -5 },
      { start: '1', seconds: 5 },
      { start: null, seconds: 5 },
      { start: 1e9, seconds: 5 },
      { start: 1, seconds: 5, trackId: 'x' },
      {},
    ];
    for (const payload of bad) {
      const response = await post(client, id, payload);
      expect([payload, response.statusCode]).toEqual([payload, 400]);
      expect(response.json()).toMatchObject({ code: 'validation_failed' });
    }
    for (const start of [91, 95, 96, 3000]) {
      const response = await post(client, id, { start, seconds: 5 });
      expect([response.statusCode, response.json<{ code: string }>().code]).toEqual([
        422,
        'clip_refused',
      ]);
    }
    expect((await post(client, id, { start: 90, seconds: 5 })).statusCode).toBe(200);
  });

  it('is the same clip when the same member marks the same seconds again', async () => {
    const { id } = await seed();
    const { client } = await createSubscriber(test);
    const first = await make(client, id, 100);
    expect((await make(client, id, 100)).id).toBe(first.id);
    const { client: other } = await createSubscriber(test, 'lerato');
    expect((await make(other, id, 100)).id).not.toBe(first.id);
    expect((await read(client, id)).items).toHaveLength(1);
  });

  it('is limited for each member, and for all of them while many wait', async () => {
    const { id } = await seed();
    const { client, user } = await createSubscriber(test);
    const statuses = [];
    for (let start = 0; start < 22; start += 1)
      statuses.push((await post(client, id, { start: start * 2, seconds: 3 })).statusCode);
    expect(statuses.filter((status) => status === 200)).toHaveLength(20);
    expect(statuses.slice(20)).toEqual([429, 429]);
    expect((await read(client, id)).items).toHaveLength(20);
    // Some more wait, of anyone.
    const { db } = test.deps.database;
    const rows = await db.selectFrom('clips').selectAll().limit(20).execute();
    await db
      .insertInto('clips')
      .values(rows.map((row, index) => ({ ...row, id: `waiting${index}`, user_id: user.id })))
      .execute();
    const { client: other } = await createSubscriber(test, 'lerato');
    const busy = await post(other, id, { start: 0, seconds: 3 });
    expect([busy.statusCode, busy.headers['retry-after']]).toEqual([429, '120']);
    expect(busy.json<{ message: string }>().message).toContain('Many clips are being made');
    await cutAll();
    expect((await post(other, id, { start: 0, seconds: 3 })).statusCode).toBe(200);
  });

  it('is limited for each day too, and ends before the disk is full', async () => {
    const { id } = await seed();
    const { client } = await createSubscriber(test);
    let made = 0;
    for (let hour = 0; hour < 4; hour += 1) {
      for (let start = 0; start < 20; start += 1) {
        const answer = await post(client, id, { start: hour * 5 + start, seconds: 3 });
        if (answer.statusCode === 200) made += 1;
      }
      await cutAll();
      test.clock.advance(HOUR);
    }
    // Over the day some come back.
    expect(made).toBeGreaterThanOrEqual(40);
    expect(made).toBeLessThan(50);
    const { client: other } = await createSubscriber(test, 'lerato');
    await hasRoomForFiles(test.deps, () => Promise.resolve(0));
    const full = await post(other, id, { start: 0, seconds: 3 });
    expect([full.statusCode, full.json<{ code: string }>().code]).toEqual([507, 'disk_full']);
  });
});

describe('what clips give away', () => {
  it('ends at the limit, also for requests at the same time', async () => {
    const { id } = await seed({ preview_start_ms: 3_000_000 });
    const members = await Promise.all(
      Array.from({ length: 8 }, (_, index) => createSubscriber(test, `member${index}`)),
    );
    const answers = await Promise.all(
      members.map(({ client }, index) => post(client, id, { start: index * 50, seconds: 20 })),
    );
    const statuses = answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b);
    expect(statuses).toEqual([200, 200, 200, 422, 422, 422, 422, 422]);
    const [{ client } = await createUser(test)] = members;
    expect(await read(client, id)).toMatchObject({ limit: 60, left: 0 });
    // What is public already costs nothing, nor does the preview.
    const free = answers.flatMap((answer, index) =>
      answer.statusCode === 200 ? [index * 50] : [],
    );
    const [start = 0] = free;
    await make(client, id, start + 4, 10);
    await make(client, id, 3000, 20);
    const beside = await post(client, id, { start: start + 4, seconds: 20 });
    expect(beside.json()).toMatchObject({
      code: 'clip_refused',
      message: expect.stringContaining('has no clip seconds left'),
    });
  });

  it('stays counted when a clip is removed or the audio replaced, and not if it was never public', async () => {
    const { id } = await seed();
    const { client } = await createSubscriber(test);
    const left = async () => (await read(client, id)).left;
    const remove = (clip: Clip) =>
      client.request({ method: 'DELETE', url: `/api/clips/${clip.id}` });
    const waiting = await make(client, id, 100);
    expect(await left()).toBe(40);
    expect((await remove(waiting)).statusCode).toBe(204);
    expect(await left()).toBe(60);
    const out = await make(client, id, 200);
    await cutAll();
    expect((await remove(out)).statusCode).toBe(204);
    expect(await left()).toBe(40);
    // The same seconds again cost nothing, since they are out.
    await make(client, id, 200);
    await cutAll();
    expect(await left()).toBe(40);
    // Other audio at the same times is something else to hear.
    const { db } = test.deps.database;
    await db
      .updateTable('renditions')
      .set({ key: 'tracks/other-stream.mp3' })
      .where('track_id', '=', id)
      .where('name', '=', 'stream')
      .execute();
    expect(await left()).toBe(40);
    await make(client, id, 200);
    expect(await left()).toBe(20);
  });

  it('grows no further when the preview is moved from place to place', async () => {
    const track = await seed({ preview_start_ms: 0 });
    const { id } = track;
    const { client } = await createSubscriber(test);
    const { client: admin } = await createAdmin(test);
    const move = async (seconds: number) => {
      const { version } = await readTrack(test.deps.database.db, id);
      const response = await admin.request({
        method: 'PATCH',
        url: `/api/admin/tracks/${id}`,
        payload: { version, previewStart: seconds },
      });
      return response;
    };
    /** As the ingest does. */
    const recut = (seconds: number) =>
      test.deps.database.db
        .updateTable('renditions')
        .set({ key: `tracks/${id}${endPreviewKey(seconds * 1000)}.bin` })
        .where('track_id', '=', id)
        .where('name', '=', 'preview')
        .execute();
    const left = async () => (await read(client, id)).left;
    await make(client, id, 0);
    expect(await left()).toBe(60);
    await make(client, id, 200);
    await make(client, id, 300);
    await cutAll();
    expect(await left()).toBe(20);
    // 20 more, and that is all.
    expect((await move(1000)).statusCode).toBe(200);
    expect(await left()).toBe(0);
    // The file is still the old one: what it will have costs as much as anything else.
    expect((await post(client, id, { start: 1000, seconds: 20 })).statusCode).toBe(422);
    await recut(1000);
    await make(client, id, 1000);
    await cutAll();
    const refused = await move(2000);
    expect([refused.statusCode, refused.json()]).toMatchObject([
      400,
      { fields: { previewStart: expect.stringContaining('80 seconds beyond it') } },
    ]);
    expect((await readTrack(test.deps.database.db, id)).preview_start_ms).toBe(1_000_000);
    expect((await move(0)).statusCode).toBe(200);
    await recut(0);
    expect(await left()).toBe(0);
  });

  itOnSqlite(
    'is never more of a mix than the preview and the limit, whatever strangers collect',
    async () => {
      const { id } = await seed({ duration_ms: 600_000, preview_start_ms: 100_000 });
      const attackers = await Promise.all(
        Array.from({ length: 4 }, (_, index) => createSubscriber(test, `attacker${index}`)),
      );
      const stranger = test.createClient();
      const heard = new Set<number>();
      const collect = (body: string) => {
        for (const [, second] of body.matchAll(/<(\d+)>/g)) heard.add(Number(second));
      };
      // The preview says its seconds too. Its embed and its feed have the same file.
      const { storage } = test.deps;
      const preview = Buffer.from(sayings(100, 20));
      await storage.put(`tracks/${id}-preview-100000.bin`, preview);
      await test.deps.database.db
        .updateTable('renditions')
        .set({ size: preview.length })
        .where('track_id', '=', id)
        .where('name', '=', 'preview')
        .execute();
      const embed = await stranger.request({ url: `/embed/track/${id}` });
      const [, audio = ''] = /src="(\/media\/tracks[^"]+)"/.exec(embed.body) ?? [];
      collect((await stranger.request({ url: audio.replaceAll('&amp;', '&') })).body);
      expect(heard.size).toBe(20);
      const ids: string[] = [];
      for (let round = 0; round < 6; round += 1) {
        for (const [index, { client }] of attackers.entries()) {
          for (let attempt = 0; attempt < 10; attempt += 1) {
            // In steps of 20 through the mix, and shifted by a few seconds in each round.
            const start = ((index * 10 + attempt) * 14 + round * 5) % 580;
            const seconds = [20, 3, 11][attempt % 3] ?? 20;
            const response = await post(client, id, { start, seconds });
            if (response.statusCode === 200) ids.push(response.json<Clip>().id);
            else expect([422, 429]).toContain(response.statusCode);
          }
        }
        await cutAll();
        for (const clipId of ids)
          for (const file of clipFiles) {
            collect((await fetchFile(clipId, file)).body);
            const ranges = ['bytes=0-20', 'bytes=-30', 'bytes=5-99999', 'bytes=0-,0-', 'bytes=a-b'];
            for (const range of ranges) collect((await fetchFile(clipId, file, { range })).body);
            const odd = await test.app.inject(
              `${clipFilePath(clipId, file)}?start=0&seconds=600&t=500#x`,
            );
            collect(odd.body);
          }
        // Removed, so that there is room again?
        for (const clipId of ids.splice(0))
          for (const { client } of attackers)
            await client.request({ method: 'DELETE', url: `/api/clips/${clipId}` });
        test.clock.advance(HOUR);
      }
      expect(heard.size).toBeGreaterThan(60);
      expect(heard.size).toBeLessThanOrEqual(20 + 60);
      const other = ['stream.mp3', 'mix.mp4', '..%2fstream', 'audio.mp3%00', 'square.mp4/..'];
      for (const name of other)
        expect(
          (await test.app.inject(`/media/clips/${attackers[0]?.user.id}/${name}`)).statusCode,
        ).toBe(404);
    },
  );
});

describe('a public clip', () => {
  it('ends with the mix, and comes back with it', async () => {
    const track = await seed();
    const { id } = track;
    const { client } = await createSubscriber(test);
    const { client: helper } = await createHelper(test);
    const clip = await make(client, id, 100);
    await change(id, { is_subscriber_only: 1 });
    const teaser = await make(helper, id, 100);
    await cutAll();
    expect(await statusOf(clip.id)).toEqual([404, 404]);
    // The operator made this one of a mix for subscribers.
    expect(await statusOf(teaser.id)).toEqual([200, 200]);
    await change(id, { is_subscriber_only: 0 });
    expect(await statusOf(clip.id)).toEqual([200, 200]);
    const now = test.clock.now();
    for (const publish_at of [null, now + DAY]) {
      await change(id, { publish_at });
      expect(await statusOf(clip.id)).toEqual([404, 404]);
      expect(await statusOf(teaser.id)).toEqual([404, 404]);
    }
    await change(id, { publish_at: track.publish_at });
    expect(await statusOf(clip.id)).toEqual([200, 200]);
    await setLimit(0);
    expect(await statusOf(clip.id)).toEqual([404, 404]);
    const off = await post(client, id, { start: 0, seconds: 3 });
    expect(off.json()).toMatchObject({
      code: 'clip_refused',
      message: expect.stringMatching('off'),
    });
    await setLimit(30);
    expect(await statusOf(clip.id)).toEqual([200, 200]);
  });

  it('does not end with the subscription or the account of whoever made it', async () => {
    const { id } = await seed();
    const { client, user } = await createSubscriber(test);
    const clip = await make(client, id, 100);
    await cutAll();
    await payUntil(test, user, test.clock.now() - 30 * DAY);
    expect(await statusOf(clip.id)).toEqual([200, 200]);
    expect((await read(client, id)).items).toMatchObject([{ id: clip.id }]);
    const archive = await client.request({ url: '/api/me/export' });
    expect(archive.rawPayload.includes('clips.json')).toBe(true);
    const { db } = test.deps.database;
    await db.deleteFrom('users').where('id', '=', user.id).execute();
    expect(await statusOf(clip.id)).toEqual([200, 200]);
    const { client: admin } = await createAdmin(test);
    const list = await admin.request({ url: '/api/admin/clips' });
    expect(list.json<{ items: AdminClip[] }>().items).toMatchObject([{ id: clip.id, maker: null }]);
  });

  it('is seen and removed by helpers and administrators, with its files', async () => {
    const { id, title } = await seed();
    const other = await seed();
    const { client, user } = await createSubscriber(test);
    const { client: helper, user: staff } = await createHelper(test);
    const clip = await make(client, id, 100);
    test.clock.advance(1000);
    const kept = await make(client, other.id, 0, 3);
    await cutAll();
    const list = async (query = '') =>
      (await helper.request({ url: `/api/admin/clips${query}` })).json<{
        items: AdminClip[];
        limit: number;
      }>();
    expect(await list()).toMatchObject({
      limit: 60,
      items: [{ id: kept.id }, { id: clip.id, maker: { id: user.id, name: 'sipho' } }],
    });
    expect((await list(`?track=${id}`)).items).toMatchObject([
      { id: clip.id, start: 100, seconds: 20, track: { id, title, used: 20 } },
    ]);
    const remove = () => helper.request({ method: 'DELETE', url: `/api/admin/clips/${clip.id}` });
    expect(
      (await client.request({ method: 'DELETE', url: `/api/admin/clips/${clip.id}` })).statusCode,
    ).toBe(404);
    expect((await remove()).statusCode).toBe(204);
    expect((await remove()).statusCode).toBe(204);
    expect(await statusOf(clip.id)).toEqual([404, 404]);
    await test.worker.runDue();
    for (const file of clipFiles) {
      expect(await test.deps.storage.stat(keyOfFile(clip.id, file))).toBeNull();
      expect(await test.deps.storage.stat(keyOfFile(kept.id, file))).not.toBeNull();
    }
    expect((await list(`?track=${id}`)).items).toMatchObject([
      { state: 'removed', track: { used: 20 } },
    ]);
    const { db } = test.deps.database;
    const entries = await db.selectFrom('audit_log').selectAll().execute();
    expect(entries).toMatchObject([
      { action: 'track.clip-removed', actor_id: staff.id, subject_id: id },
    ]);
    const others = await client.request({ method: 'DELETE', url: `/api/clips/${kept.id}` });
    expect(others.statusCode).toBe(204);
    const { client: stranger } = await createSubscriber(test, 'lerato');
    for (const clipId of [kept.id, 'unknown', clip.id])
      expect(
        (await stranger.request({ method: 'DELETE', url: `/api/clips/${clipId}` })).statusCode,
      ).toBe(404);
  });

  it('loses its files with those of its deleted mix', async () => {
    const { id } = await seed();
    const { client } = await createSubscriber(test);
    const clip = await make(client, id, 100);
    await cutAll();
    const now = test.clock.now();
    await change(id, { publish_at: null, deleted_at: now - 8 * DAY });
    await test.deps.database.db.deleteFrom('jobs').execute();
    test.clock.advance(HOUR + MINUTE);
    await test.worker.start();
    await test.worker.stop();
    await test.worker.runDue();
    expect(await test.deps.storage.stat(keyOfFile(clip.id, 'square'))).toBeNull();
  });
});

describeOnSqlite('a clip of audio', () => {
  it('stays when that is made again from its master, and ends when other audio replaces it', async () => {
    const id = await ingestTone(test, { duration_ms: 30_000, preview_start_ms: 10_000 });
    const { client } = await createSubscriber(test);
    const clip = await make(client, id, 2, 3);
    await cutAll();
    const waiting = await make(client, id, 5, 3);
    const { database, storage, clock } = test.deps;
    const { master_key } = await readTrack(database.db, id);
    const ingest = async (masterKey: string, runId: string) => {
      const started = { trackId: id, masterKey, runId, now: clock.now() };
      await database.db.transaction().execute((tx) => startIngest(tx, started));
      await database.db.deleteFrom('jobs').where('name', '=', 'cut-clip').execute();
      await test.worker.runDue();
    };
    await ingest(master_key ?? '', 'again');
    expect(await statusOf(clip.id)).toEqual([200, 200]);
    expect(await read(client, id)).toMatchObject({ left: 54, free: [{ from: 2, to: 8 }, {}] });
    const { runId, masterKey } = createMasterKey('wav', clock.now());
    await storage.put(masterKey, writeToneWav({ seconds: 30, loudFrom: 3 }));
    await ingest(masterKey, runId);
    expect(await statusOf(clip.id)).toEqual([404, 404]);
    await test.worker.runDue();
    for (const file of clipFiles) expect(await storage.stat(keyOfFile(clip.id, file))).toBeNull();
    // The one that was public stays counted, and the one that waited was none.
    const { items, left, free } = await read(client, id);
    expect([items, left, free.length]).toEqual([[], 57, 1]);
    expect((await post(client, id, { start: 5, seconds: 3 })).json()).not.toMatchObject({
      id: waiting.id,
    });
  });
});

describe('the job', () => {
  itOnSqlite('publishes nothing that may no longer be public when it is ready', async () => {
    const id = await ingestTone(test, { duration_ms: 30_000, preview_start_ms: 10_000 });
    const { client } = await createSubscriber(test);
    const { storage, media } = test.deps;
    const real = await media();
    test.deps.media = async () => ({
      ...real,
      makeVideo: async ({ to }) => writeFile(to, 'video'),
    });
    const now = test.clock.now();
    const shown = await readTrack(test.deps.database.db, id);
    const put = storage.put.bind(storage);
    const states: Record<string, string | undefined> = {};
    for (const [name, happen] of Object.entries({
      'a lower limit': () => setLimit(2),
      'no clips': () => setLimit(0),
      'an unpublished mix': () => change(id, { publish_at: null }),
      'an early mix': () => change(id, { publish_at: now + DAY }),
      'a mix for subscribers': () => change(id, { is_subscriber_only: 1 }),
      nothing: () => Promise.resolve(),
    })) {
      const clip = await make(client, id, 2, 3);
      storage.put = async (key, content) => {
        await put(key, content);
        if (key === keyOfFile(clip.id, 'upright')) await happen();
      };
      await test.worker.runDue();
      await test.worker.runDue();
      const { publish_at, is_subscriber_only } = shown;
      await change(id, { publish_at, is_subscriber_only });
      await setLimit(60);
      const isThere = (await storage.stat(keyOfFile(clip.id, 'square'))) !== null;
      const made = (await read(client, id)).items.find((item) => item.id === clip.id);
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
    const id = await ingestTone(test, { duration_ms: 9000 });
    const { client } = await createSubscriber(test);
    const clip = await make(client, id, 1, 3);
    const { storage, media } = test.deps;
    const real = await media();
    // Between the last file and the transaction that publishes it.
    const put = storage.put.bind(storage);
    storage.put = async (key, content) => {
      await put(key, content);
      if (key === keyOfFile(clip.id, 'upright'))
        await client.request({ method: 'DELETE', url: `/api/clips/${clip.id}` });
    };
    test.deps.media = async () => ({
      ...real,
      makeVideo: async ({ to }) => writeFile(to, 'video'),
    });
    await test.worker.runDue();
    await test.worker.runDue();
    for (const file of clipFiles) expect(await storage.stat(keyOfFile(clip.id, file))).toBeNull();
    expect(await statusOf(clip.id)).toEqual([404, 404]);
    expect((await read(client, id)).left).toBe(60);
  });

  it('tries again, and gives the seconds back when it can’t', async () => {
    const id = await ingestTone(test, { duration_ms: 9000 });
    const { client } = await createSubscriber(test);
    const clip = await make(client, id, 1, 3);
    const { media } = test.deps;
    const real = await media();
    test.deps.media = async () => ({
      ...real,
      cutSound: () => Promise.reject(new Error('No memory.')),
    });
    const stateOf = async () => (await read(client, id)).items.map(({ state }) => state);
    await test.worker.runDue();
    expect(await stateOf()).toEqual(['waiting']);
    for (let attempt = 1; attempt < 4; attempt += 1) {
      test.clock.advance(HOUR);
      await test.worker.runDue();
    }
    expect(await stateOf()).toEqual(['failed']);
    await test.worker.runDue();
    for (const file of clipFiles)
      expect(await test.deps.storage.stat(keyOfFile(clip.id, file))).toBeNull();
    // New audio has other seconds than the ones that were marked.
    test.deps.media = media;
    const next = await make(client, id, 1, 3);
    // An earlier attempt was stopped after it.
    await test.deps.storage.put(keyOfFile(next.id, 'audio'), Buffer.from('<1>'));
    expect(next.id).not.toBe(clip.id);
    await test.deps.database.db
      .updateTable('renditions')
      .set({ key: 'tracks/other-stream.mp3' })
      .where('track_id', '=', id)
      .where('name', '=', 'stream')
      .execute();
    await test.worker.runDue();
    expect(await stateOf()).toEqual(['failed', 'failed']);
    await test.worker.runDue();
    expect(await test.deps.storage.stat(keyOfFile(next.id, 'audio'))).toBeNull();
  });
});

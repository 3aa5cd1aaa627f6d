/** @module-tag both-databases */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { clipFilePath, type Clip } from '#contract/clips.ts';
import { HOUR } from '#contract/rules/time.ts';
import { endPreviewKey } from '../../ports/media/preview-window.ts';
import { itOnSqlite } from '../../testing/on-sqlite.ts';
import { readTrack } from '../../testing/seed-track.ts';
import { createAdmin } from '../../testing/test-admin.ts';
import { createSubscriber, createUser } from '../../testing/test-user.ts';
import { clipFiles } from './jobs.ts';
import { sayings, startClipSite, type ClipSite } from '../../testing/clip-site.ts';

let site: ClipSite;
beforeEach(async () => {
  site = await startClipSite();
});
afterEach(() => site.close());

describe('what clips give away', () => {
  it('ends at the limit, also for requests at the same time', async () => {
    const { id } = await site.seed({ preview_start_ms: 3_000_000 });
    const members = await Promise.all(
      Array.from({ length: 8 }, (_, index) => createSubscriber(site, `member${index}`)),
    );
    const answers = await Promise.all(
      members.map(({ client }, index) => site.post(client, id, { start: index * 50, seconds: 20 })),
    );
    const statuses = answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b);
    expect(statuses).toEqual([200, 200, 200, 422, 422, 422, 422, 422]);
    const [{ client } = await createUser(site)] = members;
    expect(await site.read(client, id)).toMatchObject({ limit: 60, left: 0 });
    // What is public already costs nothing, nor does the preview.
    const free = answers.flatMap((answer, index) =>
      answer.statusCode === 200 ? [index * 50] : [],
    );
    const [start = 0] = free;
    await site.make(client, id, start + 4, 10);
    await site.make(client, id, 3000, 20);
    const beside = await site.post(client, id, { start: start + 4, seconds: 20 });
    expect(beside.json()).toMatchObject({
      code: 'clip_refused',
      message: expect.stringContaining('has no clip seconds left'),
    });
  });

  it('stays counted when a clip is removed or the audio replaced, and not if it was never public', async () => {
    const { id } = await site.seed();
    const { client } = await createSubscriber(site);
    const left = async () => (await site.read(client, id)).left;
    const remove = (clip: Clip) =>
      client.request({ method: 'DELETE', url: `/api/clips/${clip.id}` });
    const waiting = await site.make(client, id, 100);
    expect(await left()).toBe(40);
    expect((await remove(waiting)).statusCode).toBe(204);
    expect(await left()).toBe(60);
    const out = await site.make(client, id, 200);
    await site.cutAll();
    expect((await remove(out)).statusCode).toBe(204);
    expect(await left()).toBe(40);
    // The same seconds again cost nothing, since they are out.
    await site.make(client, id, 200);
    await site.cutAll();
    expect(await left()).toBe(40);
    // Other audio at the same times is something else to hear.
    const { db } = site.deps.database;
    await db
      .updateTable('renditions')
      .set({ key: 'tracks/other-stream.mp3' })
      .where('track_id', '=', id)
      .where('name', '=', 'stream')
      .execute();
    expect(await left()).toBe(40);
    await site.make(client, id, 200);
    expect(await left()).toBe(20);
  });

  it('grows no further when the preview is moved from place to place', async () => {
    const track = await site.seed({ preview_start_ms: 0 });
    const { id } = track;
    const { client } = await createSubscriber(site);
    const { client: admin } = await createAdmin(site);
    const move = async (seconds: number) => {
      const { version } = await readTrack(site.deps.database.db, id);
      const response = await admin.request({
        method: 'PATCH',
        url: `/api/admin/tracks/${id}`,
        payload: { version, previewStart: seconds },
      });
      return response;
    };
    /** As the ingest does. */
    const recut = (seconds: number) =>
      site.deps.database.db
        .updateTable('renditions')
        .set({ key: `tracks/${id}${endPreviewKey(seconds * 1000)}.bin` })
        .where('track_id', '=', id)
        .where('name', '=', 'preview')
        .execute();
    const left = async () => (await site.read(client, id)).left;
    await site.make(client, id, 0);
    expect(await left()).toBe(60);
    await site.make(client, id, 200);
    await site.make(client, id, 300);
    await site.cutAll();
    expect(await left()).toBe(20);
    // 20 more, and that is all.
    expect((await move(1000)).statusCode).toBe(200);
    expect(await left()).toBe(0);
    // The file is still the old one: what it will have costs as much as anything else.
    expect((await site.post(client, id, { start: 1000, seconds: 20 })).statusCode).toBe(422);
    await recut(1000);
    await site.make(client, id, 1000);
    await site.cutAll();
    const refused = await move(2000);
    expect([refused.statusCode, refused.json()]).toMatchObject([
      400,
      { fields: { previewStart: expect.stringContaining('80 seconds beyond it') } },
    ]);
    expect((await readTrack(site.deps.database.db, id)).preview_start_ms).toBe(1_000_000);
    expect((await move(0)).statusCode).toBe(200);
    await recut(0);
    expect(await left()).toBe(0);
  });

  itOnSqlite(
    'is never more of a mix than the preview and the limit, whatever strangers collect',
    async () => {
      const { id } = await site.seed({ duration_ms: 600_000, preview_start_ms: 100_000 });
      const attackers = await Promise.all(
        Array.from({ length: 4 }, (_, index) => createSubscriber(site, `attacker${index}`)),
      );
      const stranger = site.createClient();
      const heard = new Set<number>();
      const collect = (body: string) => {
        for (const [, second] of body.matchAll(/<(\d+)>/g)) heard.add(Number(second));
      };
      // The preview says its seconds too. Its embed and its feed have the same file.
      const { storage } = site.deps;
      const preview = Buffer.from(sayings(100, 20));
      await storage.put(`tracks/${id}-preview-100000.bin`, preview);
      await site.deps.database.db
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
            const response = await site.post(client, id, { start, seconds });
            if (response.statusCode === 200) ids.push(response.json<Clip>().id);
            else expect([422, 429]).toContain(response.statusCode);
          }
        }
        await site.cutAll();
        for (const clipId of ids)
          for (const file of clipFiles) {
            collect((await site.fetchFile(clipId, file)).body);
            const ranges = ['bytes=0-20', 'bytes=-30', 'bytes=5-99999', 'bytes=0-,0-', 'bytes=a-b'];
            for (const range of ranges)
              collect((await site.fetchFile(clipId, file, { range })).body);
            const odd = await site.app.inject(
              `${clipFilePath(clipId, file)}?start=0&seconds=600&t=500#x`,
            );
            collect(odd.body);
          }
        // Removed, so that there is room again?
        for (const clipId of ids.splice(0))
          for (const { client } of attackers)
            await client.request({ method: 'DELETE', url: `/api/clips/${clipId}` });
        site.clock.advance(HOUR);
      }
      expect(heard.size).toBeGreaterThan(60);
      expect(heard.size).toBeLessThanOrEqual(20 + 60);
      const other = ['stream.mp3', 'mix.mp4', '..%2fstream', 'audio.mp3%00', 'square.mp4/..'];
      for (const name of other)
        expect(
          (await site.app.inject(`/media/clips/${attackers[0]?.user.id}/${name}`)).statusCode,
        ).toBe(404);
    },
  );
});

/** @module-tag both-databases */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AdminClip } from '#contract/admin/clips.ts';
import { DAY, HOUR, MINUTE } from '#contract/rules/time.ts';
import { hasRoomForFiles } from '../../ports/storage/disk-space.ts';
import { ingestTone } from '../../testing/ingest-tone.ts';
import { describeOnSqlite } from '../../testing/on-sqlite.ts';
import { readTrack } from '../../testing/seed-track.ts';
import { createAdmin, createHelper } from '../../testing/test-admin.ts';
import { type TestClient } from '../../testing/test-app.ts';
import { writeToneWav } from '../../testing/tone-wav.ts';
import { createSubscriber, createUser, payUntil } from '../../testing/test-user.ts';
import { createMasterKey, startIngest } from '../ingest/service.ts';
import { clipFiles, keyOfFile } from './jobs.ts';
import { startClipSite, type ClipSite } from '../../testing/clip-site.ts';

let site: ClipSite;
beforeEach(async () => {
  site = await startClipSite();
});
afterEach(() => site.close());

describe('making one', () => {
  it('is for subscribers and staff, of a mix that everyone can hear a preview of', async () => {
    const { id } = await site.seed();
    const visitor = site.createClient();
    const { client: free } = await createUser(site, 'free');
    const { client } = await createSubscriber(site);
    const { client: helper } = await createHelper(site);
    const answer = async (who: TestClient, trackId: string) => {
      const response = await site.post(who, trackId, { start: 0, seconds: 3 });
      return [response.statusCode, response.json<{ code?: string }>().code];
    };
    expect(await answer(visitor, id)).toEqual([401, 'unauthenticated']);
    expect(await answer(free, id)).toEqual([403, 'subscribers_only']);
    expect((await site.read(free, id)).refusal).toBe('Clips are part of Premium.');
    expect(await answer(client, id)).toEqual([200, undefined]);
    expect(await answer(helper, id)).toEqual([200, undefined]);
    const now = site.clock.now();
    const draft = await site.seed({ publish_at: null });
    const early = await site.seed({ publish_at: now + HOUR });
    const reserved = await site.seed({ is_subscriber_only: 1 });
    expect(await answer(client, 'unknown')).toEqual([404, 'not_found']);
    expect(await answer(client, draft.id)).toEqual([404, 'not_found']);
    expect(await answer(helper, draft.id)).toEqual([422, 'clip_refused']);
    expect(await answer(client, early.id)).toEqual([422, 'clip_refused']);
    expect(await answer(client, reserved.id)).toEqual([422, 'clip_refused']);
    expect(await answer(helper, reserved.id)).toEqual([200, undefined]);
  });

  it('takes 3 to 20 whole seconds inside the mix', async () => {
    const { id } = await site.seed({ duration_ms: 95_500 });
    const { client } = await createSubscriber(site);
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
      const response = await site.post(client, id, payload);
      expect([payload, response.statusCode]).toEqual([payload, 400]);
      expect(response.json()).toMatchObject({ code: 'validation_failed' });
    }
    for (const start of [91, 95, 96, 3000]) {
      const response = await site.post(client, id, { start, seconds: 5 });
      expect([response.statusCode, response.json<{ code: string }>().code]).toEqual([
        422,
        'clip_refused',
      ]);
    }
    expect((await site.post(client, id, { start: 90, seconds: 5 })).statusCode).toBe(200);
  });

  it('is the same clip when the same member marks the same seconds again', async () => {
    const { id } = await site.seed();
    const { client } = await createSubscriber(site);
    const first = await site.make(client, id, 100);
    expect((await site.make(client, id, 100)).id).toBe(first.id);
    const { client: other } = await createSubscriber(site, 'lerato');
    expect((await site.make(other, id, 100)).id).not.toBe(first.id);
    expect((await site.read(client, id)).items).toHaveLength(1);
  });

  it('is limited for each member, and for all of them while many wait', async () => {
    const { id } = await site.seed();
    const { client, user } = await createSubscriber(site);
    const statuses = [];
    for (let start = 0; start < 22; start += 1)
      statuses.push((await site.post(client, id, { start: start * 2, seconds: 3 })).statusCode);
    expect(statuses.filter((status) => status === 200)).toHaveLength(20);
    expect(statuses.slice(20)).toEqual([429, 429]);
    expect((await site.read(client, id)).items).toHaveLength(20);
    // Some more wait, of anyone.
    const { db } = site.deps.database;
    const rows = await db.selectFrom('clips').selectAll().limit(20).execute();
    await db
      .insertInto('clips')
      .values(rows.map((row, index) => ({ ...row, id: `waiting${index}`, user_id: user.id })))
      .execute();
    const { client: other } = await createSubscriber(site, 'lerato');
    const busy = await site.post(other, id, { start: 0, seconds: 3 });
    expect([busy.statusCode, busy.headers['retry-after']]).toEqual([429, '120']);
    expect(busy.json<{ message: string }>().message).toContain('Many clips are being made');
    await site.cutAll();
    expect((await site.post(other, id, { start: 0, seconds: 3 })).statusCode).toBe(200);
  });

  it('is limited for each day too, and ends before the disk is full', async () => {
    const { id } = await site.seed();
    const { client } = await createSubscriber(site);
    let made = 0;
    for (let hour = 0; hour < 4; hour += 1) {
      for (let start = 0; start < 20; start += 1) {
        const answer = await site.post(client, id, { start: hour * 5 + start, seconds: 3 });
        if (answer.statusCode === 200) made += 1;
      }
      await site.cutAll();
      site.clock.advance(HOUR);
    }
    // Over the day some come back.
    expect(made).toBeGreaterThanOrEqual(40);
    expect(made).toBeLessThan(50);
    const { client: other } = await createSubscriber(site, 'lerato');
    await hasRoomForFiles(site.deps, () => Promise.resolve(0));
    const full = await site.post(other, id, { start: 0, seconds: 3 });
    expect([full.statusCode, full.json<{ code: string }>().code]).toEqual([507, 'disk_full']);
  });
});

describe('a public clip', () => {
  it('ends with the mix, and comes back with it', async () => {
    const track = await site.seed();
    const { id } = track;
    const { client } = await createSubscriber(site);
    const { client: helper } = await createHelper(site);
    const clip = await site.make(client, id, 100);
    await site.change(id, { is_subscriber_only: 1 });
    const teaser = await site.make(helper, id, 100);
    await site.cutAll();
    expect(await site.statusOf(clip.id)).toEqual([404, 404]);
    // The operator made this one of a mix for subscribers.
    expect(await site.statusOf(teaser.id)).toEqual([200, 200]);
    await site.change(id, { is_subscriber_only: 0 });
    expect(await site.statusOf(clip.id)).toEqual([200, 200]);
    const now = site.clock.now();
    for (const publish_at of [null, now + DAY]) {
      await site.change(id, { publish_at });
      expect(await site.statusOf(clip.id)).toEqual([404, 404]);
      expect(await site.statusOf(teaser.id)).toEqual([404, 404]);
    }
    await site.change(id, { publish_at: track.publish_at });
    expect(await site.statusOf(clip.id)).toEqual([200, 200]);
    await site.setLimit(0);
    expect(await site.statusOf(clip.id)).toEqual([404, 404]);
    const off = await site.post(client, id, { start: 0, seconds: 3 });
    expect(off.json()).toMatchObject({
      code: 'clip_refused',
      message: expect.stringMatching('off'),
    });
    await site.setLimit(30);
    expect(await site.statusOf(clip.id)).toEqual([200, 200]);
  });

  it('does not end with the subscription or the account of whoever made it', async () => {
    const { id } = await site.seed();
    const { client, user } = await createSubscriber(site);
    const clip = await site.make(client, id, 100);
    await site.cutAll();
    await payUntil(site, user, site.clock.now() - 30 * DAY);
    expect(await site.statusOf(clip.id)).toEqual([200, 200]);
    expect((await site.read(client, id)).items).toMatchObject([{ id: clip.id }]);
    const archive = await client.request({ url: '/api/me/export' });
    expect(archive.rawPayload.includes('clips.json')).toBe(true);
    const { db } = site.deps.database;
    await db.deleteFrom('users').where('id', '=', user.id).execute();
    expect(await site.statusOf(clip.id)).toEqual([200, 200]);
    const { client: admin } = await createAdmin(site);
    const list = await admin.request({ url: '/api/admin/clips' });
    expect(list.json<{ items: AdminClip[] }>().items).toMatchObject([{ id: clip.id, maker: null }]);
  });

  it('is seen and removed by helpers and administrators, with its files', async () => {
    const { id, title } = await site.seed();
    const other = await site.seed();
    const { client, user } = await createSubscriber(site);
    const { client: helper, user: staff } = await createHelper(site);
    const clip = await site.make(client, id, 100);
    site.clock.advance(1000);
    const kept = await site.make(client, other.id, 0, 3);
    await site.cutAll();
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
    expect(await site.statusOf(clip.id)).toEqual([404, 404]);
    await site.worker.runDue();
    for (const file of clipFiles) {
      expect(await site.deps.storage.stat(keyOfFile(clip.id, file))).toBeNull();
      expect(await site.deps.storage.stat(keyOfFile(kept.id, file))).not.toBeNull();
    }
    expect((await list(`?track=${id}`)).items).toMatchObject([
      { state: 'removed', track: { used: 20 } },
    ]);
    const { db } = site.deps.database;
    const entries = await db.selectFrom('audit_log').selectAll().execute();
    expect(entries).toMatchObject([
      { action: 'track.clip-removed', actor_id: staff.id, subject_id: id },
    ]);
    const others = await client.request({ method: 'DELETE', url: `/api/clips/${kept.id}` });
    expect(others.statusCode).toBe(204);
    const { client: stranger } = await createSubscriber(site, 'lerato');
    for (const clipId of [kept.id, 'unknown', clip.id])
      expect(
        (await stranger.request({ method: 'DELETE', url: `/api/clips/${clipId}` })).statusCode,
      ).toBe(404);
  });

  it('loses its files with those of its deleted mix', async () => {
    const { id } = await site.seed();
    const { client } = await createSubscriber(site);
    const clip = await site.make(client, id, 100);
    await site.cutAll();
    const now = site.clock.now();
    await site.change(id, { publish_at: null, deleted_at: now - 8 * DAY });
    await site.deps.database.db.deleteFrom('jobs').execute();
    site.clock.advance(HOUR + MINUTE);
    await site.worker.start();
    await site.worker.stop();
    await site.worker.runDue();
    expect(await site.deps.storage.stat(keyOfFile(clip.id, 'square'))).toBeNull();
  });
});

describeOnSqlite('a clip of audio', () => {
  it('stays when that is made again from its master, and ends when other audio replaces it', async () => {
    const id = await ingestTone(site, { duration_ms: 30_000, preview_start_ms: 10_000 });
    const { client } = await createSubscriber(site);
    const clip = await site.make(client, id, 2, 3);
    await site.cutAll();
    const waiting = await site.make(client, id, 5, 3);
    const { database, storage, clock } = site.deps;
    const { master_key } = await readTrack(database.db, id);
    const ingest = async (masterKey: string, runId: string) => {
      const started = { trackId: id, masterKey, runId, now: clock.now() };
      await database.db.transaction().execute((tx) => startIngest(tx, started));
      await database.db.deleteFrom('jobs').where('name', '=', 'cut-clip').execute();
      await site.worker.runDue();
    };
    await ingest(master_key ?? '', 'again');
    expect(await site.statusOf(clip.id)).toEqual([200, 200]);
    expect(await site.read(client, id)).toMatchObject({ left: 54, free: [{ from: 2, to: 8 }, {}] });
    const { runId, masterKey } = createMasterKey('wav', clock.now());
    await storage.put(masterKey, writeToneWav({ seconds: 30, loudFrom: 3 }));
    await ingest(masterKey, runId);
    expect(await site.statusOf(clip.id)).toEqual([404, 404]);
    await site.worker.runDue();
    for (const file of clipFiles) expect(await storage.stat(keyOfFile(clip.id, file))).toBeNull();
    // The one that was public stays counted, and the one that waited was none.
    const { items, left, free } = await site.read(client, id);
    expect([items, left, free.length]).toEqual([[], 57, 1]);
    expect((await site.post(client, id, { start: 5, seconds: 3 })).json()).not.toMatchObject({
      id: waiting.id,
    });
  });
});

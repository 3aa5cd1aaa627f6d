/** @module-tag both-databases */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AuditEntry } from '#contract/admin/audit.ts';
import type { BulkUndo } from '#contract/admin/catalogue.ts';
import { DELETED_TRACK_MS } from '#contract/track-fields.ts';
import { logInAgain } from '../../testing/random-listening.ts';
import { createAdmin } from '../../testing/test-admin.ts';
import { createTestApp, type TestApp, type TestClient } from '../../testing/test-app.ts';
import { createCatalogue, type TestCatalogue } from '../../testing/test-catalogue.ts';
import { createSubscriber } from '../../testing/test-user.ts';
import { purgeDeletedTracks } from './purge.ts';
import { HOUR } from '#contract/rules/time.ts';
import { weekOf } from '#contract/rules/weeks.ts';

let test: TestApp;
let admin: TestClient;
let catalogue: TestCatalogue;

beforeAll(async () => {
  test = await createTestApp();
  admin = (await createAdmin(test)).client;
  catalogue = createCatalogue(test, admin);
});
afterAll(() => test.close());
beforeEach(() => test.deps.database.db.deleteFrom('tracks').execute());

describe('a bulk change', () => {
  it('publishes, unpublishes and moves tracks, and two may share a week', async () => {
    const [a, b] = [
      await catalogue.seed({ publish_at: null }),
      await catalogue.seed({ publish_at: null }),
    ];
    const ids = [a.id, b.id];
    expect((await catalogue.bulk({ action: 'publish', ids })).json()).toMatchObject({
      changed: expect.arrayContaining(ids) as string[],
    });
    expect(await catalogue.isOut(a.id)).toBe(true);
    await catalogue.bulk({ action: 'unpublish', ids: [a.id] });
    expect(await catalogue.isOut(a.id)).toBe(false);
    await catalogue.bulk({ action: 'move', ids, week: 7, year: 2026 });
    expect((await catalogue.list()).map(({ weekNumber }) => weekNumber)).toEqual([7, 7]);
    await catalogue.bulk({ action: 'publish', ids });
    const week = await test.createClient().request({ url: '/api/tracks?year=2026&week=7' });
    const listed = week.json<{ items: { id: string }[] }>().items.map(({ id }) => id);
    expect(listed.toSorted()).toEqual(ids.toSorted());
  });

  it('schedules tracks that come out on time, for subscribers first', async () => {
    const { id } = await catalogue.seed({ publish_at: null });
    const at = test.clock.now() + 72 * HOUR;
    await catalogue.bulk({ action: 'schedule', ids: [id], at });
    const { client } = await createSubscriber(test, 'first');
    // Until 48 hours before.
    test.clock.advance(24 * HOUR - 1);
    expect(await catalogue.isOut(id, client)).toBe(false);
    test.clock.advance(1);
    expect(await catalogue.isOut(id, client)).toBe(true);
    expect(await catalogue.isOut(id)).toBe(false);
    // No job has to run: the time is compared on each request.
    test.clock.advance(48 * HOUR);
    expect(await catalogue.isOut(id)).toBe(true);
  });

  it('schedules each track at the release time of its own week, unless one has passed', async () => {
    const { year } = weekOf(test.clock.now(), 'UTC');
    const [first, second] = [
      await catalogue.seed({ publish_at: null, year: year + 1, week: 1 }),
      await catalogue.seed({ publish_at: null, year: year + 1, week: 30 }),
    ];
    const schedule = (...ids: string[]) => catalogue.bulk({ action: 'schedule', ids, at: null });
    expect((await schedule(first.id, second.id)).statusCode).toBe(200);
    const times = (await catalogue.list('?sort=release')).map(({ publishAt }) => publishAt);
    const [late, early] = times.map((at) => new Date(at ?? 0));
    expect(times.map((at) => weekOf(at ?? 0, 'Africa/Johannesburg').week)).toEqual([30, 1]);
    // Fridays at 06:00, two hours ahead of UTC.
    for (const day of [late, early]) expect([day?.getUTCDay(), day?.getUTCHours()]).toEqual([5, 4]);

    const past = await catalogue.seed({ publish_at: null, year: year - 1, week: 20 });
    const answer = await schedule(past.id, first.id);
    expect(answer.statusCode).toBe(400);
    expect(answer.json<{ fields: object }>().fields).toHaveProperty('at');
    expect(await catalogue.titles('?state=draft')).toEqual([past.title]);
  });

  it('can be undone, unless someone changed the tracks since', async () => {
    const [out, draft] = [
      await catalogue.seed({ week: 3 }),
      await catalogue.seed({ publish_at: null, week: 4 }),
    ];
    const ids = [out.id, draft.id];
    const run = async (payload: object) =>
      (await catalogue.bulk({ ids, ...payload })).json<{ undo: BulkUndo }>().undo;
    const revert = (items: BulkUndo) => catalogue.bulk({ action: 'revert', items });
    for (const change of [
      { action: 'unpublish' },
      { action: 'publish' },
      { action: 'schedule', at: test.clock.now() + HOUR },
      { action: 'move', week: 9, year: 2025 },
    ]) {
      const undo = await run(change);
      expect((await revert(undo)).statusCode).toBe(200);
      const rows = await catalogue.list();
      expect(rows.find(({ id }) => id === out.id)).toMatchObject({
        publishAt: out.publish_at,
        weekNumber: 3,
      });
      expect(rows.find(({ id }) => id === draft.id)).toMatchObject({
        publishAt: null,
        weekNumber: 4,
      });
      expect((await revert(undo)).json()).toMatchObject({ code: 'track_changed' });
    }
    const undo = await run({ action: 'move', week: 9, year: 2025 });
    const [mix] = await catalogue.list();
    await catalogue.edit(mix?.id ?? '', { version: mix?.version ?? 0, title: 'Changed since' });
    expect((await revert(undo)).statusCode).toBe(409);
    expect((await catalogue.list()).map(({ weekNumber }) => weekNumber)).toEqual([9, 9]);
  });

  it('writes one audit entry per changed track', async () => {
    const { id } = await catalogue.seed({ publish_at: null, title: 'Night Bus' });
    const other = await catalogue.seed();
    const readLog = async () =>
      (await admin.request({ url: `/api/admin/audit?kind=track&subject=${id}` })).json<{
        items: AuditEntry[];
      }>().items;
    await catalogue.bulk({ action: 'publish', ids: [id, other.id] });
    test.clock.advance(1);
    await catalogue.bulk({ action: 'publish', ids: [id, 'nothing'] });
    await catalogue.edit(id, { version: 1, title: 'Night Bus Home', genre: 'Gqom' });
    await catalogue.edit(id, { version: 1, title: 'Too late' });
    test.clock.advance(1);
    await catalogue.bulk({ action: 'delete', ids: [id] });
    const entries = await readLog();
    expect(entries.map(({ action }) => action)).toEqual([
      'track.deleted',
      'track.edited',
      'track.published',
    ]);
    expect(entries[1]).toMatchObject({
      actor: { name: 'naledi' },
      subject: { kind: 'track', id, name: 'Night Bus Home' },
      changes: [
        { field: 'title', before: 'Night Bus', after: 'Night Bus Home' },
        { field: 'genre', before: 'Amapiano', after: 'Gqom' },
      ],
    });
    expect(entries[2]?.changes).toMatchObject([{ field: 'release', before: null }]);
    expect(entries[0]?.subject).toMatchObject({ weekNumber: entries[1]?.subject.weekNumber });
    expect(entries[0]?.subject.isDeleted).toBe(true);
  });

  it.each([
    [{ action: 'schedule', at: 1000 }, 'at'],
    [{ action: 'move', week: 54, year: 2026 }, 'week'],
    [{ action: 'move', week: 53, year: 2025 }, 'week'],
  ])('rejects %j and changes nothing', async (change, field) => {
    const { id } = await catalogue.seed();
    const answer = await catalogue.bulk({ ...change, ids: [id] });
    expect(answer.statusCode).toBe(400);
    expect(answer.json<{ fields: object }>().fields).toHaveProperty(field);
    expect(await catalogue.isOut(id)).toBe(true);
  });

  it('changes all tracks or none', async () => {
    const { id } = await catalogue.seed({ publish_at: null });
    expect((await catalogue.bulk({ action: 'publish', ids: [id, 'nothing'] })).statusCode).toBe(
      404,
    );
    expect(await catalogue.isOut(id)).toBe(false);
  });

  it('deletes tracks, which can be restored until their files are purged', async () => {
    const { database, storage } = test.deps;
    const { id, publish_at } = await catalogue.seed();
    await catalogue.bulk({ action: 'delete', ids: [id] });
    expect(await catalogue.isOut(id)).toBe(false);
    expect(await catalogue.titles()).toEqual([]);
    expect(await catalogue.titles('?state=deleted')).toEqual(['Golden Hour Pressure']);
    await catalogue.bulk({ action: 'restore', ids: [id] });
    expect(await catalogue.isOut(id)).toBe(true);
    expect((await catalogue.list())[0]?.publishAt).toBe(publish_at);

    await catalogue.bulk({ action: 'delete', ids: [id] });
    const run = () =>
      purgeDeletedTracks.execute(test.deps, '{}', {
        id: '',
        attempt: 1,
        maxAttempts: 1,
        signal: new AbortController().signal,
        finish: async () => undefined,
      });
    await run();
    expect(await storage.stat(`tracks/${id}-stream.bin`)).not.toBeNull();
    test.clock.advance(DELETED_TRACK_MS);
    // A jump of the clock deletes nothing until the site has run for a day.
    for (let hours = 0; hours < 24; hours += 1) {
      await run();
      test.clock.advance(HOUR);
    }
    expect(await storage.stat(`tracks/${id}-stream.bin`)).not.toBeNull();
    await logInAgain(admin);
    await run();
    await test.worker.runDue();
    expect(await storage.stat(`tracks/${id}-stream.bin`)).toBeNull();
    expect((await catalogue.bulk({ action: 'restore', ids: [id] })).json()).toEqual({
      changed: [],
      undo: [],
    });
    const row = await database.db
      .selectFrom('tracks')
      .select('title')
      .where('id', '=', id)
      .execute();
    expect(row).toEqual([{ title: 'Golden Hour Pressure' }]);
  });
});

/** @module-tag both-databases */
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import sharp from 'sharp';
import type { AuditEntry } from '#contract/admin/audit.ts';
import { CatalogueDetail, type CatalogueTrack } from '#contract/admin/catalogue.ts';
import { createAdmin } from '../../testing/test-admin.ts';
import { createTestApp, type TestApp, type TestClient } from '../../testing/test-app.ts';
import { createCatalogue, type TestCatalogue } from '../../testing/test-catalogue.ts';
import { createUser, createSubscriber } from '../../testing/test-user.ts';
import { buildLargePng } from '../../testing/large-png.ts';
import { HOUR } from '#contract/rules/time.ts';
import type { TrackDetail } from '#contract/tracks.ts';
import { itOnSqlite } from '../../testing/on-sqlite.ts';

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

describe('the catalogue', () => {
  it('filters by state, year, genre and text', async () => {
    const now = test.clock.now();
    await catalogue.seed({ title: 'Out', week: 40 });
    await catalogue.seed({ title: 'Coming', publish_at: now + HOUR, week: 41 });
    await catalogue.seed({
      title: 'Sketch',
      publish_at: null,
      week: 42,
      genre: 'Gqom',
      series: 'Rooftops',
    });
    await catalogue.seed({
      title: 'Broken',
      status: 'failed',
      failure: 'The file is silent.',
      week: 43,
    });
    await catalogue.seed({ title: 'Last year', year: 2025, week: 44 });
    expect(await catalogue.titles()).toEqual(['Broken', 'Sketch', 'Coming', 'Out', 'Last year']);
    expect(await catalogue.titles('?state=scheduled')).toEqual(['Coming']);
    expect(await catalogue.titles('?state=draft')).toEqual(['Sketch']);
    expect(await catalogue.titles('?state=failed')).toEqual(['Broken']);
    expect(await catalogue.titles('?year=2025')).toEqual(['Last year']);
    expect(await catalogue.titles('?genre=Gqom')).toEqual(['Sketch']);
    expect(await catalogue.titles('?series=Rooftops')).toEqual(['Sketch']);
    expect(await catalogue.titles('?q=week%2041')).toEqual(['Coming']);
    expect(await catalogue.titles('?q=sketch')).toEqual(['Sketch']);
    expect(await catalogue.titles('?q=%25')).toEqual([]);
    expect(await catalogue.titles('?sort=title&limit=2')).toEqual(['Broken', 'Coming']);
    const facets = await admin.request({ url: '/api/admin/tracks/facets' });
    expect(facets.json()).toMatchObject({
      years: [2026, 2025],
      genres: ['Amapiano', 'Gqom'],
      series: ['Rooftops'],
      states: { published: 2, scheduled: 1, draft: 1, failed: 1, processing: 0, deleted: 0 },
      rhythm: { releaseDay: 4, releaseHour: 6, earlyAccessHours: 48 },
    });
  });

  it.each<[sort: string, valueOf: (mix: CatalogueTrack) => string | number, isUp: boolean]>([
    ['week', ({ weekNumber }) => weekNumber, false],
    ['title', ({ title }) => title, true],
    ['release', ({ publishAt }) => publishAt ?? 0, false],
    ['plays', ({ figures }) => figures.plays, false],
    ['updated', ({ updatedAt }) => updatedAt, false],
  ])(
    'lists all pages sorted by %s without losing or repeating a track',
    async (sort, valueOf, isUp) => {
      const now = test.clock.now();
      for (let week = 1; week <= 7; week += 1)
        await catalogue.seed({
          title: `Mix ${week % 3}`,
          week: 1 + (week % 4),
          play_count: week % 2,
          publish_at: now - (week % 5) * HOUR,
          updated_at: now - ((week * 3) % 7),
        });
      const found: CatalogueTrack[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const next: string = cursor && `&cursor=${cursor}`;
        const answer = await admin.request({
          url: `/api/admin/tracks?limit=2&sort=${sort}${next}`,
        });
        const page = answer.json<{ items: CatalogueTrack[]; nextCursor: string | null }>();
        found.push(...page.items);
        cursor = page.nextCursor;
      }
      expect(new Set(found.map(({ id }) => id)).size).toBe(7);
      const values = found.map((mix) => valueOf(mix));
      const sorted = values.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
      expect(values).toEqual(isUp ? sorted : sorted.toReversed());
    },
  );

  itOnSqlite(
    'counts plays, listeners, favorites and downloads, without those of deleted accounts',
    async () => {
      const track = await catalogue.seed();
      const { user, client } = await createSubscriber(test, 'lindiwe');
      await client.request({ method: 'POST', url: `/api/tracks/${track.id}/favorite` });
      await client.request({
        method: 'POST',
        url: `/api/tracks/${track.id}/download`,
        payload: { format: 'mp3' },
      });
      const start = { method: 'POST', url: `/api/tracks/${track.id}/play` } as const;
      const { playId } = (await client.request(start)).json<{ playId: string }>();
      test.clock.advance(20_000);
      const payload = { secondsListened: 20, position: 20 };
      await client.request({ method: 'POST', url: `/api/plays/${playId}/heartbeat`, payload });
      const [mix] = await catalogue.list();
      expect(mix?.figures).toEqual({ plays: 1, listeners: 1, favorites: 1, downloads: 1 });
      expect(mix?.files).toHaveLength(5);
      await test.deps.database.db.deleteFrom('users').where('id', '=', user.id).execute();
      const [after] = await catalogue.list();
      expect(after?.figures).toMatchObject({ favorites: 0, downloads: 0 });
    },
  );

  itOnSqlite('is for administrators only', async () => {
    const { id } = await catalogue.seed();
    const { client } = await createUser(test, 'member');
    for (const [who, status] of [
      [client, 404],
      [test.createClient(), 401],
    ] as const) {
      const call = async (method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE', url: string) =>
        (await who.request({ method, url: `/api/admin/tracks${url}` })).statusCode;
      expect(await call('GET', '')).toBe(status);
      expect(await call('GET', '/facets')).toBe(status);
      expect(await call('GET', `/${id}`)).toBe(status);
      expect(await call('GET', `/${id}/peaks`)).toBe(status);
      expect(await call('PATCH', `/${id}`)).toBe(status);
      expect(await call('POST', '/bulk')).toBe(status);
      expect(await call('PUT', `/${id}/cover`)).toBe(status);
      expect(await call('DELETE', `/${id}/cover`)).toBe(status);
      expect(await call('POST', `/${id}/reprocess`)).toBe(status);
    }
  });
});

describe('editing a track', () => {
  it('changes its fields, and search finds it by the new ones', async () => {
    const { id } = await catalogue.seed();
    const answer = await catalogue.edit(id, {
      version: 0,
      title: '<b>Cicada</b> & Frequency',
      week: 12,
      year: 2026,
      description: 'Line one\r\nline two',
      chapters: [
        { at: 60, title: 'Second', artist: null },
        { at: 0, title: 'First', artist: 'Somebody' },
      ],
    });
    expect(answer.statusCode).toBe(200);
    expect(CatalogueDetail.parse(answer.json())).toMatchObject({
      title: '<b>Cicada</b> & Frequency',
      weekNumber: 12,
      description: 'Line one\nline two',
      chapters: [{ title: 'First' }, { title: 'Second' }],
      version: 1,
    });
    const { client } = await createUser(test, 'finder');
    const found = await client.request({ url: '/api/tracks/search?q=cicada' });
    expect(found.json()).toMatchObject({ items: [{ id }] });
  });

  it('changes the BPM, which the audit log, listeners and search then show', async () => {
    const { id } = await catalogue.seed({ bpm: 113 });
    const edited = await catalogue.edit(id, { version: 0, bpm: 128 });
    expect(edited.json()).toMatchObject({ bpm: 128, version: 1 });
    const { client } = await createUser(test, 'dancer');
    expect((await client.request({ url: `/api/tracks/${id}` })).json()).toMatchObject({ bpm: 128 });
    const found = await client.request({ url: '/api/tracks/search?q=128%20bpm' });
    expect(found.json()).toMatchObject({ items: [{ id }] });
    const audit = await admin.request({ url: `/api/admin/audit?subject=${id}` });
    const changes = [{ field: 'bpm', before: '113', after: '128' }];
    expect(audit.json()).toMatchObject({ items: [{ action: 'track.edited', changes }] });
    const unknown = await catalogue.edit(id, { version: 1, bpm: null });
    expect(unknown.json()).toMatchObject({ bpm: null, version: 2 });
  });

  itOnSqlite.each([
    ['a BPM of 19', { bpm: 19 }, 'bpm'],
    ['a BPM of 401', { bpm: 401 }, 'bpm'],
    ['half a beat', { bpm: 124.5 }, 'bpm'],
    ['a BPM in words', { bpm: 'fast' }, 'bpm'],
    ['week 54', { week: 54, year: 2026 }, 'week'],
    ['week 53 of a year without one', { week: 53, year: 2025 }, 'week'],
    ['year 1800', { week: 1, year: 1800 }, 'year'],
    ['no title', { title: '  ' }, 'title'],
    ['a title of two lines', { title: 'a\nb' }, 'title'],
    ['an endless title', { title: 'a'.repeat(121) }, 'title'],
    ['a release in the past', { release: { kind: 'at', at: 1_000 } }, 'release'],
    [
      'a chapter after six hours',
      { chapters: [{ at: 21_601, title: 'x', artist: null }] },
      'chapters.0.at',
    ],
    ['a preview before the beginning', { previewStart: -1 }, 'previewStart'],
    ['a field that is none', { plays: 5 }, 'plays'],
  ])('rejects %s at its field and saves nothing', async (_name, change, field) => {
    const { id } = await catalogue.seed();
    const answer = await catalogue.edit(id, {
      version: 0,
      description: 'Something else',
      ...change,
    });
    expect(answer.statusCode).toBe(400);
    expect(Object.keys(answer.json<{ fields: object }>().fields)).toContain(field);
    const after = await admin.request({ url: `/api/admin/tracks/${id}` });
    expect(after.json()).toMatchObject({ version: 0, description: 'Log drums at walking pace.' });
  });

  const chapter = (at: number, title: string) => ({ at, title, artist: null });
  const [opening, middle, end] = [
    chapter(0, 'Opening'),
    chapter(60, 'Middle'),
    chapter(120, 'End'),
  ];
  const [first, second] = [chapter(0, 'First'), chapter(0, 'Second')];
  it.each([
    [
      'which lines of the tracklist changed',
      { was: [opening, middle, end], is: [opening, chapter(90, 'Middle'), end] },
      { before: '1:00 Middle', after: '1:30 Middle' },
    ],
    [
      'both tracklists if only the order changed',
      { was: [first, second], is: [second, first] },
      { before: '0:00 First\n0:00 Second', after: '0:00 Second\n0:00 First' },
    ],
  ])('records %s', async (_name, { was, is }, recorded) => {
    const { id } = await catalogue.seed({ chapters: JSON.stringify(was) });
    const answer = await catalogue.edit(id, { version: 0, chapters: is });
    expect(answer.statusCode).toBe(200);
    const { items } = (await admin.request({ url: `/api/admin/audit?subject=${id}` })).json<{
      items: AuditEntry[];
    }>();
    expect(items.map(({ changes }) => changes)).toEqual([[{ field: 'tracklist', ...recorded }]]);
  });

  itOnSqlite('rejects the second of two edits of the same version', async () => {
    const { id } = await catalogue.seed();
    const answers = await Promise.all([
      catalogue.edit(id, { version: 0, title: 'First' }),
      catalogue.edit(id, { version: 0, title: 'Second' }),
    ]);
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
    const refused = answers.find(({ statusCode }) => statusCode === 409);
    expect(refused?.json()).toMatchObject({ code: 'track_changed' });
  });

  itOnSqlite('accepts a cover, and rejects files that are no picture or too large', async () => {
    const { id } = await catalogue.seed();
    const put = (payload: Buffer) =>
      admin.request({
        method: 'PUT',
        url: `/api/admin/tracks/${id}/cover`,
        headers: { 'content-type': 'image/png' },
        payload,
      });
    expect((await put(buildLargePng(12_000))).json()).toMatchObject({
      code: 'invalid_image',
      message: expect.stringMatching(/too large/),
    });
    expect((await put(Buffer.from('<svg/>'))).statusCode).toBe(422);
    const picture = await sharp({
      create: { width: 40, height: 30, channels: 3, background: '#a40' },
    })
      .png()
      .toBuffer();
    const { coverUrl } = CatalogueDetail.parse((await put(picture)).json());
    expect((await test.app.inject(coverUrl ?? '')).statusCode).toBe(200);
    const gone = await admin.request({ method: 'DELETE', url: `/api/admin/tracks/${id}/cover` });
    expect(gone.json()).toMatchObject({ coverUrl: null });
    await test.worker.runDue();
    expect((await test.app.inject(coverUrl ?? '')).statusCode).toBe(404);
  });

  itOnSqlite('reports a full disk and stores nothing', async () => {
    const { id } = await catalogue.seed();
    const full = vi.spyOn(test.deps.storage, 'put');
    full.mockRejectedValueOnce(Object.assign(new Error('no space'), { code: 'ENOSPC' }));
    const payload = await sharp({
      create: { width: 8, height: 8, channels: 3, background: '#a40' },
    })
      .png()
      .toBuffer();
    const answer = await admin.request({
      method: 'PUT',
      url: `/api/admin/tracks/${id}/cover`,
      headers: { 'content-type': 'image/png' },
      payload,
    });
    full.mockRestore();
    expect(answer.statusCode).toBe(507);
    expect(answer.json()).toMatchObject({
      code: 'disk_full',
      message: expect.stringMatching(/Free up space/),
    });
    const after = await admin.request({ url: `/api/admin/tracks/${id}` });
    expect(after.json()).toMatchObject({ coverUrl: null, version: 0 });
  });

  itOnSqlite('says when there is no original to reprocess', async () => {
    const { id } = await catalogue.seed();
    const answer = await admin.request({
      method: 'POST',
      url: `/api/admin/tracks/${id}/reprocess`,
    });
    expect(answer.json()).toMatchObject({ code: 'no_master' });
  });

  it('lets only administrators open and play it before its release, and says what it is', async () => {
    const now = test.clock.now();
    const [draft, scheduled, early] = [
      await catalogue.seed({ publish_at: null }),
      await catalogue.seed({ publish_at: now + 49 * HOUR }),
      await catalogue.seed({ publish_at: now + 47 * HOUR }),
    ];
    const { client } = await createSubscriber(test, 'early');
    const listener = (await createUser(test)).client;
    const former = await createAdmin(test, 'former');
    await test.deps.database.db
      .updateTable('users')
      .set({ is_admin: 0 })
      .where('id', '=', former.user.id)
      .execute();
    for (const { id } of [draft, scheduled])
      for (const url of [
        `/api/tracks/${id}`,
        `/api/tracks/${id}/peaks`,
        `/media/tracks/${id}/stream`,
        `/media/tracks/${id}/preview`,
      ]) {
        const answer = await admin.request({ url });
        expect(answer.statusCode).toBe(200);
        // No cache between the server and the administrator may keep it.
        expect(answer.headers['cache-control']).toMatch(/private|no-store/);
        for (const other of [client, listener, former.client, test.createClient()])
          expect((await other.request({ url })).statusCode).toBe(404);
      }
    const stageOf = async ({ id }: { id: string }) =>
      (await admin.request({ url: `/api/tracks/${id}` })).json<TrackDetail>().unreleased;
    expect(await Promise.all([draft, scheduled, early].map(stageOf))).toEqual([
      'draft',
      'scheduled',
      undefined,
    ]);
    const seen = await client.request({ url: `/api/tracks/${early.id}` });
    expect(seen.json<TrackDetail>()).not.toHaveProperty('unreleased');
  });
});

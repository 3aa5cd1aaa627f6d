/** @module-tag both-databases */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FigureListPage } from '#contract/admin/reports.ts';
import { dayOf } from '#contract/rules/days.ts';
import { addDays } from '#contract/rules/report-days.ts';
import type { TracksTable } from '../../db/types/tables.ts';
import { encodeCursor } from '../../http/route/paginate.ts';
import { findFullScans, recordPlan } from '../../testing/explain.ts';
import { openFigures, readFigureList, readReport } from '../../testing/figure-lists.ts';
import { listenAtRandom } from '../../testing/random-listening.ts';
import { createRandom } from '../../testing/random.ts';
import { seedTrack } from '../../testing/seed-track.ts';
import { createAdmin } from '../../testing/test-admin.ts';
import { createTestApp, type TestApp, type TestClient } from '../../testing/test-app.ts';
import { PASSWORD } from '../../testing/test-user.ts';

const DAYS = 40;
const random = createRandom(612);
const LISTS = [
  'completion.started',
  'funnel.previews',
  'listeners.listeners',
  'listeners.newListeners',
  'plays.previews',
  'tracks.tracks',
];

let test: TestApp;
let admin: TestClient;
let today: string;
let tracks: TracksTable[];

beforeAll(async () => {
  test = await createTestApp();
  ({ client: admin } = await createAdmin(test));
  const { database, storage, clock, config } = test.deps;
  const site = { db: database.db, storage, now: clock.now() };
  tracks = [await seedTrack(site, { week: 44 }), await seedTrack(site, { week: 45 })];
  const { users } = await listenAtRandom({ test, admin, random, tracks }, DAYS);
  const [, deletedUser] = users;
  await deletedUser?.client.request({
    method: 'DELETE',
    url: '/api/me',
    payload: { password: PASSWORD, confirmation: 'delete' },
  });
  today = dayOf(clock.now(), config.timeZone);
});
afterAll(() => test.close());

const pickRanges = () => [
  { from: addDays(today, -DAYS), to: today, track: tracks[0]?.id ?? '' },
  ...Array.from({ length: 4 }, () => {
    const to = addDays(today, -random.below(DAYS));
    return { from: addDays(to, -random.below(20)), to, track: random.pick(tracks).id };
  }),
];

const listBehind = async (path: string, query: Record<string, string> = {}) => {
  const response = await admin.request({ url: `/api/admin/reports/${path}`, query });
  return FigureListPage.parse(response.json());
};

describe('the list of listeners behind a figure', () => {
  it('has as many rows as the figure says, including deleted accounts, and none twice', async () => {
    const opened = new Map<string, number>();
    for await (const { key, range, figure, list } of openFigures(admin, pickRanges())) {
      if (!LISTS.includes(key)) continue;
      opened.set(key, (opened.get(key) ?? 0) + list.items.length);
      expect([key, range, list.items.length]).toEqual([key, range, figure.value]);
      expect(list.figure.value).toBe(figure.value);
      const hrefs = list.items.flatMap(({ href }) => href ?? []);
      if (!key.endsWith('previews')) expect(new Set(hrefs).size).toBe(hrefs.length);
    }
    expect([...opened.keys()].toSorted()).toEqual(LISTS);
    expect(Math.min(...opened.values())).toBeGreaterThan(2);
  });

  it('shows names, except for visitors and deleted accounts', async () => {
    const range = { from: addDays(today, -DAYS), to: today };
    for (const path of ['listeners/listeners', 'plays/previews']) {
      const { items } = await listBehind(path, { ...range, limit: '100' });
      const names = new Set(items.map(({ cells: [name] }) => name));
      expect(names).toContain('ayanda');
      expect(names).toContain('Visitor');
      for (const { cells, href } of items)
        expect(href !== null).toBe(/^(?!Visitor|Deleted account)/.test(String(cells[0])));
    }
    const all = await Promise.all(
      tracks.map(({ id: track }) => listBehind('completion/started', { ...range, track })),
    );
    const names = all.flatMap(({ items }) => items.map(({ cells }) => cells[0]));
    expect(names).toContain('dumi');
    expect(names).toContain('Deleted account');
    expect(names).not.toContain('bongani');
  });

  it('is about the chosen mix', async () => {
    for (const { id: track, title } of tracks) {
      const report = await readReport(admin, 'completion', { track });
      const href = report.figures.find(({ key }) => key === 'started')?.href ?? '';
      expect(new URL(href, 'http://site').searchParams.get('track')).toBe(track);
      expect((await readFigureList(admin, href)).report).toContain(title);
    }
  });

  it('shows who is listening right now', async () => {
    test.clock.advance(10 * 60_000);
    const [track] = tracks;
    const begin = (client: TestClient) =>
      client.request({ method: 'POST', url: `/api/tracks/${track?.id}/play`, payload: {} });
    const [visitor, other] = [test.createClient(), test.createClient()];
    for (const client of [visitor, visitor, other, admin]) await begin(client);
    const { figure, items, nextCursor } = await listBehind('live/listeners', { limit: '1' });
    const rest = await listBehind('live/listeners', { cursor: nextCursor ?? '' });
    expect(figure.value).toBe(2);
    expect([...items, ...rest.items].map(({ cells }) => cells)).toEqual([
      ['Visitor', null, track?.title, track?.week],
      ['Visitor', null, track?.title, track?.week],
    ]);
  });

  it.each(['plays/previews', 'completion/started'])(
    '%s rejects the cursor of another list',
    async (path) => {
      const cursor = encodeCursor(['2026-01-01/x', 'id']);
      const response = await admin.request({
        url: `/api/admin/reports/${path}`,
        query: { cursor, track: tracks[0]?.id ?? '' },
      });
      expect(response.statusCode).toBe(400);
    },
  );

  it.each(LISTS)('%s uses an index on every page', async (key) => {
    const url = `/api/admin/reports/${key.replace('.', '/')}`;
    const query = {
      from: addDays(today, -DAYS),
      to: today,
      track: tracks[0]?.id ?? '',
      limit: '1',
    };
    const { nextCursor } = FigureListPage.parse((await admin.request({ url, query })).json());
    expect(nextCursor).not.toBeNull();
    const steps = await recordPlan(test.deps.database, () =>
      admin.request({ url, query: { ...query, cursor: nextCursor ?? '' } }),
    );
    expect(
      findFullScans(steps, 'plays', 'progress', 'listener_visits', 'listener_gaps', 'track_reach'),
    ).toEqual([]);
  });
});

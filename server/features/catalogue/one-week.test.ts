/** @module-tag both-databases */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Week } from '#contract/admin/week.ts';
import type { Neighbour, Track } from '#contract/tracks.ts';
import { weekOf } from '#contract/rules/weeks.ts';
import { createAdmin } from '../../testing/test-admin.ts';
import { createTestApp, type TestApp, type TestClient } from '../../testing/test-app.ts';
import { createCatalogue, type TestCatalogue } from '../../testing/test-catalogue.ts';
import { HOUR } from '#contract/rules/time.ts';

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

type Listed = { items: Track[]; nextCursor: string | null };

/** A whole list, one track per page, so that every page boundary is tested. */
async function readPages(path: string, client = admin): Promise<string[]> {
  const titles: string[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const query: Record<string, string> = { limit: '1', ...(cursor && { cursor }) };
    const page = (await client.request({ url: path, query })).json<Listed>();
    titles.push(...page.items.map(({ title }) => title));
    cursor = page.nextCursor;
  }
  return titles;
}

const neighboursOf = async (id: string) => {
  const answer = await admin.request({ url: `/api/tracks/${id}/neighbours` });
  const { previous, next } = answer.json<Record<'previous' | 'next', Neighbour | null>>();
  return [previous?.title ?? null, next?.title ?? null];
};

const onFriday = async () =>
  (await admin.request({ url: '/api/admin/week' })).json<Week>().releases.map(({ title }) => title);

describe('tracks of one week', () => {
  it('have the same order everywhere, newest release first', async () => {
    const now = test.clock.now();
    const { week, year } = weekOf(now, test.deps.config.timeZone);
    const slot = { week, year };
    // In an order of their own, so that nothing is right by the order they came in.
    const second = await catalogue.seed({
      ...slot,
      id: 'b',
      title: 'Second',
      publish_at: now - HOUR,
    });
    const first = await catalogue.seed({
      ...slot,
      id: 'a',
      title: 'First',
      publish_at: now - 2 * HOUR,
    });
    const third = await catalogue.seed({ ...slot, id: 'c', title: 'Twin', publish_at: now - HOUR });
    await catalogue.seed({ title: 'Week before', week: week - 1, year });
    const order = ['Twin', 'Second', 'First'];
    const all = [...order, 'Week before'];

    expect(await readPages('/api/tracks')).toEqual(all);
    expect(await readPages(`/api/tracks?week=${week}&year=${year}`)).toEqual(order);
    expect(await readPages(`/api/tracks?genre=Amapiano`)).toEqual(all);
    expect(await readPages('/api/admin/tracks')).toEqual(all);
    expect(await onFriday()).toEqual(order);
    expect(await neighboursOf(third.id)).toEqual(['Second', null]);
    expect(await neighboursOf(second.id)).toEqual(['First', 'Twin']);
    expect(await neighboursOf(first.id)).toEqual(['Week before', 'Second']);

    const rows = await catalogue.list(`?q=w${week}`);
    const version = rows.find(({ title }) => title === 'First')?.version ?? 0;
    await catalogue.edit(first.id, { version, release: { kind: 'now' } });
    const changed = ['First', 'Twin', 'Second'];
    expect(await readPages(`/api/tracks?week=${week}&year=${year}`)).toEqual(changed);
    expect(await readPages(`/api/admin/tracks?year=${year}`)).toEqual([...changed, 'Week before']);
    expect(await onFriday()).toEqual(changed);
    expect(await neighboursOf(first.id)).toEqual(['Twin', null]);
  });

  it('list drafts before scheduled tracks in the catalogue', async () => {
    const now = test.clock.now();
    const { week, year } = weekOf(now, test.deps.config.timeZone);
    await catalogue.seed({ week, year, id: 'b', title: 'Sketch', publish_at: null });
    await catalogue.seed({ week, year, id: 'c', title: 'Out', publish_at: now - HOUR });
    await catalogue.seed({ week, year, id: 'a', title: 'Planned', publish_at: now + HOUR });
    const order = ['Sketch', 'Planned', 'Out'];
    expect(await readPages('/api/admin/tracks')).toEqual(order);
    expect(await onFriday()).toEqual(order);
    expect(await readPages('/api/tracks', test.createClient())).toEqual(['Out']);
  });
});

/** @module-tag both-databases */
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sharedYearPath } from '#contract/art/card-shapes.ts';
import { DAY, HOUR, MINUTE } from '#contract/rules/time.ts';
import { YearView, YearShare } from '#contract/years.ts';
import type { ProgressTable } from '../../db/types/listening-tables.ts';
import type { TracksTable } from '../../db/types/tables.ts';
import { newId } from '../../db/ids.ts';
import { recordPlan } from '../../testing/explain.ts';
import { itOnSqlite } from '../../testing/on-sqlite.ts';
import { seedTrack } from '../../testing/seed-track.ts';
import { createAdmin } from '../../testing/test-admin.ts';
import { createTestApp, type TestApp } from '../../testing/test-app.ts';
import { createSubscriber, createUser, PASSWORD, type TestUser } from '../../testing/test-user.ts';
import { consumeRateLimit } from '../../http/route/rate-limit.ts';
import { picturesByAddress } from './routes.ts';
import { getSharedYearCard } from './service.ts';

let test: TestApp;
beforeEach(async () => {
  test = await createTestApp();
});
afterEach(() => test.close());

const seed = (week: number, change: Partial<TracksTable> = {}) => {
  const { database, storage, clock } = test.deps;
  const track = { week, title: `Week ${week}`, duration_ms: HOUR, ...change };
  return seedTrack({ db: database.db, storage, now: clock.now() }, track);
};

const hear = ({ user }: TestUser, { id }: TracksTable, change: Partial<ProgressTable> = {}) =>
  test.deps.database.db
    .insertInto('progress')
    .values({
      user_id: user.id,
      track_id: id,
      position_ms: HOUR,
      listened_ms: HOUR,
      is_finished: 1,
      last_listened_at: test.clock.now(),
      reach: null,
      reach_day: null,
      ...change,
    })
    .execute();

async function play({ user }: TestUser, { id }: TracksTable, at: number, times = 1) {
  for (let time = 0; time < times; time++)
    await test.deps.database.db
      .insertInto('plays')
      .values({
        id: newId(at),
        track_id: id,
        user_id: user.id,
        listener_key: `user:${user.id}`,
        is_subscriber: 1,
        started_at: at,
        listened_at: at,
        listened_ms: 60_000,
        position_ms: 60_000,
        is_counted: 1,
        counted_at: at,
        suspicion: null,
        source: null,
      })
      .execute();
}

const ask = (
  member: TestUser,
  url: string,
  method: 'GET' | 'PUT' | 'DELETE' = 'GET',
  payload = {},
) => member.client.request({ method, url, ...(method === 'PUT' && { payload }) });
const share = async (member: TestUser, hasName: boolean) => {
  const response = await ask(member, '/api/years/2026/share', 'PUT', { hasName });
  return YearShare.unwrap().parse(response.json());
};
const statusOf = async (url: string) => (await test.createClient().request({ url })).statusCode;

/** Everything that a picture draws, without drawing it. */
const readCard = async (token: string) => JSON.stringify(await getSharedYearCard(test.deps, token));

describe('the year of a member', () => {
  it('has the weeks they heard, and four facts about them', async () => {
    const member = await createSubscriber(test);
    const [first, second] = [await seed(1), await seed(2)];
    await seed(4, { cover_key: 'covers/four.webp' });
    await hear(member, first);
    await hear(member, second);
    // A Saturday evening in Johannesburg.
    await play(member, second, Date.parse('2026-01-10T18:00:00Z'), 3);
    await play(member, first, Date.parse('2026-01-05T06:00:00Z'));
    // Subscribers may hear a mix up to two weeks before it is out.
    await play(member, second, Date.parse('2025-12-20T18:00:00Z'));
    // Those of mixes of other years are in their year.
    await play(member, await seed(50, { year: 2025 }), test.clock.now(), 9);
    const response = await ask(member, '/api/years/2026');
    const { tracks, bars, facts, years, title } = YearView.parse(response.json());
    expect(title).toBe('sipho’s year');
    expect(years).toEqual([2026, 2025]);
    expect(tracks.map(({ week, isHeard }) => [week, isHeard])).toEqual([
      [1, true],
      [2, true],
      [4, false],
    ]);
    expect(bars).toHaveLength(53);
    expect(bars.slice(1, 4).map(({ state }) => state)).toEqual(['finished', 'none', 'unplayed']);
    expect(bars[52]?.state).toBe('coming');
    expect(facts.map(({ value, text }) => `${value} ${text}`)).toEqual([
      '2 weeks heard of 3',
      '2 h listened, most on Saturdays after\u00A017:00',
      '2 weeks in a row, from 1 to 2',
      'Week 2 Week 2, played four times',
    ]);
  });

  it('is complete where a year has more mixes than a page of them', async () => {
    const member = await createSubscriber(test);
    const { db } = test.deps.database;
    const track = await seed(1);
    const copies = Array.from({ length: 120 }, (_, i) => ({
      ...track,
      id: `copy-${i}`,
      week: 1 + (i % 53),
    }));
    await db.insertInto('tracks').values(copies).execute();
    const files = await db.selectFrom('renditions').selectAll().execute();
    const filesOf = (id: string) =>
      files.map((file) => ({ ...file, track_id: id, key: id + file.key }));
    for (const { id } of copies) await db.insertInto('renditions').values(filesOf(id)).execute();
    const { tracks } = YearView.parse((await ask(member, '/api/years/2026')).json());
    expect(tracks).toHaveLength(121);
  });

  it('is found only for a year with a mix that the member may see', async () => {
    const member = await createUser(test);
    await seed(20, { year: 2024 });
    await seed(20, { year: 2023, publish_at: null });
    await seed(1, { year: 2030 });
    const statuses: Record<string, number> = {};
    for (const year of ['2024', '2023', '2025', '1899', '2030', '9999', '0', 'x', '2024.5', '%00'])
      statuses[year] = (await ask(member, `/api/years/${year}`)).statusCode;
    expect(statuses).toEqual({
      2024: 200,
      2023: 404,
      2025: 404,
      1899: 404,
      2030: 404,
      9999: 404,
      0: 400,
      x: 400,
      2024.5: 400,
      '%00': 400,
    });
    expect((await ask(member, '/api/years/2030/share', 'PUT', { hasName: true })).statusCode).toBe(
      404,
    );
    // 2024 had 52 weeks, all of which are over.
    const { bars } = YearView.parse((await ask(member, '/api/years/2024')).json());
    expect(bars).toHaveLength(52);
    expect(bars[51]?.state).toBe('none');
  });

  it('reads the plays of its member by an index', async () => {
    const member = await createSubscriber(test);
    await play(member, await seed(1), test.clock.now());
    const plan = await recordPlan(test.deps.database, () => ask(member, '/api/years/2026'));
    const steps = plan.filter(({ table }) => table === 'plays').map(({ access }) => access);
    expect(steps).not.toEqual([]);
    expect(steps.filter((access) => access !== 'search')).toEqual([]);
  });

  itOnSqlite('is a picture to save', async () => {
    const member = await createSubscriber(test);
    await hear(member, await seed(1));
    const response = await ask(member, '/api/years/2026/picture?shape=story');
    expect(response.headers).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'private, no-cache',
      'content-disposition': expect.stringContaining('filename="Weekender - 2026 - story.png"'),
    });
    const { width, height } = await sharp(response.rawPayload).metadata();
    expect([width, height]).toEqual([1080, 1920]);
    const wrong = await ask(member, '/api/years/2026/picture?shape=wide');
    expect(wrong.statusCode).toBe(400);
  });
});

describe('the public picture of a year', () => {
  it('is there only while its member shares it', async () => {
    const member = await createSubscriber(test);
    await hear(member, await seed(1));
    const { token } = await share(member, true);
    const url = sharedYearPath(token, 'square');
    const picture = await test.createClient().request({ url });
    expect(picture.statusCode).toBe(200);
    expect(picture.headers).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'no-cache',
      'x-robots-tag': 'noindex',
    });
    const again = await test.createClient().request({
      url,
      headers: { 'if-none-match': String(picture.headers.etag) },
    });
    expect(again.statusCode).toBe(304);
    // Also what ends as 304 costs the work of a year.
    const use = { rule: picturesByAddress, subject: '127.0.0.1' };
    while ((await consumeRateLimit(test.deps.database.db, use, test.clock.now())).isAllowed);
    const refused = await test.createClient().request({
      url,
      headers: { 'if-none-match': String(picture.headers.etag) },
    });
    expect(refused.statusCode).toBe(429);
    test.clock.advance(10 * MINUTE);
    expect(await share(member, false)).toEqual({ token, hasName: false });
    expect((await ask(member, '/api/years/2026')).json()).toMatchObject({
      share: { token, hasName: false },
    });
    expect((await ask(member, '/api/years/2026/share', 'DELETE')).statusCode).toBe(204);
    expect(await statusOf(url)).toBe(404);
    const { token: next } = await share(member, false);
    expect(next).not.toBe(token);
    expect(await statusOf(url)).toBe(404);
    for (const name of ['guessed.png', `${next}.wide.png`, next, '%00.png', `${next}.png%00`])
      expect([name, await statusOf(`/media/cards/years/${name}`)]).toEqual([name, 404]);
  });

  it('ends with the account, and when it is disabled', async () => {
    const { db } = test.deps.database;
    const member = await createSubscriber(test);
    await seed(1);
    const { token } = await share(member, true);
    const url = sharedYearPath(token);
    const disabled = { user_id: member.user.id, at: test.clock.now(), reason: 'A test.' };
    await db.insertInto('disabled_accounts').values(disabled).execute();
    expect(await statusOf(url)).toBe(404);
    await db.deleteFrom('disabled_accounts').execute();
    expect(await readCard(token)).toContain('sipho’s year');
    const payload = { password: PASSWORD, confirmation: 'delete' };
    const deleted = await member.client.request({ method: 'DELETE', url: '/api/me', payload });
    expect(deleted.statusCode, deleted.body).toBe(204);
    expect(await statusOf(url)).toBe(404);
    expect(await db.selectFrom('shared_years').selectAll().execute()).toEqual([]);
  });

  it('shows nothing that isn’t for everybody', async () => {
    const member = await createSubscriber(test);
    const open = await seed(1, { cover_key: 'covers/open.webp' });
    const reserved = await seed(2, {
      title: 'Members’ Hour',
      is_subscriber_only: 1,
      cover_key: 'covers/members.webp',
    });
    const early = await seed(47, {
      title: 'Not out yet',
      publish_at: test.clock.now() + DAY,
      cover_key: 'covers/early.webp',
    });
    for (const track of [open, reserved, early]) await hear(member, track);
    await play(member, early, test.clock.now() - HOUR, 3);
    const { token } = await share(member, false);
    const card = await readCard(token);
    expect(card).toContain('My year');
    expect(card).toContain('covers/open.webp');
    expect(card).toContain('"3","text":"weeks heard of 3"');
    expect(card).toContain('"Week 47","text":"played three times"');
    for (const text of ['sipho', '@', 'Members’', 'members.webp', 'Not out', 'early.webp'])
      expect(card).not.toContain(text);
    await share(member, true);
    expect(await readCard(token)).toContain('sipho’s year');
    expect(await readCard(token)).not.toContain('@');
  });

  it('shows four mixes of a week at most', async () => {
    const member = await createSubscriber(test);
    for (let mix = 0; mix < 6; mix++) await hear(member, await seed(9));
    const { token } = await share(member, false);
    expect((await getSharedYearCard(test.deps, token)).year.sleeves).toHaveLength(4);
  });
});

describe('the year of the show', () => {
  it('has all mixes that everyone may see, and only sums of the listening', async () => {
    const { db } = test.deps.database;
    const admin = await createAdmin(test);
    await seed(1, { play_count: 3 });
    await seed(2, { play_count: 40, title: 'Loved' });
    await seed(3, { is_subscriber_only: 1 });
    const day = (of: string, plays: number) => ({
      day: of,
      plays,
      subscriber_plays: 0,
      listeners: 0,
    });
    // Week 1 of 2026 begins in December.
    await db
      .insertInto('site_days')
      .values([day('2025-12-28', 9), day('2025-12-29', 5), day('2026-11-15', 38)])
      .execute();
    const gap = (of: string, previous_day: string) => ({ day: of, previous_day, listeners: 4 });
    await db
      .insertInto('listener_gaps')
      .values([
        gap('2026-02-01', ''),
        gap('2026-02-02', '2025-06-01'),
        gap('2026-03-01', '2026-02-01'),
      ])
      .execute();
    const { tracks, facts, title, bars } = YearView.parse(
      (await ask(admin, '/api/admin/years/2026')).json(),
    );
    expect(title).toBe('Every mix of the year');
    expect(tracks.map(({ week, isHeard }) => [week, isHeard])).toEqual([
      [1, true],
      [2, true],
    ]);
    expect(bars[0]?.state).toBe('finished');
    expect(facts.map(({ value, text }) => `${value} ${text}`)).toEqual([
      '2 mixes',
      '43 plays',
      '8 listeners',
      'Week 2 Loved, 40 plays',
    ]);
    expect((await ask(admin, '/api/admin/years/2019')).statusCode).toBe(404);
    expect((await ask(admin, '/api/admin/years/2027')).statusCode).toBe(404);
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '#server/testing/test-app.ts';
import { DEMO_PASSWORD, seedDemoAccounts } from './accounts.ts';
import { seedDemoTracks } from './seed-tracks.ts';
import { seedDemoListening } from './seed-listening.ts';

/** Seeded twice, as after a restart; the tests only read it. */
let test: TestApp;
beforeAll(async () => {
  test = await createTestApp();
  await seedDemoAccounts(db(), test.clock.now());
  await seed();
  await seed();
});
afterAll(() => test.close());

const db = () => test.deps.database.db;
const seed = async () => {
  await seedDemoTracks(test.deps);
  await seedDemoListening(test.deps);
};

describe('seeding the demo', () => {
  it('adds a year of tracks and enqueues their music once, this week first', async () => {
    const tracks = await db().selectFrom('tracks').select(['id', 'week', 'status']).execute();
    expect(tracks.length).toBeGreaterThanOrEqual(30);
    const jobs = await db()
      .selectFrom('jobs')
      .select('payload')
      .where('name', '=', 'render-demo-mix')
      .execute();
    expect(jobs).toHaveLength(1);
    const { trackIds } = JSON.parse(jobs[0]?.payload ?? '') as { trackIds: string[] };
    expect(trackIds).toHaveLength(tracks.length);
    expect(trackIds[0]).toBe('demo-2026-w46-1');
  });

  it('gives some mixes details for reports, and leaves gaps', async () => {
    const rows = await db().selectFrom('recordings').select(['isrc', 'composer']).execute();
    expect(rows.length).toBeGreaterThan(10);
    expect(new Set(rows.map(({ isrc }) => isrc)).size).toBe(rows.length);
    expect(rows.filter(({ composer }) => composer === null).length).toBeGreaterThan(3);
  });

  it('counts the generated plays by the same rule as live plays', async () => {
    const counted = await db()
      .selectFrom('plays')
      .select(({ fn }) => ['track_id', fn.countAll<number | string>().as('plays')])
      .where('is_counted', '=', 1)
      .groupBy('track_id')
      .execute();
    expect(counted.length).toBeGreaterThan(20);
    for (const { track_id: id, plays } of counted) {
      const track = await db()
        .selectFrom('tracks')
        .select('play_count')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      const { total } = await db()
        .selectFrom('play_days')
        .select(({ fn }) => fn.sum<number | string>('plays').as('total'))
        .where('track_id', '=', id)
        .executeTakeFirstOrThrow();
      expect([track.play_count, Number(total)]).toEqual([Number(plays), Number(plays)]);
    }
  });

  it('adds one row per listener, track and day that matches the daily counts', async () => {
    const { listeners } = await db()
      .selectFrom('play_days')
      .select(({ fn }) => fn.sum<number | string>('subscriber_listeners').as('listeners'))
      .executeTakeFirstOrThrow();
    const { free } = await db()
      .selectFrom('play_days')
      .select(({ fn }) => fn.sum<number | string>('free_listeners').as('free'))
      .executeTakeFirstOrThrow();
    const { rows } = await db()
      .selectFrom('listener_days')
      .select(({ fn }) => fn.countAll<number | string>().as('rows'))
      .executeTakeFirstOrThrow();
    expect(Number(listeners) + Number(free)).toBe(Number(rows));
  });

  it('gives the demo’s member invoices and a credit note, in one row of numbers with all others', async () => {
    const logIn = async (username: string) => {
      const client = test.createClient();
      const payload = { username, password: DEMO_PASSWORD };
      await client.request({ method: 'POST', url: '/api/auth/login', payload });
      return async <T>(url: string) => {
        const response = await client.request({ url });
        expect([url, response.statusCode]).toEqual([url, 200]);
        return response.json<T>();
      };
    };
    const readAsMember = await logIn('premium');
    type Invoice = { id: string; amount: number; status: string; creditNotes: { id: string }[] };
    const { items } = await readAsMember<{ items: Invoice[] }>('/api/subscription/invoices');
    expect(items.map(({ amount, status }) => [amount, status])).toEqual([
      [79_00, 'paid'],
      [79_00, 'paid'],
      [79_00, 'partly-refunded'],
      [79_00, 'paid'],
    ]);
    for (const { id, creditNotes } of items) {
      const invoice = await readAsMember<object>(`/api/subscription/invoices/${id}`);
      expect(invoice).toMatchObject({ id, buyer: { name: 'premium' } });
      for (const note of creditNotes)
        await readAsMember(`/api/subscription/credit-notes/${note.id}`);
    }
    expect(items.flatMap(({ creditNotes }) => creditNotes)).toHaveLength(1);
    expect(await readAsMember<object>('/api/subscription')).toMatchObject({
      hasAccess: true,
      renews: false,
      withdrawal: null,
    });
    const readAsAdmin = await logIn('admin');
    const bookOf = (id: string) => readAsAdmin<{ id: string }>(`/api/admin/invoices/${id}`);
    expect((await bookOf(items[0]?.id ?? '')).id).toBe(items[0]?.id);

    const all = await db()
      .selectFrom('invoices')
      .select(['number', 'at'])
      .orderBy('number')
      .execute();
    expect(all.map(({ number }) => number)).toEqual(all.map((_, index) => index + 1));
    expect(all.map(({ at }) => at)).toEqual(all.map(({ at }) => at).toSorted((a, b) => a - b));
  });

  it('gives the demo accounts a history of finished, started and missed mixes', async () => {
    const count = async (userId: string, isFinished: 0 | 1) => {
      const rows = await db()
        .selectFrom('progress')
        .select(['track_id'])
        .where('user_id', '=', userId)
        .where('is_finished', '=', isFinished)
        .execute();
      return rows.length;
    };
    const [finished, started] = [await count('demo-premium', 1), await count('demo-premium', 0)];
    expect(finished).toBeGreaterThanOrEqual(10);
    expect(started).toBeGreaterThanOrEqual(3);
    expect(finished + started).toBeLessThan(40);
    expect(await count('demo-free', 0)).toBeGreaterThanOrEqual(5);
    expect(await count('demo-free', 1)).toBe(0);
  });

  it('adds listeners that no one can log in as', async () => {
    const listener = await db()
      .selectFrom('users')
      .select('username')
      .where('email', 'like', '%@listeners.example.com')
      .executeTakeFirstOrThrow();
    const response = await test.app.inject({
      method: 'POST',
      url: '/api/auth/login',
      payload: { username: listener.username, password: DEMO_PASSWORD },
    });
    expect(response.statusCode).toBe(401);
  });

  it('stores as many plays in every listener’s achievement facts as were counted', async () => {
    const facts = await db().selectFrom('play_facts').select(['user_id', 'plays']).execute();
    const counted = await db()
      .selectFrom('plays')
      .select(({ fn }) => ['user_id', fn.countAll<number | string>().as('plays')])
      .where('is_counted', '=', 1)
      .groupBy('user_id')
      .execute();
    const byUser = new Map(counted.map((row) => [row.user_id, Number(row.plays)]));
    expect(facts.length).toBeGreaterThan(20);
    expect(new Map(facts.map((row) => [row.user_id, row.plays]))).toEqual(byUser);
  });
});

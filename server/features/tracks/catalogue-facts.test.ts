/** @module-tag both-databases */
import { gunzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { chooseCases, howToRepeat, randomSeed } from '#tools/testing/random-runs.ts';
import { HOUR, MINUTE } from '#contract/rules/time.ts';
import { buildApp } from '../../app.ts';
import { openFacts } from '../../db/catalogue-facts.ts';
import type { Db } from '../../db/connect.ts';
import type { Deps } from '../../deps.ts';
import { createRandom, type Random } from '../../testing/random.ts';
import { seedArtist } from '../../testing/seed-artist.ts';
import { seedTrack } from '../../testing/seed-track.ts';
import { cookieOf, createTestApp, type TestApp } from '../../testing/test-app.ts';
import { createAdmin } from '../../testing/test-admin.ts';
import type { TestDatabase } from '../../testing/test-database.ts';
import { createSubscriber, createUser } from '../../testing/test-user.ts';
import { drawChart } from '../../testing/draw-chart.ts';
import { describeOnSqlite } from '../../testing/on-sqlite.ts';
import { indexTrack } from '../search/service.ts';

let test: TestApp;
/** Two servers that keep facts in memory. */
let servers: FastifyInstance[];
/** A server that remembers nothing, for comparison. */
let forgetful: { app: FastifyInstance; forget: () => void };
/** The connections of the servers, and one of another process that changes the same data. */
let writers: Db[];
/** Cookies by viewer. */
let viewers: Record<string, string>;
let userIds: string[];

async function startServer(): Promise<{ app: FastifyInstance; deps: Deps }> {
  const database = (test.deps.database as TestDatabase).connectAgain();
  const deps = { ...test.deps, database };
  return { app: await buildApp(deps), deps };
}

beforeEach(async () => {
  test = await createTestApp();
  const second = await startServer();
  const third = await startServer();
  const { db } = third.deps.database;
  servers = [test.app, second.app];
  forgetful = {
    app: third.app,
    // Facts belong to a connection, and this is a new one to whoever looks.
    forget: () => Object.assign(third.deps.database, { db: db.withoutPlugins() }),
  };
  writers = [test.deps.database.db, second.deps.database.db, db];
  const members = [await createUser(test), await createSubscriber(test), await createAdmin(test)];
  userIds = members.map(({ user }) => user.id);
  const [free = '', subscriber = '', admin = ''] = members.map(({ client }) => cookieOf(client));
  viewers = { visitor: '', free, subscriber, admin };
});
afterEach(async () => {
  await servers[1]?.close();
  await forgetful.app.close();
  await test.close();
});

async function ask(app: FastifyInstance, cookie: string, url: string): Promise<unknown> {
  const response = await app.inject({ url, headers: cookie ? { cookie } : {} });
  const body = response.json<Record<string, unknown>>();
  return { status: response.statusCode, body: { ...body, requestId: undefined } };
}

const artistIds = () =>
  writers[0]?.selectFrom('artists').select('id').orderBy('id').execute() ?? [];
const trackIds = () => writers[0]?.selectFrom('tracks').select('id').orderBy('id').execute() ?? [];

async function listUrls(): Promise<string[]> {
  const ids = (await trackIds()).slice(-4).map(({ id }) => id);
  const artists = (await artistIds()).slice(-2).map(({ id }) => id);
  return [
    ...artists.flatMap((id) => [`/api/artists/${id}`, `/api/tracks?artist=${id}`]),
    '/api/tracks/suggest?q=guest',
    '/api/tracks?limit=3',
    '/api/tracks?state=listened',
    '/api/tracks?genre=Amapiano',
    '/api/tracks/facets',
    '/api/tracks/early',
    '/api/top-20',
    '/api/tracks/search?q=golden',
    '/api/tracks/suggest?q=gol',
    '/api/tracks/search?q=nothing+like+it',
    ...ids.flatMap((id) => [
      `/api/tracks/${id}`,
      `/api/tracks/${id}/neighbours`,
      `/api/tracks/${id}/teaser`,
      `/api/tracks/${id}/peaks`,
    ]),
  ];
}

type Answers = Record<string, unknown>;

/** Everyone asks both servers for everything at once, and then the forgetful server. */
async function askAll(): Promise<{ remembered: Answers[]; expected: Answers }> {
  const urls = await listUrls();
  const questions = Object.entries(viewers).flatMap(([viewer, cookie]) =>
    urls.map((url) => ({ name: `${viewer} ${url}`, cookie, url })),
  );
  const askOne = async (app: FastifyInstance): Promise<Answers> =>
    Object.fromEntries(
      await Promise.all(
        questions.map(async ({ name, cookie, url }) => [name, await ask(app, cookie, url)]),
      ),
    ) as Answers;
  const remembered = await Promise.all(servers.map(askOne));
  forgetful.forget();
  return { remembered, expected: await askOne(forgetful.app) };
}

type Change = (random: Random, db: Db, id: string) => Promise<unknown>;

const someTime = (random: Random): number =>
  test.clock.now() + (random.below(120) - 60) * HOUR + random.below(1000);
const setTrack = (db: Db, id: string, change: Record<string, unknown>) =>
  db.updateTable('tracks').set(change).where('id', '=', id).execute();

const CHANGES: Record<string, Change> = {
  'add a track': async (random, db) => {
    const { storage, clock, database } = test.deps;
    const track = await seedTrack(
      { db, storage, now: clock.now() },
      {
        id: `t${String(clock.now())}${random.below(1e6)}`,
        week: 1 + random.below(50),
        publish_at: someTime(random),
        is_subscriber_only: random.below(4) === 0 ? 1 : 0,
      },
    );
    await db.transaction().execute((tx) => indexTrack(tx, database.dialect, track));
  },
  'rename it': (random, db, id) => setTrack(db, id, { title: `Golden ${random.below(1000)}` }),
  'change its genre': (random, db, id) =>
    setTrack(db, id, { genre: random.pick(['Amapiano', 'House', null]) }),
  'schedule it': (random, db, id) => setTrack(db, id, { publish_at: someTime(random) }),
  'unpublish it': (_random, db, id) => setTrack(db, id, { publish_at: null }),
  'reserve it for subscribers, or open it': (random, db, id) =>
    setTrack(db, id, { is_subscriber_only: random.below(2) }),
  'replace its audio': (random, db, id) =>
    db
      .updateTable('renditions')
      .set({ key: `tracks/run${random.below(1e9)}-file.bin` })
      .where('track_id', '=', id)
      .where('name', '=', random.pick(['stream', 'preview']))
      .execute(),
  'name an artist': (random, db, id) =>
    seedArtist({ db, now: test.clock.now() }, `Guest ${random.below(1e9)}`, [id]),
  'rename an artist': async (random, db) => {
    const name = `Guest ${random.below(1e9)}`;
    await db
      .updateTable('artists')
      .set({ name, name_key: name.toLowerCase() })
      .where('id', '=', (await artistIds()).at(-1)?.id ?? '')
      .execute();
  },
  'forget its artists': (_random, db, id) =>
    db.deleteFrom('track_artists').where('track_id', '=', id).execute(),
  'delete it': (_random, db, id) => db.deleteFrom('tracks').where('id', '=', id).execute(),
  'count a play of it': (_random, db, id) =>
    db
      .updateTable('tracks')
      .set(({ eb }) => ({ play_count: eb('play_count', '+', 1) }))
      .where('id', '=', id)
      .execute(),
  'favorite it': (random, db, track_id) =>
    db
      .insertInto('favorites')
      .values({ user_id: random.pick(userIds), track_id, created_at: test.clock.now() })
      .onConflict((conflict) => conflict.doNothing())
      .execute(),
  'favorite everything': async (random, db) => {
    const user_id = random.pick(userIds);
    const rows = (await trackIds()).map(({ id }) => ({
      user_id,
      track_id: id,
      created_at: test.clock.now(),
    }));
    await db
      .insertInto('favorites')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  },
  'forget all favorites of it': (_random, db, id) =>
    db.deleteFrom('favorites').where('track_id', '=', id).execute(),
  'listen to it': (random, db, track_id) =>
    db
      .insertInto('progress')
      .values({
        user_id: random.pick(userIds),
        track_id,
        position_ms: random.below(90_000),
        listened_ms: 1000,
        is_finished: 0,
        last_listened_at: test.clock.now(),
        reach: null,
        reach_day: null,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute(),
  'draw the chart': async (_random, db) => {
    const tracks = (await trackIds()).slice(-20);
    await drawChart(
      db,
      tracks.map(({ id }) => id),
      test.clock.now(),
    );
  },
  'change nothing, in a transaction that fails': (_random, db, id) =>
    db
      .transaction()
      .execute(async (tx) => {
        await setTrack(tx, id, { title: 'Never' });
        throw new Error('expected');
      })
      .catch(() => undefined),
  'let time pass': async (random) => test.clock.advance(random.below(30 * HOUR)),
};

/** Each step asks three servers more than a hundred questions, which takes longer on PostgreSQL. */
const STEPS = chooseCases(process.env.TEST_DIALECT === 'postgres' ? 4 : 14, 300);

describe('what servers keep in memory', () => {
  it(
    'is never older than the last change, for anybody',
    async () => {
      const random = createRandom(randomSeed);
      const repeat = howToRepeat(randomSeed);
      const add = CHANGES['add a track'] as Change;
      for (let count = 0; count < 5; count += 1) await add(random, random.pick(writers), '');
      await askAll();
      for (let step = 0; step < STEPS; step += 1) {
        const [name, change] = random.pick(Object.entries(CHANGES));
        const ids = await trackIds();
        await change(random, random.pick(writers), random.pick(ids)?.id ?? '');
        const { remembered, expected } = await askAll();
        for (const answers of remembered)
          expect({ step, name, repeat, answers }).toEqual({
            step,
            name,
            repeat,
            answers: expected,
          });
      }
    },
    chooseCases(120_000, 3_600_000),
  );

  it('shows a release in the second of its release, on every server', async () => {
    const { database, storage, clock } = test.deps;
    const at = clock.now() + 50 * HOUR;
    const { id } = await seedTrack(
      { db: database.db, storage, now: clock.now() },
      { publish_at: at },
    );
    const listFor = (cookie: string | undefined) =>
      Promise.all(
        servers.map(async (app) => {
          const answer = await ask(app, cookie ?? '', '/api/tracks');
          return (answer as { body: { items: { id: string }[] } }).body.items.map(
            (item) => item.id,
          );
        }),
      );
    expect(await listFor(viewers.subscriber)).toEqual([[], []]);
    test.clock.advance(2 * HOUR - 1);
    expect(await listFor(viewers.subscriber)).toEqual([[], []]);
    test.clock.advance(1);
    expect(await listFor(viewers.subscriber)).toEqual([[id], [id]]);
    expect(await listFor(viewers.free)).toEqual([[], []]);
    test.clock.advance(48 * HOUR - 1);
    expect(await listFor(viewers.visitor)).toEqual([[], []]);
    test.clock.advance(1);
    expect(await listFor(viewers.visitor)).toEqual([[id], [id]]);
  });

  it('shows visitors every counted play, on every server', async () => {
    const { database, storage, clock } = test.deps;
    const { id } = await seedTrack({ db: database.db, storage, now: clock.now() });
    const plays = () =>
      Promise.all(
        servers.map(async (app) => {
          const answer = await ask(app, '', `/api/tracks/${id}`);
          return (answer as { body: { plays: number } }).body.plays;
        }),
      );
    for (const [index, writer] of writers.entries()) {
      expect(await plays()).toEqual([index, index]);
      await CHANGES['count a play of it']?.(createRandom(1), writer, id);
    }
    expect(await plays()).toEqual([writers.length, writers.length]);
  });

  it('lets plays and changes of the catalogue be written at once', async () => {
    const { database, storage, clock } = test.deps;
    const seed = () => seedTrack({ db: database.db, storage, now: clock.now() });
    const played = [await seed(), await seed(), await seed()];
    const renamed = [await seed(), await seed()];
    const random = createRandom(1);
    await Promise.all([
      ...Array.from({ length: 30 }, (_, index) =>
        CHANGES['count a play of it']?.(
          random,
          writers[index % writers.length] as Db,
          played[index % played.length]?.id ?? '',
        ),
      ),
      ...renamed.map(({ id }, index) => CHANGES['rename it']?.(random, writers[index] as Db, id)),
    ]);
    const { remembered, expected } = await askAll();
    expect(remembered).toEqual([expected, expected]);
    const rows = await database.db.selectFrom('tracks').select('play_count').execute();
    expect(rows.reduce((sum, row) => sum + row.play_count, 0)).toBe(30);
  });
});

/** They read through one connection. */
describeOnSqlite('what one server keeps in memory', () => {
  it('gives visitors an answer that depends on their URL alone', async () => {
    const { database, storage, clock } = test.deps;
    const { id } = await seedTrack(
      { db: database.db, storage, now: clock.now() },
      { description: '“So long.” '.repeat(200) },
    );
    const url = `/api/tracks/${id}`;
    const askWith = async (headers: Record<string, string>) => {
      const { rawPayload, headers: sent } = await test.app.inject({ url, headers });
      const bytes = sent['content-encoding'] === 'gzip' ? gunzipSync(rawPayload) : rawPayload;
      return JSON.parse(bytes.toString()) as { access: string };
    };
    const member = { cookie: viewers.subscriber ?? '' };
    const gzip = { 'accept-encoding': 'gzip' };
    const fresh = await askWith({});
    for (const headers of [member, gzip, { cookie: 'session=wrong' }, { ...member, ...gzip }, {}])
      expect(await askWith(headers)).toEqual(
        'cookie' in headers && headers.cookie === member.cookie
          ? expect.objectContaining({ access: 'full' })
          : fresh,
      );
    expect(fresh.access).toBe('preview');
  });

  it('never keeps what a visitor was refused', async () => {
    const urls = [
      '/api/tracks?limit=0',
      '/api/tracks?x=1',
      '/api/tracks/none',
      '/api/tracks?limit=3',
    ];
    const statuses = async () =>
      Promise.all(urls.map(async (url) => (await test.app.inject({ url })).statusCode));
    expect(await statuses()).toEqual([400, 400, 404, 200]);
    expect(await statuses()).toEqual([400, 400, 404, 200]);
  });

  it('survives what concerns one listener only', async () => {
    const { database, storage, clock } = test.deps;
    const { db } = database;
    const { id } = await seedTrack({ db, storage, now: clock.now() });
    const random = createRandom(1);
    let loads = 0;
    const readFact = async () => (await openFacts(db)).read('fact', async () => (loads += 1));
    await readFact();
    await CHANGES['count a play of it']?.(random, db, id);
    await CHANGES['favorite it']?.(random, db, id);
    await CHANGES['listen to it']?.(random, db, id);
    test.clock.advance(MINUTE);
    expect(await readFact()).toBe(1);
    await CHANGES['rename it']?.(random, db, id);
    expect(await readFact()).toBe(2);
  });

  it('stays within its limit, and keeps what was asked for last', async () => {
    const facts = await openFacts(test.deps.database.db);
    let loads = 0;
    const read = (key: string) =>
      facts.read(key, async () => {
        loads += 1;
        return key;
      });
    for (let count = 0; count < 9000; count += 1) {
      await read('asked for all the time');
      await read(String(count));
    }
    expect(loads).toBe(9001);
    await read('8999');
    expect(loads).toBe(9001);
    for (let count = 0; count < 6000; count += 1) await read(String(count));
    expect(loads).toBe(15_001);
  });
});

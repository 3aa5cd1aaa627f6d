/** @module-tag both-databases */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { DAY, HOUR, MINUTE } from '#contract/rules/time.ts';
import { createDatabaseClock } from './db/database-clock.ts';
import { newId } from './db/ids.ts';
import { storeCover } from './features/catalogue/covers.ts';
import { savePodcastRequest } from './features/usage/queries.ts';
import { jobList } from './job-list.ts';
import { createWorker, type Worker } from './jobs/worker.ts';
import { isClockSteady } from './jobs/wrong-clock.ts';
import { readAllTables } from './testing/read-all-tables.ts';
import { seedTrack } from './testing/seed-track.ts';
import { createTestApp, type TestApp } from './testing/test-app.ts';
import { runSchedule } from './testing/test-payments.ts';
import { playlistClient } from './testing/test-playlists.ts';
import { createUser } from './testing/test-user.ts';
import { NO_SLOTS } from './testing/test-worker.ts';

const FAST_MS = 40 * DAY;

/** What jobs note about themselves, and what they write anew: one row stays one row. */
const BOOKKEEPING = new Set([
  'jobs',
  'schedule_runs',
  'clock_mark',
  'counters',
  'charts',
  'catalogue_version',
  'rate_limits',
  'site_checks',
  'server_readings',
  'disk_readings',
]);

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

let test: TestApp;
let worker: Worker;
beforeEach(async () => {
  test = await createTestApp();
  worker = createWorker({ deps: test.deps, jobs: jobList, slots: NO_SLOTS });
});
afterEach(async () => {
  await worker.stop();
  await test.close();
});

const listRows = async () =>
  [...(await readAllTables(test.deps.database))].flatMap(([table, rows]) =>
    BOOKKEEPING.has(table) ? [] : rows.map((row) => `${table}: ${row}`),
  );

async function listFiles() {
  const keys: string[] = [];
  for await (const { key } of test.deps.storage.list()) keys.push(key);
  return keys;
}

/** Whatever is deleted some day: sessions, links, mails, deleted playlists, files that nothing uses. */
async function fill() {
  const { database, storage, clock } = test.deps;
  const { db } = database;
  const now = clock.now();
  const { client, user } = await createUser(test);
  const playlists = playlistClient(client);
  await playlists.send('DELETE', `/${await playlists.create({ name: 'Braai' })}`);
  const { id: trackId } = await seedTrack({ db, storage, now });
  const deleted = await seedTrack({ db, storage, now });
  await db.updateTable('tracks').set({ deleted_at: now }).where('id', '=', deleted.id).execute();
  await client.request({
    method: 'POST',
    url: '/api/auth/reset-password/request',
    payload: { email: user.email },
  });
  await savePodcastRequest(db, { day: '2026-11-15', trackId, feed: 'feed' });
  await db
    .insertInto('signals')
    .values({ id: newId(now), topic: 'everyone', created_at: now })
    .execute();
  await db
    .insertInto('search_misses')
    .values({ day: '2026-11-15', query: 'sun ra', searches: 1 })
    .execute();
  return { client, cover: await storeCover(test.deps, PNG) };
}

it('40 days ahead for an hour, with every job running, costs no row, no file and no session', async () => {
  const { client, cover } = await fill();
  await worker.start();
  await worker.runDue();
  const rows = await listRows();
  const files = await listFiles();
  expect(files).toContain(cover);

  test.clock.advance(FAST_MS);
  for (let minutes = 0; minutes < 60; minutes += 30) {
    await worker.runDue();
    test.clock.advance(30 * MINUTE);
  }
  await worker.runDue();
  test.clock.advance(-FAST_MS);
  await worker.runDue();

  const left = new Set([...(await listRows()), ...(await listFiles())]);
  expect([...rows, ...files].filter((each) => !left.has(each))).toEqual([]);
  expect((await client.request({ url: '/api/auth/me' })).statusCode).toBe(200);

  // Once the clock has been right for a day, what was due is deleted after all.
  for (let hours = 0; hours < 26; hours += 1) {
    test.clock.advance(HOUR);
    await isClockSteady(test.deps);
  }
  await worker.runDue();
  expect(await listFiles()).not.toContain(cover);
});

it('40 days ahead, nothing comes out and nobody is told, where the database knows better', async () => {
  const { database, storage } = test.deps;
  const isKnown = database.dialect === 'postgres';
  // As in a process that starts: SQLite has only this machine’s clock.
  const clock = createDatabaseClock();
  await clock.compare(database);
  test.clock.now = isKnown ? clock.now : () => Date.now();
  const now = Date.now();
  const { client, user } = await createUser(test, 'sipho');
  const planned = { title: 'Night Bus', publish_at: now + 30 * DAY, announced_at: null };
  await seedTrack({ db: database.db, storage, now }, planned);
  const countPublic = async () =>
    (await test.app.inject('/feed.xml')).body.split('<item>').length - 1;
  async function countMails() {
    await runSchedule(test, 'announce-releases');
    const mails = await database.db.selectFrom('outbox').select('subject').execute();
    return mails.filter(({ subject }) => subject.includes('Night Bus')).length;
  }

  const machine = vi.spyOn(Date, 'now');
  machine.mockReturnValue(now + FAST_MS);
  // At once, and also when the database has been asked.
  for (let look = 0; look < 2; look += 1) {
    expect(await countPublic()).toBe(isKnown ? 0 : 1);
    expect(await countMails()).toBeLessThanOrEqual(isKnown ? 0 : 1);
    await clock.compare(database);
  }
  machine.mockReturnValue(now + MINUTE);
  await clock.compare(database);
  expect(await countPublic()).toBe(0);
  expect((await client.request({ url: '/api/auth/me' })).json()).toMatchObject({ id: user.id });
  machine.mockRestore();

  // When it does come out, everyone has been told once.
  test.clock.now = () => now + 31 * DAY;
  expect([await countPublic(), await countMails()]).toEqual([1, 1]);
});

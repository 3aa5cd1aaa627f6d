/** @module-tag both-databases */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AdminMoment } from '#contract/admin/moments.ts';
import type { Moment, OwnMoment } from '#contract/moments.ts';
import type { Page } from '#contract/paging.ts';
import { MOMENT_COLUMNS } from '#contract/rules/moments.ts';
import { DAY, MINUTE } from '#contract/rules/time.ts';
import { buildUser } from '../../db/build-rows.ts';
import { newId } from '../../db/ids.ts';
import type { SettingValues } from '#contract/admin/settings.ts';
import type { TracksTable } from '../../db/types/tables.ts';
import { itOnSqlite } from '../../testing/on-sqlite.ts';
import { seedTrack } from '../../testing/seed-track.ts';
import { createAdmin, createHelper } from '../../testing/test-admin.ts';
import { createTestApp, type TestApp, type TestClient } from '../../testing/test-app.ts';
import { createSubscriber, createUser, PASSWORD, payUntil } from '../../testing/test-user.ts';
import { writeSiteSettings, reloadSettings } from '../settings/service.ts';
import { divideIntoColumns } from './service.ts';

let test: TestApp;
beforeEach(async () => {
  test = await createTestApp();
  await set({ areMomentsOn: true });
});
afterEach(() => test.close());

async function set(values: Partial<SettingValues>) {
  await test.deps.database.db
    .transaction()
    .execute((tx) => writeSiteSettings(tx, values, test.clock.now()));
  await reloadSettings(test.deps);
}

const HOUR_LONG = { duration_ms: 3_600_000 };
const seed = (change: Partial<TracksTable> = {}) => {
  const { database, storage, clock } = test.deps;
  return seedTrack({ db: database.db, storage, now: clock.now() }, { ...HOUR_LONG, ...change });
};
const change = (id: string, values: Partial<TracksTable>) =>
  test.deps.database.db.updateTable('tracks').set(values).where('id', '=', id).execute();

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
const ask = (client: TestClient, method: Method, url: string, payload?: object) =>
  client.request({ method, url, ...(payload && { payload }) });

const post = (client: TestClient, trackId: string, at: number, text = 'this blend!') =>
  ask(client, 'POST', `/api/tracks/${trackId}/moments`, { at, text });

async function leave(client: TestClient, trackId: string, at: number, text?: string) {
  const response = await post(client, trackId, at, text);
  expect(response.statusCode, response.body).toBe(200);
  return response.json<Moment>();
}

async function readList(client: TestClient, trackId: string, query = '') {
  const response = await ask(client, 'GET', `/api/tracks/${trackId}/moments${query}`);
  expect(response.statusCode, response.body).toBe(200);
  return response.json<Page<Moment>>();
}
const texts = async (client: TestClient, trackId: string) =>
  (await readList(client, trackId)).items.map(({ text }) => text);

type Marks = { isOn: boolean; obstacle: string | null; marks: Moment[] };
async function readMarks(client: TestClient, trackId: string) {
  const response = await ask(client, 'GET', `/api/tracks/${trackId}/moments/marks`);
  expect(response.statusCode, response.body).toBe(200);
  return response.json<Marks>();
}

async function refusal(response: ReturnType<typeof post>) {
  const { statusCode, ...answer } = await response;
  return [statusCode, answer.json<{ code: string }>().code];
}

describe('a moment', () => {
  it('is left by a subscriber, and every member sees it in the list and as a mark', async () => {
    const sipho = await createSubscriber(test);
    const thandi = await createUser(test);
    const track = await seed();
    const moment = await leave(sipho.client, track.id, 754, ' this \n blend! <b>x</b> ');
    expect(moment).toMatchObject({
      at: 754,
      text: 'this blend! <b>x</b>',
      username: 'sipho',
      own: { editableMs: 5 * MINUTE, isHidden: false },
    });
    const seen = { ...moment, own: null };
    expect((await readList(thandi.client, track.id)).items).toEqual([seen]);
    expect(await readMarks(thandi.client, track.id)).toEqual({
      isOn: true,
      obstacle: 'premium',
      marks: [seen],
    });
    expect((await readMarks(sipho.client, track.id)).obstacle).toBe(null);
  });

  itOnSqlite('is written by those who hear all of the mix, and read by members', async () => {
    const free = await createUser(test);
    const lapsed = await createUser(test, 'lebo');
    await payUntil(test, lapsed.user, test.clock.now() - 30 * DAY);
    const helper = await createHelper(test);
    const visitor = test.createClient();
    const track = await seed();
    expect(await refusal(post(free.client, track.id, 1))).toEqual([403, 'subscribers_only']);
    expect(await refusal(post(lapsed.client, track.id, 1))).toEqual([403, 'subscribers_only']);
    expect(await refusal(post(visitor, track.id, 1))).toEqual([401, 'unauthenticated']);
    await leave(helper.client, track.id, 1);
    for (const path of ['', '/marks']) {
      const response = await ask(visitor, 'GET', `/api/tracks/${track.id}/moments${path}`);
      expect(response.statusCode).toBe(401);
    }
  });

  it('is one per member and minute of the mix, also when two arrive at once', async () => {
    const sipho = await createSubscriber(test);
    const lebo = await createSubscriber(test, 'lebo');
    const track = await seed();
    const codes = (await Promise.all([60, 60, 119].map((at) => post(sipho.client, track.id, at))))
      .map((response) => response.statusCode)
      .toSorted((a, b) => a - b);
    expect(codes).toEqual([200, 409, 409]);
    const again = await post(sipho.client, track.id, 61);
    expect(again.json()).toMatchObject({
      code: 'moment_taken',
      message: expect.stringContaining('already left a moment in this minute') as string,
    });
    await leave(sipho.client, track.id, 120);
    await leave(sipho.client, track.id, 59);
    await leave(lebo.client, track.id, 60);
    await leave(sipho.client, (await seed({ week: 45 })).id, 60);
  });

  itOnSqlite('is refused with a sentence if it is no line, or not in the mix', async () => {
    const { client } = await createSubscriber(test);
    const track = await seed({ duration_ms: 95_400 });
    const field = async (payload: object) => {
      const response = await ask(client, 'POST', `/api/tracks/${track.id}/moments`, payload);
      expect(response.statusCode).toBe(400);
      return Object.values(response.json<{ fields: Record<string, string> }>().fields)[0];
    };
    expect(await field({ at: 1, text: ' \u200b\u202e ' })).toBe('Write a line.');
    expect(await field({ at: 1, text: 'a'.repeat(121) })).toBe('Use at most 120 characters.');
    expect(await field({ at: 1, text: 'a'.repeat(5000) })).toBe('Use at most 120 characters.');
    expect(await field({ at: 1.5, text: 'a' })).toBe('Choose a second.');
    expect(await field({ at: 96, text: 'a' })).toBe('This mix ends at 1:35.');
    await leave(client, track.id, 95, '🔥'.repeat(120));
    await field({ at: -1, text: 'a' });
    await field({ at: 1, text: 'a', user: 'x' });
  });

  itOnSqlite('is refused if it contains a word that the operator forbids', async () => {
    const { client } = await createSubscriber(test);
    const track = await seed();
    await set({ forbiddenWords: 'voetsek' });
    const response = await post(client, track.id, 1, 'Vóetsek, DJ!');
    expect(response.statusCode).toBe(422);
    expect(response.json()).toMatchObject({
      code: 'moment_refused',
      message: '“voetsek” isn’t allowed here. Say it in other words.',
    });
    const { id } = await leave(client, track.id, 1, 'lovely');
    const changed = ask(client, 'PATCH', `/api/moments/${id}`, { text: 'VOETSEK' });
    expect(await refusal(changed)).toEqual([422, 'moment_refused']);
  });

  itOnSqlite('can be left sixty times an hour', async () => {
    const { client } = await createSubscriber(test);
    const track = await seed({ duration_ms: 2 * 3_600_000 });
    for (let minute = 0; minute < 60; minute++) await leave(client, track.id, minute * 60);
    const response = await post(client, track.id, 61 * 60);
    expect(response.statusCode).toBe(429);
    expect(response.json<{ message: string }>().message).toContain('Try again in');
  });

  it('is changed by its author for five minutes, and deleted at any time', async () => {
    const sipho = await createSubscriber(test);
    const lebo = await createSubscriber(test, 'lebo');
    const track = await seed();
    const { id } = await leave(sipho.client, track.id, 1);
    const edit = (client: TestClient) =>
      ask(client, 'PATCH', `/api/moments/${id}`, { text: '  better ' });
    test.clock.advance(5 * MINUTE - 1);
    expect(await refusal(edit(lebo.client))).toEqual([404, 'not_found']);
    expect((await edit(sipho.client)).json()).toMatchObject({ text: 'better' });
    test.clock.advance(1);
    expect(await refusal(edit(sipho.client))).toEqual([409, 'moment_final']);
    expect((await readList(sipho.client, track.id)).items[0]?.own?.editableMs).toBe(0);
    const remove = (client: TestClient) => ask(client, 'DELETE', `/api/moments/${id}`);
    expect((await remove(lebo.client)).statusCode).toBe(404);
    // Whatever happened meanwhile.
    await set({ areMomentsOn: false });
    await change(track.id, { publish_at: null });
    await payUntil(test, sipho.user, null);
    const own = await ask(sipho.client, 'GET', '/api/me/moments');
    expect(own.json<Page<OwnMoment>>().items).toMatchObject([
      { id, text: 'better', at: 1, track: { id: track.id, title: null } },
    ]);
    expect((await remove(sipho.client)).statusCode).toBe(204);
    expect((await remove(sipho.client)).statusCode).toBe(404);
  });

  itOnSqlite('stays when its author no longer subscribes, but can’t be changed', async () => {
    const sipho = await createSubscriber(test);
    const track = await seed();
    const { id } = await leave(sipho.client, track.id, 1);
    await payUntil(test, sipho.user, null);
    const changed = ask(sipho.client, 'PATCH', `/api/moments/${id}`, { text: 'x' });
    expect(await refusal(changed)).toEqual([403, 'subscribers_only']);
    expect(await texts(sipho.client, track.id)).toEqual(['this blend!']);
  });

  itOnSqlite('goes with its mix, and waits behind the end of shorter audio', async () => {
    const { client } = await createSubscriber(test);
    const track = await seed();
    await leave(client, track.id, 10, 'early');
    await leave(client, track.id, 3000, 'late');
    await change(track.id, { duration_ms: 1_800_000 });
    expect(await texts(client, track.id)).toEqual(['early']);
    expect((await readMarks(client, track.id)).marks.map(({ text }) => text)).toEqual(['early']);
    await change(track.id, { duration_ms: 3_600_000 });
    expect(await texts(client, track.id)).toEqual(['early', 'late']);
    await change(track.id, { publish_at: null });
    const response = await ask(client, 'GET', `/api/tracks/${track.id}/moments`);
    expect(response.statusCode).toBe(404);
  });

  it('is in the export of its author, and deleted with the account', async () => {
    const { client, user } = await createSubscriber(test);
    const track = await seed();
    await leave(client, track.id, 754);
    const archive = await ask(client, 'GET', '/api/me/export');
    expect(archive.rawPayload.includes('moments.json')).toBe(true);
    const deleted = await ask(client, 'DELETE', '/api/me', {
      password: PASSWORD,
      confirmation: 'delete',
    });
    expect(deleted.statusCode, deleted.body).toBe(204);
    const rows = await test.deps.database.db
      .selectFrom('moments')
      .selectAll()
      .where('user_id', '=', user.id)
      .execute();
    expect(rows).toEqual([]);
  });
});

describe('moments', () => {
  it('are off until the operator turns them on, also for one mix', async () => {
    const { client } = await createSubscriber(test);
    const admin = await createAdmin(test);
    const track = await seed();
    await leave(client, track.id, 1);
    const off = { isOn: false, obstacle: null, marks: [] };
    const expectOff = async () => {
      expect(await readMarks(client, track.id)).toEqual(off);
      expect(await texts(client, track.id)).toEqual([]);
      expect(await refusal(post(client, track.id, 100))).toEqual([409, 'moments_off']);
    };
    await set({ areMomentsOn: false });
    await expectOff();
    await set({ areMomentsOn: true });
    const url = `/api/admin/moments/tracks/${track.id}`;
    const turned = await ask(admin.client, 'PUT', url, { isOff: true });
    expect(turned.json()).toMatchObject({ title: track.title, isOff: true });
    await expectOff();
    await ask(admin.client, 'PUT', url, { isOff: true });
    test.clock.advance(1);
    await ask(admin.client, 'PUT', url, { isOff: false });
    expect(await texts(client, track.id)).toEqual(['this blend!']);
    const audit = await ask(admin.client, 'GET', '/api/admin/audit?kind=track');
    const actions = audit.json<Page<{ action: string }>>().items.map(({ action }) => action);
    expect(actions).toEqual(['moments.turned-on', 'moments.turned-off']);
  });

  itOnSqlite('leave the answers that everyone shares as they are', async () => {
    const sipho = await createSubscriber(test);
    const lebo = await createSubscriber(test, 'lebo');
    const track = await seed();
    const read = async (client: TestClient) =>
      (await ask(client, 'GET', `/api/tracks/${track.id}`)).body;
    const before = await read(lebo.client);
    await leave(sipho.client, track.id, 1);
    expect(await read(sipho.client)).toBe(before);
    expect(await read(lebo.client)).toBe(before);
  });
});

describe('an operator', () => {
  const listAll = async (client: TestClient, query = '') => {
    const response = await ask(client, 'GET', `/api/admin/moments${query}`);
    expect(response.statusCode, response.body).toBe(200);
    return response.json<Page<AdminMoment>>().items;
  };

  it('finds moments by member and mix, hides them and shows them again', async () => {
    const sipho = await createSubscriber(test);
    const lebo = await createSubscriber(test, 'lebo');
    const helper = await createHelper(test);
    const night = await seed({ title: 'Night Bus' });
    const day = await seed({ title: '100% Day_', week: 45 });
    const { id } = await leave(sipho.client, night.id, 754, 'one');
    test.clock.advance(1);
    await leave(lebo.client, day.id, 1, 'two');
    const found = async (query: string) =>
      (await listAll(helper.client, query)).map(({ text }) => text);
    expect(await found('')).toEqual(['two', 'one']);
    expect(await found('?q=SIPH')).toEqual(['one']);
    expect(await found('?q=night%20b')).toEqual(['one']);
    expect(await found('?q=100%25')).toEqual(['two']);
    expect(await found('?q=0_')).toEqual([]);
    expect(await found(`?user=${lebo.user.id}`)).toEqual(['two']);
    expect(await found(`?track=${night.id}`)).toEqual(['one']);
    const hide = (isHidden: boolean) =>
      ask(helper.client, 'PUT', `/api/admin/moments/${id}/hidden`, { isHidden });
    expect((await hide(true)).statusCode).toBe(204);
    expect((await hide(true)).statusCode).toBe(204);
    expect(await texts(lebo.client, night.id)).toEqual([]);
    expect((await readMarks(lebo.client, night.id)).marks).toEqual([]);
    // Its author sees why the minute is taken.
    expect((await readList(sipho.client, night.id)).items).toMatchObject([
      { text: 'one', own: { editableMs: 0, isHidden: true } },
    ]);
    const edit = ask(sipho.client, 'PATCH', `/api/moments/${id}`, { text: 'x' });
    expect(await refusal(edit)).toEqual([409, 'moment_final']);
    test.clock.advance(1);
    await hide(false);
    expect(await texts(lebo.client, night.id)).toEqual(['one']);
    const admin = await createAdmin(test);
    const audit = await ask(admin.client, 'GET', '/api/admin/audit?kind=user');
    expect(audit.json<Page<object>>().items.slice(0, 2)).toMatchObject([
      { action: 'moment.shown', actor: { name: 'bheki' }, subject: { name: 'sipho' } },
      {
        action: 'moment.hidden',
        changes: [
          { field: 'title', after: 'Night Bus' },
          { field: 'at', after: '12:34' },
        ],
      },
    ]);
    expect(audit.body).not.toContain('"one"');
  });

  it('keeps the minute of a hidden line that its author deletes', async () => {
    const sipho = await createSubscriber(test);
    const helper = await createHelper(test);
    const track = await seed();
    const { id } = await leave(sipho.client, track.id, 65, 'rude');
    const hide = (isHidden: boolean) =>
      ask(helper.client, 'PUT', `/api/admin/moments/${id}/hidden`, { isHidden });
    await hide(true);
    const remove = () => ask(sipho.client, 'DELETE', `/api/moments/${id}`);
    expect((await remove()).statusCode).toBe(204);
    expect((await remove()).statusCode).toBe(404);
    expect(await texts(sipho.client, track.id)).toEqual([]);
    const own = await ask(sipho.client, 'GET', '/api/me/moments');
    expect(own.json<Page<OwnMoment>>().items).toEqual([]);
    const again = await post(sipho.client, track.id, 65, 'rude');
    expect(again.statusCode).toBe(409);
    expect(again.json()).toMatchObject({
      code: 'moment_taken',
      message: expect.stringContaining('was hidden. Choose another minute') as string,
    });
    expect(await listAll(helper.client)).toMatchObject([
      { id, text: '', isHidden: true, isDeleted: true },
    ]);
    // There is nothing to show again, or to change.
    expect(await refusal(hide(false))).toEqual([404, 'not_found']);
    const changed = ask(sipho.client, 'PATCH', `/api/moments/${id}`, { text: 'rude' });
    expect(await refusal(changed)).toEqual([404, 'not_found']);
    test.clock.advance(1);
    await leave(sipho.client, track.id, 120, 'kind');
    expect((await listAll(helper.client))[0]).toMatchObject({ text: 'kind', isDeleted: false });
  });

  it('bans a member from writing, with or without their lines', async () => {
    const sipho = await createSubscriber(test);
    const lebo = await createSubscriber(test, 'lebo');
    const admin = await createAdmin(test);
    const helper = await createHelper(test);
    const track = await seed();
    const { id } = await leave(sipho.client, track.id, 1);
    const ban = (userId: string, value: string | null) =>
      ask(helper.client, 'PUT', `/api/admin/moments/authors/${userId}`, { ban: value });
    expect((await ban(sipho.user.id, 'writing')).json()).toMatchObject({ ban: 'writing' });
    expect(await refusal(post(sipho.client, track.id, 100))).toEqual([403, 'moments_banned']);
    const edit = ask(sipho.client, 'PATCH', `/api/moments/${id}`, { text: 'x' });
    expect(await refusal(edit)).toEqual([403, 'moments_banned']);
    expect((await readMarks(sipho.client, track.id)).obstacle).toBe('banned');
    expect(await texts(lebo.client, track.id)).toEqual(['this blend!']);
    test.clock.advance(1);
    await ban(sipho.user.id, 'lines');
    expect(await texts(lebo.client, track.id)).toEqual([]);
    expect((await readMarks(lebo.client, track.id)).marks).toEqual([]);
    expect((await listAll(helper.client))[0]?.author.ban).toBe('lines');
    test.clock.advance(1);
    await ban(sipho.user.id, null);
    expect(await texts(lebo.client, track.id)).toEqual(['this blend!']);
    await leave(sipho.client, track.id, 100);
    expect(await refusal(ban(admin.user.id, 'writing'))).toEqual([403, 'forbidden']);
    expect(await refusal(ban('nobody', 'writing'))).toEqual([404, 'not_found']);
    const audit = await ask(admin.client, 'GET', `/api/admin/audit?subject=${sipho.user.id}`);
    const actions = audit.json<Page<{ action: string }>>().items.map(({ action }) => action);
    expect(actions).toEqual(['moments.unbanned', 'moments.banned', 'moments.banned']);
  });

  itOnSqlite('hides the moments of an account by disabling it', async () => {
    const sipho = await createSubscriber(test);
    const lebo = await createSubscriber(test, 'lebo');
    const admin = await createAdmin(test);
    const track = await seed();
    await leave(sipho.client, track.id, 1);
    const url = `/api/admin/subscribers/${sipho.user.id}/disabled`;
    const disable = (isDisabled: boolean) =>
      ask(admin.client, 'PUT', url, { isDisabled, reason: 'A test.' });
    await disable(true);
    expect(await texts(lebo.client, track.id)).toEqual([]);
    expect((await readMarks(lebo.client, track.id)).marks).toEqual([]);
    expect((await listAll(admin.client))[0]?.author.isDisabled).toBe(true);
    await disable(false);
    expect(await texts(lebo.client, track.id)).toEqual(['this blend!']);
  });
});

describe('a mix with 5,000 moments', () => {
  const AUTHORS = 100;
  async function seedMany(trackId: string) {
    const { db } = test.deps.database;
    const now = test.clock.now();
    const users = Array.from({ length: AUTHORS }, (_, index) =>
      buildUser({ id: `author-${index}`, created_at: now }),
    );
    await db.insertInto('users').values(users).execute();
    const lines = Array.from({ length: 5000 }, (_, index) => {
      const minute = Math.floor(index / AUTHORS);
      return {
        id: newId(now + index),
        user_id: `author-${index % AUTHORS}`,
        track_id: trackId,
        second: minute * 60 + (index % 60),
        minute,
        text: '🔥'.repeat(120),
        created_at: now + index,
        hidden_at: null,
      };
    });
    for (let from = 0; from < lines.length; from += 500)
      await db
        .insertInto('moments')
        .values(lines.slice(from, from + 500))
        .execute();
  }

  it('sends a fixed number of marks and pages of the list', async () => {
    const { client } = await createSubscriber(test);
    const track = await seed();
    await seedMany(track.id);
    await leave(client, track.id, 31, 'mine');
    const response = await ask(client, 'GET', `/api/tracks/${track.id}/moments/marks`);
    const { marks } = response.json<Marks>();
    // The mix lasts 60 minutes, and they are in its first 50.
    expect(marks.length).toBe((MOMENT_COLUMNS * 50) / 60);
    expect(new Set(marks.map(({ at }) => Math.floor(at / 30))).size).toBe(marks.length);
    expect(marks.map(({ at }) => at)).toEqual(marks.map(({ at }) => at).toSorted((a, b) => a - b));
    // The own line has its column, though others were left there.
    expect(marks[1]).toMatchObject({ text: 'mine', at: 31 });
    expect(response.body.length).toBeLessThan(MOMENT_COLUMNS * 800);
    test.clock.advance(DAY);
    const tomorrow = await readMarks(client, track.id);
    expect(tomorrow.marks[4]?.id).not.toBe(marks[4]?.id);
    let [query, count, previous] = ['?limit=100', 0, -1];
    for (let page = 0; page < 51; page++) {
      const { items, nextCursor } = await readList(client, track.id, query);
      expect(items.length).toBe(page === 50 ? 1 : 100);
      for (const { at } of items) {
        expect(at).toBeGreaterThanOrEqual(previous);
        previous = at;
        count += 1;
      }
      query = `?limit=100&cursor=${nextCursor}`;
    }
    expect(count).toBe(5001);
    const later = await readList(client, track.id, '?from=1800');
    expect(later.items.length).toBe(20);
    expect(later.items[0]?.at).toBe(1800);
    expect(
      (await ask(client, 'GET', `/api/tracks/${track.id}/moments?limit=5000`)).statusCode,
    ).toBe(400);
  });

  it('has columns that cover all of it, however short it is', () => {
    for (const seconds of [0, 1, 7, 119, 120, 121, 3600, 21_600]) {
      const columns = divideIntoColumns(seconds, DAY * 20_000);
      expect(columns.length).toBe(Math.min(MOMENT_COLUMNS, seconds));
      let end = 0;
      for (const { from, turn, to } of columns) {
        expect(from).toBe(end);
        expect(turn).toBeGreaterThanOrEqual(from);
        expect(turn).toBeLessThan(to);
        end = to;
      }
      expect(end).toBe(seconds);
    }
  });
});

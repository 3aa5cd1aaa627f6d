/** @module-tag both-databases */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE, SECOND } from '#contract/rules/time.ts';
import type { TracksTable } from '../../db/types/tables.ts';
import { createTestApp, type TestApp } from '../../testing/test-app.ts';
import { createMusicApp, seed, type TestMusicApp } from '../../testing/test-subsonic.ts';
import { createSubscriber, createUser, type TestUser } from '../../testing/test-user.ts';
import { describeOnSqlite, itOnSqlite } from '../../testing/on-sqlite.ts';

let test: TestApp;
let member: TestUser;
let app: TestMusicApp;
let track: TracksTable;
beforeEach(async () => {
  test = await createTestApp();
  track = await seed(test, { duration_ms: 3600 * SECOND });
  member = await createSubscriber(test);
  app = await createMusicApp(test, member);
});
afterEach(() => test.close());

const countPlays = async (): Promise<number> => {
  const { play_count } = await test.deps.database.db
    .selectFrom('tracks')
    .select('play_count')
    .where('id', '=', track.id)
    .executeTakeFirstOrThrow();
  return play_count;
};
const listen = () => app.call('scrobble', { id: track.id, submission: false });
const submit = (query = {}) => app.call('scrobble', { id: track.id, ...query });

describeOnSqlite('a scrobble', () => {
  it('counts as a play 15 seconds after the app began to play', async () => {
    await listen();
    test.clock.advance(14 * SECOND - 2 * SECOND);
    await submit();
    expect(await countPlays()).toBe(0);
    await listen();
    test.clock.advance(MINUTE);
    await submit();
    expect(await countPlays()).toBe(1);
  });

  it('counts from the moment the app loaded the mix, if it never says that it plays', async () => {
    await app.request('stream', { id: track.id }, { range: 'bytes=0-9' });
    expect(await countPlays()).toBe(0);
    test.clock.advance(MINUTE);
    await submit();
    expect(await countPlays()).toBe(1);
  });

  it('counts nothing by itself, however often and with whatever time it is sent', async () => {
    for (let n = 0; n < 5; n += 1) {
      await submit({ time: test.clock.now() - HOUR });
      test.clock.advance(MINUTE);
    }
    expect(await countPlays()).toBe(0);
  });

  it('counts at most once in 30 minutes, on all apps of the user together', async () => {
    const other = await createMusicApp(test, member, 'Car');
    for (const device of [app, other, app]) {
      await device.call('scrobble', { id: track.id, submission: false });
      test.clock.advance(5 * MINUTE);
      await device.call('scrobble', { id: track.id, submission: true });
    }
    expect(await countPlays()).toBe(1);
    test.clock.advance(30 * MINUTE);
    await listen();
    test.clock.advance(MINUTE);
    await submit();
    expect(await countPlays()).toBe(2);
  });

  it('of a preview counts as on the site, and never as more than the preview', async () => {
    const free = await createUser(test);
    const device = await createMusicApp(test, free);
    await device.call('scrobble', { id: track.id, submission: false });
    test.clock.advance(HOUR);
    await device.call('scrobble', { id: track.id });
    expect(await countPlays()).toBe(1);
    const { listened_ms } = await test.deps.database.db
      .selectFrom('progress')
      .select('listened_ms')
      .where('user_id', '=', free.user.id)
      .executeTakeFirstOrThrow();
    expect(listened_ms).toBe(20 * SECOND);
  });

  it('puts the mix into the history, and keeps the place where the user stopped', async () => {
    await app.call('createBookmark', { id: track.id, position: 10 * MINUTE });
    await listen();
    test.clock.advance(5 * MINUTE);
    await listen();
    await submit();
    const history = await member.client.request({ url: '/api/history' });
    expect(history.json()).toMatchObject({
      items: [{ position: 600, track: { id: track.id, progress: { listened: 300 } } }],
    });
  });

  it('of a mix that the user can’t see is refused, and so is a flood', async () => {
    const draft = await seed(test, { publish_at: null, week: 47 });
    expect(await app.fail('scrobble', { id: draft.id })).toMatchObject({ code: 70 });
    expect(await app.fail('scrobble')).toMatchObject({ code: 10 });
    for (let n = 0; n < 300; n += 1) await listen();
    const refused = await app.request('scrobble', { id: track.id, submission: false });
    expect(refused.statusCode).toBe(429);
    const plays = await test.deps.database.db.selectFrom('plays').select('id').execute();
    expect(plays).toHaveLength(1);
  });
});

describe('a scrobble of what was heard offline', () => {
  const readHistory = async () => {
    const history = await member.client.request({ url: '/api/history' });
    return history.json<{ items: { listenedAt: number; track: { id: string } }[] }>().items;
  };

  it('is in the history at its time, never in the future, and counts nothing', async () => {
    const older = await seed(test, { week: 45 });
    test.clock.advance(3 * DAY);
    const now = test.clock.now();
    const late = { id: [track.id, older.id], time: [now - 2 * HOUR, now - 30 * HOUR] };
    await app.call('scrobble', late);
    // An app that got no answer sends it again.
    await app.call('scrobble', late);
    expect(await readHistory()).toMatchObject([
      { listenedAt: now - 2 * HOUR, track: { id: track.id, progress: { listened: 0 } } },
      { listenedAt: now - 30 * HOUR, track: { id: older.id } },
    ]);
    await submit({ time: now - 40 * HOUR });
    expect(await readHistory()).toMatchObject([{ listenedAt: now - 2 * HOUR }, {}]);
    await submit({ time: now + 40 * HOUR });
    expect(await readHistory()).toMatchObject([{ listenedAt: now }, {}]);
    expect(await countPlays()).toBe(0);
    const plays = await test.deps.database.db.selectFrom('plays').select('id').execute();
    expect(plays).toEqual([]);
  });

  it('takes nothing from the play that goes on meanwhile', async () => {
    test.clock.advance(3 * DAY);
    await listen();
    test.clock.advance(5 * SECOND);
    await submit({ time: test.clock.now() - DAY });
    expect(await countPlays()).toBe(0);
    test.clock.advance(MINUTE);
    // The clock of the device is slow.
    await submit({ time: test.clock.now() - 10 * MINUTE });
    expect(await countPlays()).toBe(1);
  });

  it('doesn’t count days after the mix was loaded', async () => {
    await app.request('stream', { id: track.id }, { range: 'bytes=0-9' });
    test.clock.advance(3 * DAY);
    const heardAt = test.clock.now() - DAY;
    await submit({ time: heardAt });
    expect(await countPlays()).toBe(0);
    expect(await readHistory()).toMatchObject([{ listenedAt: heardAt }]);
  });

  itOnSqlite('with a time that can’t be has none, or is refused', async () => {
    for (const time of ['0', '1', '00', ''])
      expect(await app.call('scrobble', { id: track.id, time })).toBeDefined();
    expect(await readHistory()).toMatchObject([{ listenedAt: test.clock.now() }]);
    for (const time of ['-1', 'yesterday', '1e99', '12.5', 'Infinity', '१२३'])
      expect((await app.fail('scrobble', { id: track.id, time })).code).toBe(10);
    await submit({ time: '9'.repeat(400) });
    expect(await readHistory()).toMatchObject([{ listenedAt: test.clock.now() }]);
  });
});

describe('the diary of a listener with a scrobbling service', () => {
  const queued = async (userId = member.user.id) => {
    const rows = await test.deps.database.db
      .selectFrom('scrobbles')
      .select(['title', 'artist', 'chapter', 'listened_at', 'user_id'])
      .orderBy('listened_at')
      .execute();
    return rows
      .filter((row) => row.user_id === userId)
      .map(({ title, artist, chapter, listened_at }) => [title, artist, chapter, listened_at]);
  };
  const connect = async ({ user }: TestUser) => {
    const { db } = test.deps.database;
    const service = { user_id: user.id, service: 'listenbrainz', username: 's' } as const;
    const nothing = { server: null, secret: 'x', is_paused: 0, refused_at: null } as const;
    const state = { attempts: 0, failed_at: null, sent_at: null, connected_at: test.clock.now() };
    await db
      .insertInto('scrobble_accounts')
      .values({ ...service, ...nothing, ...state })
      .execute();
    await db.updateTable('users').set({ is_scrobbling: 1 }).where('id', '=', user.id).execute();
  };

  it('gets the mix that an app says was heard, once, at the time it began', async () => {
    await connect(member);
    test.clock.advance(3 * DAY);
    const startedAt = test.clock.now();
    await listen();
    test.clock.advance(5 * MINUTE);
    await submit({ time: startedAt });
    await submit();
    const late = { time: startedAt - DAY };
    await submit(late);
    await submit(late);
    await submit({ time: test.clock.now() - 15 * DAY });
    expect(await queued()).toEqual([
      [track.title, test.deps.config.siteName, -1, startedAt - DAY],
      [track.title, test.deps.config.siteName, -1, startedAt],
    ]);
  });

  it('gets nothing of a few seconds, nor of previews, nor twice what was reported', async () => {
    const free = await createUser(test);
    const device = await createMusicApp(test, free);
    await connect(member);
    await connect(free);
    test.clock.advance(HOUR);
    await listen();
    test.clock.advance(MINUTE);
    await submit();
    await device.call('scrobble', { id: track.id, time: test.clock.now() - MINUTE });
    expect([await queued(), await queued(free.user.id)]).toEqual([[], []]);
    for (const [state, minutes] of [
      ['starting', 0],
      ['stopped', 31],
    ] as const) {
      test.clock.advance(minutes * MINUTE);
      const position = { state, positionMs: minutes * MINUTE };
      await app.call('reportPlayback', { mediaId: track.id, mediaType: 'song', ...position });
    }
    expect(await queued()).toHaveLength(1);
    await submit();
    expect(await queued()).toHaveLength(1);
  });
});

describe('an app that reports where it is', () => {
  const report = (state: string, positionMs: number, more = {}) =>
    app.call('reportPlayback', {
      mediaId: track.id,
      mediaType: 'song',
      state,
      positionMs,
      ...more,
    });

  itOnSqlite(
    'adds what was heard, without pauses and jumps, and moves the place on the site',
    async () => {
      await report('starting', 0);
      test.clock.advance(10 * SECOND);
      await report('paused', 10 * SECOND);
      test.clock.advance(HOUR);
      expect(await countPlays()).toBe(0);
      await report('playing', 10 * SECOND);
      test.clock.advance(2 * SECOND);
      await report('playing', 1800 * SECOND);
      expect(await countPlays()).toBe(0);
      test.clock.advance(30 * SECOND);
      await report('stopped', 1830 * SECOND);
      expect(await countPlays()).toBe(1);
      await submit();
      const history = await member.client.request({ url: '/api/history' });
      expect(history.json()).toMatchObject({
        items: [{ position: 1830, track: { progress: { listened: 42 } } }],
      });
      expect(await countPlays()).toBe(1);
    },
  );

  it('counts nothing if it says so, and can’t claim more than has passed', async () => {
    await report('playing', 0, { ignoreScrobble: true });
    test.clock.advance(MINUTE);
    await report('stopped', MINUTE, { ignoreScrobble: true });
    expect(await countPlays()).toBe(0);
    await report('playing', 0);
    await report('playing', HOUR);
    expect(await countPlays()).toBe(0);
    expect((await app.fail('reportPlayback', { mediaId: track.id })).code).toBe(10);
  });
});

it('shows what the user’s own apps play now, and nothing of others', async () => {
  const other = await createMusicApp(test, await createUser(test));
  await other.call('scrobble', { id: track.id, submission: false });
  await listen();
  test.clock.advance(3 * MINUTE);
  const { nowPlaying } = await app.call<{ nowPlaying: { entry: object[] } }>('getNowPlaying');
  expect(nowPlaying.entry).toMatchObject([{ id: track.id, username: 'sipho', minutesAgo: 3 }]);
  test.clock.advance(2 * HOUR);
  expect(await app.call('getNowPlaying')).toMatchObject({ nowPlaying: { entry: [] } });
});

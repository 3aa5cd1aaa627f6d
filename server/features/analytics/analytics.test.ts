/** @module-tag both-databases */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eventNames, type EventName } from '#contract/analytics.ts';
import { createTestApp, type TestApp, type TestClient } from '../../testing/test-app.ts';
import { createUser } from '../../testing/test-user.ts';
import { sweepExpired } from '../system/jobs.ts';
import { hasRoomOnDisk } from '../../ports/storage/disk-space.ts';
import { anonymiseUserEvents, LIMITS, storeBatch } from './service.ts';
import { dayOf } from '#contract/rules/days.ts';
import { DAY, MINUTE } from '#contract/rules/time.ts';

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp();
});
beforeEach(async () => {
  await test.deps.database.db.deleteFrom('analytics_events').execute();
  await test.deps.database.db.deleteFrom('analytics_days').execute();
  await test.deps.database.db.deleteFrom('analytics_arrivals').execute();
});
afterAll(() => test.close());

const form = { 'content-type': 'application/x-www-form-urlencoded' };
const common = {
  platform: 'web',
  app_version: '1.0.0',
  screen_resolution: '1440x900',
  viewport_size: '1440x800',
  timestamp: '2026-11-15T12:00:00.000Z',
};
const own: Record<EventName, object> = {
  'Session Start': {},
  'Session End': {},
  'Page Viewed': { name: '/track/:id' },
  'User Signup': {},
  'User Login': {},
  'Feature Usage': { feature: 'preview', action: 'ended' },
  'Profile Update': { updated_fields: ['username'] },
  Search: { query: '“amapiano” <script>', results_count: 0 },
  'User Engagement': { action: 'favorite', content_id: 't1', content_type: 'track' },
  'play-track': { track_id: 't1', track_title: 'Golden Hour' },
  'download-track': { track_id: 't1', track_title: 'Golden Hour', content_type: 'mp3' },
  'subscribe-monthly': {
    plan_type: 'monthly',
    amount: 79,
    currency: 'ZAR',
    payment_method: 'card',
  },
  'subscribe-annual': { plan_type: 'annual', amount: 790, currency: 'ZAR', payment_method: 'card' },
  'Error Occurred': {
    error_type: 'React Error',
    error_message: 'x is not a function',
    error_context: 'at Page',
  },
};

let count = 0;
type Fields = Record<string, unknown>;
const makeEvent = (event: string, fields: Fields = {}) => ({
  event,
  properties: {
    ...common,
    ...own[event as EventName],
    token: 'site',
    $device_id: 'd-1',
    distinct_id: '$device:d-1',
    $insert_id: `i${++count}`,
    $browser: 'Chrome',
    time: test.clock.now() / 1000,
    ...fields,
  },
});

const asJson = (batch: unknown) => `data=${encodeURIComponent(JSON.stringify(batch))}`;
const asBase64 = (batch: unknown) =>
  `data=${encodeURIComponent(Buffer.from(JSON.stringify(batch)).toString('base64'))}`;

const send = (payload: string, client: TestClient = test.createClient(), headers = form) =>
  client.request({ method: 'POST', url: '/api/events?verbose=1&ip=0&_=1', headers, payload });
const listEvents = () =>
  test.deps.database.db.selectFrom('analytics_events').selectAll().orderBy('id').execute();
const listDays = () =>
  test.deps.database.db.selectFrom('analytics_days').selectAll().orderBy('name').execute();

describe('a batch', () => {
  it("stores every event with the contract's fields and counts it per day", async () => {
    const response = await send(asBase64(eventNames.map((name) => makeEvent(name))));
    expect([response.statusCode, response.json()]).toEqual([200, { status: 1, error: null }]);
    const kept = await listEvents();
    const read = Object.fromEntries(kept.map((row) => [row.name, JSON.parse(row.properties)]));
    expect(read).toEqual(
      Object.fromEntries(eventNames.map((name) => [name, { ...common, ...own[name] }])),
    );
    expect(await listDays()).toEqual(
      expect.arrayContaining([
        { day: '2026-11-15', name: 'Search', detail: '', events: 1 },
        { day: '2026-11-15', name: 'Feature Usage', detail: 'preview ended', events: 1 },
        { day: '2026-11-15', name: 'User Engagement', detail: 'favorite', events: 1 },
      ]),
    );
  });

  it('is accepted as JSON, as a beacon and as a single event', async () => {
    await send(asJson([makeEvent('play-track')]));
    await send(asJson([makeEvent('play-track')]), test.createClient(), {
      'content-type': 'text/plain;charset=UTF-8',
    });
    await send(asBase64(makeEvent('play-track')));
    expect(await listDays()).toEqual([
      { day: '2026-11-15', name: 'play-track', detail: '', events: 3 },
    ]);
  });

  it('counts once even if it is sent twice at the same time', async () => {
    const event = makeEvent('Search');
    const again = asBase64([event, event, makeEvent('Session Start')]);
    const answers = await Promise.all([send(again), send(again), send(again)]);
    expect(answers.map((answer) => answer.statusCode)).toEqual([200, 200, 200]);
    expect((await listDays()).map(({ name, events }) => [name, events])).toEqual([
      ['Search', 1],
      ['Session Start', 1],
    ]);
    expect(await listEvents()).toHaveLength(2);
  });

  it('stores the user only if the session matches, and never in the properties', async () => {
    const { client, user } = await createUser(test);
    const mine = { userId: user.id, username: user.username, account_type: 'free' };
    await send(asBase64([makeEvent('User Login', mine)]), client);
    await send(asBase64([makeEvent('User Login', mine)]));
    await send(asBase64([makeEvent('User Login', { userId: 'somebody else' })]), client);
    const kept = await listEvents();
    expect(kept.map((row) => row.user_id).filter(Boolean)).toEqual([user.id]);
    expect(JSON.stringify(kept.map((row) => row.properties))).not.toContain(user.username);
    expect(kept.map((row) => JSON.parse(row.properties).account_type)).toContain('free');
  });

  it('stores no IP address', async () => {
    const headers = { ...form, 'x-forwarded-for': '203.0.113.9' };
    await send(asBase64([makeEvent('Search')]), test.createClient(), headers);
    expect(JSON.stringify(await listEvents())).not.toMatch(/203\.0\.113\.9|127\.0\.0\.1/);
  });

  it.each([
    ['a year ahead', 365 * DAY],
    ['half a year ago', -180 * DAY],
  ])("counts as now if the browser's clock says %s", async (_when, off) => {
    await send(asBase64([makeEvent('Search', { time: (test.clock.now() + off) / 1000 })]));
    expect((await listEvents())[0]?.at).toBe(test.clock.now());
  });

  it('counts on its own day if it is sent on a later visit', async () => {
    await send(asBase64([makeEvent('Search', { time: (test.clock.now() - 3 * DAY) / 1000 })]));
    expect((await listDays())[0]?.day).toBe('2026-11-12');
  });
});

describe('an unknown event', () => {
  it.each<[string, () => unknown]>([
    ['an unknown name', () => makeEvent('Spam')],
    ['the name of a method', () => makeEvent('constructor')],
    ['__proto__', () => JSON.parse('{"event":"__proto__","properties":{"__proto__":{"a":1}}}')],
    ['a missing field', () => makeEvent('Search', { query: undefined })],
    ['a wrong type', () => makeEvent('Search', { results_count: 'many' })],
    ['a huge number', () => makeEvent('Search', { results_count: 1e300 })],
    ['a NUL', () => makeEvent('Search', { query: 'a\0b' })],
    ['a long text', () => makeEvent('Search', { query: 'x'.repeat(256) })],
    ['a feature nobody knows', () => makeEvent('Feature Usage', { feature: 'x'.repeat(20) })],
    ['another currency', () => makeEvent('subscribe-monthly', { currency: 'USD' })],
    ['null', () => null],
    ['a number', () => 12],
    ['a list', () => [[]]],
    ['no properties', () => ({ event: 'Search' })],
    ['properties that are a text', () => ({ event: 'Search', properties: 'x' })],
  ])('is dropped without losing the rest of the batch: %s', async (_what, make) => {
    const response = await send(asBase64([make(), makeEvent('Session Start')]));
    expect(response.statusCode).toBe(200);
    expect((await listEvents()).map(({ name }) => name)).toEqual(['Session Start']);
  });

  it("loses fields that the contract doesn't have", async () => {
    const odd = {
      $current_url: 'https://a.example/reset-password/secret',
      '<script>': 1,
      device: 2,
    };
    await send(asBase64([makeEvent('Session Start', odd)]));
    expect(JSON.parse((await listEvents())[0]?.properties ?? '')).toEqual(common);
  });

  it('with a truncated character is repaired', async () => {
    await send(asBase64([makeEvent('Search', { query: '\ud83d' })]));
    expect(JSON.parse((await listEvents())[0]?.properties ?? '').query).toBe('\ufffd');
  });
});

describe('an invalid body', () => {
  it.each([
    ['nothing', 'data=', 400],
    ['no data', 'x=1', 400],
    ['bad base64', 'data=%%%', 400],
    ['broken JSON', 'data=[{"event":', 400],
    ['a text', `data=${Buffer.from('"x"').toString('base64')}`, 400],
    ['10,000 events', () => asBase64(Array.from({ length: 10_000 }, () => ({}))), 413],
    ['more events than a batch has', () => asBase64(Array.from({ length: 101 }, () => ({}))), 413],
    ['10 MB', () => `data=${'x'.repeat(10 * 1024 * 1024)}`, 413],
  ] as [string, string | (() => string), number][])(
    'is rejected and stores nothing: %s',
    async (_what, body, status) => {
      const response = await send(typeof body === 'string' ? body : body());
      expect(response.statusCode).toBe(status);
      expect(await listEvents()).toEqual([]);
    },
  );

  it('is rejected with the content type of the API', async () => {
    const headers = { 'content-type': 'application/json' };
    expect((await send('[]', test.createClient(), headers)).statusCode).toBe(415);
  });

  it('is rejected from another site', async () => {
    const headers = { ...form, origin: 'https://elsewhere.example' };
    const response = await send(asBase64([makeEvent('Search')]), test.createClient(), headers);
    expect(response.statusCode).toBe(403);
  });
});

describe('a flood', () => {
  const flood = (limits: Partial<typeof LIMITS>, address = '192.0.2.1', fields: Fields = {}) => {
    const events = Array.from({ length: 4 }, () => makeEvent('Session Start', fields));
    return storeBatch(
      test.deps,
      null,
      { form: asBase64(events), address },
      { ...LIMITS, ...limits },
    );
  };

  it('stops at the daily limit and logs it once', async () => {
    for (let turn = 0; turn < 5; turn += 1) await flood({ eventsPerDay: 10 });
    expect(await listEvents()).toHaveLength(12);
    expect(test.logText().match(/daily limit of analytics events/g)).toHaveLength(1);
    expect(await flood({ eventsPerDay: 10 })).toBe('The site stores no more events today.');
  });

  it('can’t use the limits of other days by pretending that its events are old', async () => {
    for (let age = 0; age < 10; age += 1) {
      const time = (test.clock.now() - age * DAY) / 1000;
      await flood({ eventsPerDay: 10 }, `192.0.2.${age}`, { time });
    }
    expect(await listEvents()).toHaveLength(12);
  });

  it('stops at a number of bytes per address, while others go on', async () => {
    const limits = { bytesPerAddress: 2000 };
    const refused = 'Too many events have come from this network today.';
    for (let turn = 0; turn < 3; turn += 1) await flood(limits, '2001:db8::1');
    expect(await flood(limits, '2001:db8::ffff:2')).toBe(refused);
    expect(await flood(limits, '2001:db8:0:1::1')).toBeNull();
    test.clock.advance(DAY);
    expect(await flood(limits, '2001:db8::1')).toBeNull();
  });

  it('is told that its events were not stored, without an error that would make it try again', async () => {
    const day = dayOf(test.clock.now(), test.deps.config.timeZone);
    const full = { day, network: '', events: LIMITS.eventsPerDay, bytes: 1 };
    await test.deps.database.db.insertInto('analytics_arrivals').values(full).execute();
    const response = await send(asBase64([makeEvent('Search')]));
    expect([response.statusCode, response.json()]).toEqual([
      200,
      { status: 0, error: 'The site stores no more events today.' },
    ]);
  });

  it('leaves no address behind: the key of its hash is deleted with the day', async () => {
    await flood({}, '192.0.2.1');
    const { db } = test.deps.database;
    const listKeys = () =>
      db.selectFrom('secrets').select('name').where('name', 'like', 'networks %').execute();
    const today = dayOf(test.clock.now(), test.deps.config.timeZone);
    expect(await listKeys()).toContainEqual({ name: `networks ${today}` });
    const arrivals = await db.selectFrom('analytics_arrivals').selectAll().execute();
    expect(JSON.stringify(arrivals)).not.toContain('192.0.2');
    test.clock.advance(DAY);
    await sweepExpired(db, { now: test.clock.now(), isDemo: true });
    expect(await listKeys()).toEqual([]);
    expect(await db.selectFrom('analytics_arrivals').selectAll().execute()).toEqual([]);
  });

  it('stops before the disk is so full that uploads and members’ data would find no room', async () => {
    const { deps, clock } = test;
    const isOwnDisk = deps.database.dialect === 'sqlite';
    clock.advance(MINUTE);
    expect(await hasRoomOnDisk(deps, async () => 300 * 1024 ** 2)).toBe(!isOwnDisk);
    expect(await flood({})).toBe(isOwnDisk ? 'The server’s disk is nearly full.' : null);
    clock.advance(MINUTE);
    expect(await flood({})).toBeNull();
  });
});

describe('stored events', () => {
  it('lose their user when the account is deleted, and still count', async () => {
    const { client, user } = await createUser(test, 'sipho');
    await send(asBase64([makeEvent('Search', { userId: user.id })]), client);
    await test.deps.database.db.transaction().execute((tx) => anonymiseUserEvents(tx, user.id));
    expect(await listEvents()).toEqual([expect.objectContaining({ user_id: null, device: null })]);
    expect((await listDays())[0]?.events).toBe(1);
  });

  it('are deleted after 400 days; the totals stay', async () => {
    await send(asBase64([makeEvent('Search')]));
    test.clock.advance(399 * DAY);
    const sweep = () =>
      sweepExpired(test.deps.database.db, { now: test.clock.now(), isDemo: true });
    await sweep();
    expect(await listEvents()).toHaveLength(1);
    test.clock.advance(2 * DAY);
    await sweep();
    expect(await listEvents()).toEqual([]);
    expect(await listDays()).toHaveLength(1);
  });

  it('are deleted sooner if the setting says so', async () => {
    await send(asBase64([makeEvent('Search')]));
    test.clock.advance(31 * DAY);
    const options = { now: test.clock.now(), isDemo: true, eventDays: 30 };
    await sweepExpired(test.deps.database.db, options);
    expect(await listEvents()).toEqual([]);
    expect(await listDays()).toHaveLength(1);
  });
});

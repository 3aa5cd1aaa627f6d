/** @module-tag both-databases */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../testing/test-app.ts';
import { createUser } from '../../testing/test-user.ts';
import { anonymiseUserEvents } from './service.ts';
import { trimQueue } from './mixpanel-queue.ts';
import { forwardEvents } from './jobs.ts';
import { DAY } from '#contract/rules/time.ts';
import { describeOnSqlite } from '../../testing/on-sqlite.ts';

const TOKEN = '0123456789abcdef';

type Sent = { event: string; properties: Record<string, unknown> };
type Answer = (events: Sent[], response: ServerResponse) => void;

const takeAll: Answer = (_events, response) => response.end('{"status":1,"error":null}');

/** A Mixpanel server with a configurable response. */
let service: Server;
let batches: Sent[][];
let urls: string[];
let answer: Answer;
let test: TestApp;

async function handle(request: IncomingMessage, response: ServerResponse) {
  const events = (await json(request)) as Sent[];
  urls.push(request.url ?? '');
  batches.push(events);
  answer(events, response);
}

beforeEach(async () => {
  [batches, urls, answer] = [[], [], takeAll];
  service = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  test = await createTestApp({ config: { mixpanel: mixpanelAt('also') } });
});
afterEach(async () => {
  await test.close();
  service.closeAllConnections();
  service.close();
});

const mixpanelAt = (mode: 'also' | 'instead') => ({
  token: TOKEN,
  host: `http://127.0.0.1:${(service.address() as AddressInfo).port}`,
  isInstead: mode === 'instead',
});

const common = {
  platform: 'web',
  app_version: '1.0.0',
  screen_resolution: '1x1',
  viewport_size: '1x1',
  timestamp: '2026-11-15T12:00:00.000Z',
};
let count = 0;
const makeEvent = (properties: object = {}, event = 'Search'): Sent => {
  count += 1;
  const own = event === 'Search' ? { query: 'gqom', results_count: 3 } : {};
  return {
    event,
    properties: {
      ...common,
      ...own,
      time: test.clock.now() / 1000,
      $device_id: 'device-1',
      $insert_id: `insert${count}`,
      ...properties,
    },
  };
};

const send = (events: Sent[], client = test.createClient()) =>
  client.request({
    method: 'POST',
    url: '/api/events',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: `data=${encodeURIComponent(JSON.stringify(events))}`,
  });

const waiting = async () =>
  (await test.deps.database.db.selectFrom('analytics_outbox').selectAll().execute()).length;

const forward = (signal = new AbortController().signal) =>
  forwardEvents.execute(test.deps, '{}', {
    id: 'job',
    attempt: 1,
    maxAttempts: 1,
    signal,
    finish: () => Promise.resolve(),
  });

describe('events forwarded to Mixpanel', () => {
  it("arrive once, in Mixpanel's format, with the token and without our IP address", async () => {
    const { client, user } = await createUser(test);
    await send([makeEvent({ userId: user.id, username: user.username })], client);
    await forward();
    await forward();
    expect(urls).toEqual(['/track?verbose=1&ip=0']);
    expect(batches).toEqual([
      [
        {
          event: 'Search',
          properties: {
            ...common,
            query: 'gqom',
            results_count: 3,
            token: TOKEN,
            time: test.clock.now() / 1000,
            $insert_id: expect.stringMatching(/^[\w-]{27}$/),
            $device_id: 'device-1',
            $user_id: user.id,
            distinct_id: user.id,
          },
        },
      ],
    ]);
    expect(await waiting()).toBe(0);
  });

  it('are not queued twice, and redundant ones not at all', async () => {
    const event = makeEvent();
    await send([event, makeEvent({}, '$identify')]);
    await send([event]);
    expect(await waiting()).toBe(1);
  });

  it('are sent in batches until none is left', async () => {
    for (let batch = 0; batch < 5; batch += 1)
      await send(Array.from({ length: 90 }, () => makeEvent()));
    await forward();
    expect(batches.map((batch) => batch.length)).toEqual([200, 200, 50]);
    expect(await waiting()).toBe(0);
  });
});

describeOnSqlite('when Mixpanel fails', () => {
  it.each<[string, Answer]>([
    ['responds with 500', (_events, response) => response.writeHead(500).end('down')],
    ['limits the rate', (_events, response) => response.writeHead(429).end()],
    ['rejects the token', (_events, response) => response.writeHead(401).end()],
    ['closes the connection', (_events, response) => void response.destroy()],
  ])('and it %s, events stay queued and are sent later', async (_how, refuse) => {
    answer = refuse;
    expect((await send([makeEvent(), makeEvent()])).statusCode).toBe(200);
    await expect(forward()).rejects.toThrow(/fetch failed|responded/);
    expect(await waiting()).toBe(2);
    answer = takeAll;
    await forward();
    expect(await waiting()).toBe(0);
  });

  it('because it is down, the run fails and is retried with growing pauses', async () => {
    service.closeAllConnections();
    service.close();
    await send([makeEvent()]);
    await expect(forward()).rejects.toThrow('fetch failed');
    expect(await waiting()).toBe(1);
  });

  it('for a week, the last five days stay queued and are sent afterwards', async () => {
    answer = (_events, response) => response.writeHead(503).end();
    for (let day = 0; day < 7; day += 1) {
      expect((await send([makeEvent({ query: `day ${day}` })])).statusCode).toBe(200);
      await expect(forward()).rejects.toThrow('responded with 503');
      test.clock.advance(DAY);
    }
    batches = [];
    answer = takeAll;
    await forward();
    const queries = batches.flat().map(({ properties }) => properties.query);
    expect(queries).toEqual(['day 2', 'day 3', 'day 4', 'day 5', 'day 6']);
    expect(await waiting()).toBe(0);
  });

  it('because it is slow, the request times out', async () => {
    const stop = new AbortController();
    answer = () => stop.abort();
    await send([makeEvent()]);
    await expect(forward(stop.signal)).rejects.toThrow(/abort/i);
    expect(await waiting()).toBe(1);
  });

  it('because of one invalid event, all others are still sent', async () => {
    answer = (events, response) => {
      const isSpoilt = events.some(({ properties }) => properties.query === 'bad');
      response.writeHead(isSpoilt ? 400 : 200).end('{"status":1}');
    };
    const events = Array.from({ length: 9 }, () => makeEvent());
    await send([...events.slice(0, 4), makeEvent({ query: 'bad' }), ...events.slice(4)]);
    await forward();
    const taken = batches.filter((batch) => batch.every((one) => one.properties.query !== 'bad'));
    expect(taken.flat()).toHaveLength(9);
    expect(await waiting()).toBe(0);
    expect(test.logText()).toContain('rejected this event');
  });
});

describe('queued events', () => {
  it('are dropped after five days, and the oldest first if there are too many', async () => {
    const { db } = test.deps.database;
    for (let index = 0; index < 4; index += 1) {
      await send([makeEvent()]);
      test.clock.advance(DAY);
    }
    await trimQueue(db, test.clock.now(), 2);
    expect(await waiting()).toBe(2);
    await trimQueue(db, test.clock.now() + 5 * DAY);
    expect(await waiting()).toBe(0);
  });

  it('are deleted with the account', async () => {
    const { client, user } = await createUser(test);
    await send([makeEvent({ userId: user.id }), makeEvent()], client);
    await test.deps.database.db.transaction().execute((tx) => anonymiseUserEvents(tx, user.id));
    expect(await waiting()).toBe(1);
  });

  it("don't exist without Mixpanel, or when browsers send to it directly", async () => {
    for (const mixpanel of [null, mixpanelAt('instead')]) {
      const other = await createTestApp({ config: { mixpanel } });
      await send([makeEvent()], other.createClient());
      const rows = await other.deps.database.db
        .selectFrom('analytics_outbox')
        .selectAll()
        .execute();
      expect(rows).toEqual([]);
      await other.close();
    }
  });
});

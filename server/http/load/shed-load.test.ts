import { Agent, request as startRequest, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseConfig } from '../../config.ts';
import { handleErrors } from '../route/error-handler.ts';
import { createLog } from '../../log/log.ts';
import { createLoopLag } from './loop-lag.ts';
import { hashToken } from '../route/tokens.ts';
import { findRank, shedLoad } from './shed-load.ts';
import { hashApp, noteVerified } from './verified.ts';

let app: FastifyInstance;
let agent: Agent;
/** How late the event loop is said to be, and the time. */
let lagMs = 0;
let now = 0;
/** How many requests reached what answers them. */
let handled = 0;
/** What is to happen in the next turn of the event loop. */
let next: (() => void)[] = [];
/** Answers the slow requests. */
let slow = Promise.withResolvers<string>();

const start = async (trustProxy = 0) => {
  app = Fastify({ trustProxy: trustProxy > 0 && ((_address, hop) => hop < trustProxy) });
  const wait = (callback: () => void) => void next.push(callback);
  const clock = { lag: { read: () => lagMs }, now: () => now, soon: wait, later: wait };
  shedLoad(app, { config: parseConfig({}), log: createLog('silent') }, clock);
  handleErrors(app, { siteName: 'Weekender' });
  app.setNotFoundHandler(async () => {
    handled += 1;
    return 'answered';
  });
  app.get('/slow', async () => slow.promise);
  for (const url of ['/media/slow', '/rest/stream.view', '/rest/download'])
    app.get(url, async () => slow.promise);
  await app.listen({ port: 0, host: '127.0.0.1' });
};
beforeEach(() => {
  agent = new Agent({ keepAlive: true });
  lagMs = 0;
  now = 1000;
  handled = 0;
  next = [];
  slow = Promise.withResolvers();
});
afterEach(async () => {
  agent.destroy();
  await app.close();
});

async function ask(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const { port } = app.server.address() as AddressInfo;
  const sent = startRequest({ host: '127.0.0.1', port, path, headers, method, agent }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return {
    status: response.statusCode,
    retryAfter: response.headers['retry-after'],
    headers: response.headers,
    body: await text(response),
  };
}

type Asked = [path: string, headers?: Record<string, string> | undefined, method?: string];

/** Asks for all of these, and returns when all have arrived. */
async function send(asked: readonly Asked[]) {
  let left = asked.length;
  const arrived = Promise.withResolvers<void>();
  const onRequest = () => {
    left -= 1;
    if (left === 0) arrived.resolve();
  };
  app.server.on('request', onRequest);
  const answers = asked.map((each) => ask(...each));
  await arrived.promise;
  app.server.off('request', onRequest);
  return answers;
}

function runTurn() {
  for (const callback of next.splice(0)) callback();
}
function runTurns() {
  while (next.length > 0) runTurn();
}

const SESSION = { cookie: 'session=known' };
const ADMIN = { cookie: 'session=known-admin' };
const DEVICE = { cookie: 'device=known.signature' };
const RANGE = { range: 'bytes=262144-524287' };
const FEED = 'f'.repeat(43);
noteVerified('session', hashToken('known'));
noteVerified('session', hashToken('known-admin'));
noteVerified('admin', hashToken('known-admin'));
noteVerified('device', hashToken('known'));
noteVerified('feed', hashToken(FEED));
noteVerified('app', hashApp('sipho', '127.0.0.1'));
/** What anyone can make up. */
const FORGED = { cookie: 'session=forged; device=forged.signature', ...RANGE };

describe('too many requests', () => {
  beforeEach(() => start());

  it.each([
    ['a visitor’s page', '/', {}, 1500],
    ['a visitor’s search', '/api/tracks/search?q=deep', {}, 1500],
    ['the start of a mix', '/media/tracks/a/preview', { range: 'bytes=0-' }, 1500],
    ['a member’s page', '/library', SESSION, 3000],
    ['a login', '/api/auth/login', {}, 3000],
    ['the login page of someone who was here before', '/login', DEVICE, 3000],
    ['a login where someone has logged in before', '/api/auth/login', DEVICE, 6000],
    ['the script of a page', '/assets/app.js', {}, 3000],
    ['a mix that a member plays', '/media/tracks/a/stream', { ...SESSION, ...RANGE }, 6000],
    ['a mix that plays in a podcast app', `/feed/${FEED}/a/full.mp3`, RANGE, 6000],
    ['a mix that plays in a music app', '/rest/stream?u=sipho&id=a', RANGE, 6000],
    ['a feed', `/feed/${FEED}`, {}, 3000],
    ['a music app', '/rest/ping?u=sipho', {}, 3000],
    ['a member’s heartbeat', '/api/plays/a/heartbeat', SESSION, 6000],
    ['a webhook', '/api/webhooks/paystack', {}, 6000],
    ['an administrator', '/api/admin/jobs', ADMIN, 6000],
    ['a member at an admin page', '/api/admin/jobs', SESSION, 3000],
    ['a made-up session', '/library', FORGED, 1500],
    ['a made-up session at an admin page', '/api/admin/jobs', FORGED, 1500],
    ['a made-up session with a range', '/media/tracks/a/stream', FORGED, 1500],
    ['a made-up heartbeat', '/api/plays/a/heartbeat', FORGED, 1500],
    ['a login with a made-up device', '/api/auth/login', FORGED, 3000],
    ['a made-up feed', `/feed/${'x'.repeat(43)}/a/full.mp3`, FORGED, 1500],
    ['a made-up music app', '/rest/stream?u=nobody&id=a', FORGED, 1500],
  ])('let %s wait no longer than its rank allows', async (_name, path, headers, limitMs) => {
    for (const [waitedMs, status] of [
      [limitMs + 1, 503],
      [limitMs, 200],
    ] as const) {
      lagMs = 11;
      now = 1000;
      const first = await send([['/slow-start', SESSION]]);
      const [answer] = await send([[path, headers]]);
      now += waitedMs;
      // The end of a turn comes before the next requests are started.
      const turn = next.splice(0);
      turn.at(-1)?.();
      for (const callback of turn.slice(0, -1)) callback();
      runTurns();
      await Promise.all(first);
      expect((await answer)?.status).toBe(status);
    }
  });

  it('are answered in the order of their rank, a few in each turn', async () => {
    lagMs = 11;
    const order: string[] = [];
    const asked: Asked[] = [
      ...Array.from({ length: 3 }, (): [string] => ['/visitor']),
      ['/member', SESSION],
      ['/api/webhooks/urgent'],
    ];
    const answers = await send(asked);
    answers.forEach((answer, index) => void answer.then(() => order.push(asked[index]?.[0] ?? '')));
    runTurn();
    await Promise.all(answers.slice(3));
    await answers[0];
    await answers[1];
    expect(order.toSorted()).toEqual(['/api/webhooks/urgent', '/member', '/visitor', '/visitor']);
    runTurns();
    await Promise.all(answers);
  });

  it('are known to wait until their turn has come', async () => {
    expect(app.hasWaitingRequests()).toBe(false);
    lagMs = 11;
    const answers = await send([['/visitor']]);
    expect(app.hasWaitingRequests()).toBe(true);
    runTurns();
    await Promise.all(answers);
    expect(app.hasWaitingRequests()).toBe(false);
  });

  it('have a share in each turn, however many others go first', async () => {
    lagMs = 11;
    const [member] = await send([['/member', SESSION]]);
    now += 1;
    const urgent = await send(
      Array.from({ length: 9 }, () => ['/media/tracks/a/stream', { ...SESSION, ...RANGE }]),
    );
    runTurn();
    expect((await member)?.status).toBe(200);
    runTurns();
    await Promise.all(urgent);
  });

  it.each(['/healthz', '/api/health', '/metrics'])('never keep %s from answering', async (path) => {
    lagMs = 60_000;
    expect((await ask(path)).status).toBe(200);
  });

  const refused = async (path: string, headers?: Record<string, string>, method = 'GET') => {
    lagMs = 11;
    const [answer] = await send([[path, headers, method]]);
    now += 6001;
    next.splice(0).at(-1)?.();
    return (await answer)!;
  };

  it('get a sentence and a time to come back at', async () => {
    const { status, retryAfter, body } = await refused('/api/tracks');
    expect([status, JSON.parse(body)]).toEqual([
      503,
      {
        code: 'unavailable',
        message: 'Too many people are here right now. Try again in a moment.',
      },
    ]);
    expect(Number(retryAfter)).toBeGreaterThanOrEqual(2);
  });

  it('show a browser a page that opens again by itself', async () => {
    const { status, headers, body } = await refused('/', { accept: 'text/html' });
    expect([status, headers['cache-control']]).toEqual([503, 'no-store']);
    expect(body).toContain('Too many people are here right now');
    expect(body).toContain(`<meta http-equiv="refresh" content="${headers['retry-after']}">`);
    expect(body).not.toMatch(/url\(|src=|href=/);
  });

  it('send nobody away from a form, whose content would be lost', async () => {
    const headers = { accept: 'text/html', 'sec-fetch-mode': 'navigate' };
    const { status, body } = await refused('/unsubscribe', headers, 'POST');
    expect(status).toBe(503);
    expect(body).toContain('Your browser’s Back button brings back what you entered.');
    expect(body).not.toContain('http-equiv="refresh"');
  });

  it('come back at different times', async () => {
    const times = new Set<string | undefined>();
    for (let n = 0; n < 40; n += 1) times.add((await refused('/api/tracks')).retryAfter);
    expect(times.size).toBeGreaterThan(1);
  });

  it.each([
    ['a webhook', '/api/webhooks/paystack', {}],
    ['a login', '/api/auth/login', {}],
    ['a part of an upload', '/api/admin/uploads/a', ADMIN],
  ])('are refused before anything is done: %s', async (_name, path, headers) => {
    const { status, retryAfter } = await refused(path, headers, 'POST');
    expect([status, Number(retryAfter) > 0, handled]).toEqual([503, true, 0]);
    lagMs = 0;
    expect([(await ask(path, headers, 'POST')).status, handled]).toEqual([200, 1]);
  });

  it('don’t wait for senders whose requests arrive byte by byte', async () => {
    const { port } = app.server.address() as AddressInfo;
    let left = 101;
    const arrived = Promise.withResolvers<void>();
    app.server.on('request', () => --left === 0 && arrived.resolve());
    const senders = Array.from({ length: left }, () => connect(port, '127.0.0.1'));
    for (const sender of senders)
      sender.write(
        'POST /api/plays/a/heartbeat HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{',
      );
    await arrived.promise;
    expect((await ask('/')).status).toBe(200);
    for (const sender of senders) sender.destroy();
  });

  it.each([
    ['streams', '/media/slow'],
    ['the streams of apps', '/rest/stream.view?id=a'],
    ['the downloads of apps', '/rest/download?id=a'],
  ])('wait while others have no answer yet, but not for %s', async (_, path) => {
    const many = (url: string) => Array.from({ length: 101 }, (): [string] => [url]);
    const streams = await send(many(path));
    const [page] = await send([['/']]);
    runTurn();
    now += 1501;
    runTurns();
    expect((await page)?.status).toBe(200);
    const pages = await send(many('/slow'));
    const [visitor] = await send([['/']]);
    const [member] = await send([['/library', SESSION]]);
    runTurn();
    expect((await member)?.status).toBe(200);
    now += 1501;
    runTurns();
    expect((await visitor)?.status).toBe(503);
    slow.resolve('at last');
    for (const answer of [...streams, ...pages]) expect((await answer).status).toBe(200);
    expect((await ask('/')).status).toBe(200);
  });
});

describe('many requests of one address', () => {
  const statuses = async (asked: Asked[]) => {
    lagMs = 11;
    const answers = await send(asked);
    runTurns();
    return (await Promise.all(answers)).map(({ status }) => status);
  };
  const from = (address: (index: number) => string, count = 60) =>
    Array.from({ length: count }, (_, index): [string, Record<string, string>] => [
      '/',
      { 'x-forwarded-for': address(index) },
    ]);
  const answered = (all: (number | undefined)[]) => all.filter((status) => status === 200).length;

  it('leave room for others', async () => {
    await start(1);
    const all = await statuses([...from(() => '203.0.113.7'), ...from(() => '198.51.100.4', 1)]);
    expect([answered(all), all.at(-1)]).toEqual([51, 200]);
    expect(answered(await statuses(from(() => '203.0.113.7', 10)))).toBe(10);
  });

  it('don’t stop a mix that plays there', async () => {
    await start(1);
    const playing: Asked = [
      '/media/tracks/a/stream',
      { ...SESSION, ...RANGE, 'x-forwarded-for': '203.0.113.7' },
    ];
    const all = await statuses([...from(() => '203.0.113.7'), playing]);
    expect(all.at(-1)).toBe(200);
  });

  it('count as one, whatever address they claim to come from', async () => {
    await start(1);
    const all = await statuses(from((index) => `192.0.2.${index}, 203.0.113.7`));
    expect(answered(all)).toBe(50);
  });
});

describe('the lag of the event loop', () => {
  let ends: (() => void)[] = [];
  const endTurn = () => {
    const [end] = ends.splice(0);
    end?.();
  };
  beforeEach(async () => {
    now = 1000;
    ends = [];
    await start();
  });
  const create = () =>
    createLoopLag(
      () => now,
      (callback) => void ends.push(callback),
    );

  it('is what the turn has taken so far, and starts again with the next', () => {
    const lag = create();
    expect(lag.read()).toBe(0);
    now += 300;
    expect(lag.read()).toBe(300);
    endTurn();
    now += 40;
    expect(lag.read()).toBe(40);
  });

  it('counts no time in which the loop was asleep', () => {
    const lag = create();
    lag.read();
    now += 2;
    endTurn();
    now += 60_000;
    expect(lag.read()).toBe(0);
  });

  it('stops watching when no request came in a turn', () => {
    const lag = create();
    lag.read();
    now += 300;
    endTurn();
    now += 300;
    endTurn();
    expect(ends).toHaveLength(0);
    now += 60_000;
    expect(lag.read()).toBe(0);
  });
});

it('what the CDN fetches for listeners is urgent, if we gave the address', () => {
  const signature = 'a'.repeat(43);
  const rank = () =>
    findRank({ url: `/media/cdn/x/stream/y.mp3/1794751200/${signature}/play.mp3` } as never, {
      token: null,
      device: null,
    });
  expect(rank()).toBe('visitor');
  noteVerified('cdn', signature);
  expect(rank()).toBe('urgent');
});

it('a request’s rank doesn’t depend on its query', async () => {
  await start();
  const request = { url: '/?x=/api/webhooks/a', headers: {} } as never;
  expect(findRank(request, { token: null, device: null })).toBe('visitor');
});

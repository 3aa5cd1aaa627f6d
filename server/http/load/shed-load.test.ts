import { Agent, get, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import cookie from '@fastify/cookie';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseConfig } from '../../config.ts';
import { handleErrors } from '../error-handler.ts';
import { createLog } from '../log.ts';
import { createLoopLag } from './loop-lag.ts';
import { findRank, shedLoad } from './shed-load.ts';

let app: FastifyInstance;
let agent: Agent;
/** How late the event loop is said to be. */
let lagMs = 0;
let turn = 0;
/** Answers the slow requests. */
let slow = Promise.withResolvers<string>();

const start = async (trustProxy = 0) => {
  app = Fastify({ trustProxy: trustProxy > 0 && ((_address, hop) => hop < trustProxy) });
  const lag = { read: () => lagMs, turn: () => turn };
  shedLoad(app, { config: parseConfig({}), log: createLog('silent') }, lag);
  handleErrors(app);
  await app.register(cookie, { hook: false });
  app.setNotFoundHandler(async () => 'answered');
  app.get('/slow', async () => slow.promise);
  app.get('/media/slow', async () => slow.promise);
  await app.listen({ port: 0, host: '127.0.0.1' });
};
beforeEach(() => {
  agent = new Agent({ keepAlive: true });
  lagMs = 0;
  turn = 0;
  slow = Promise.withResolvers();
});
afterEach(async () => {
  agent.destroy();
  await app.close();
});

async function ask(path: string, headers: Record<string, string> = {}) {
  const { port } = app.server.address() as AddressInfo;
  const sent = get({ host: '127.0.0.1', port, path, headers, agent });
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return {
    status: response.statusCode,
    retryAfter: response.headers['retry-after'],
    headers: response.headers,
    body: await text(response),
  };
}
const statusAt = async (ms: number, path: string, headers?: Record<string, string>) => {
  lagMs = ms;
  turn += 1;
  return (await ask(path, headers)).status;
};

const SESSION = { cookie: 'session=abc' };
const RANGE = { range: 'bytes=262144-524287' };

describe('too many requests', () => {
  beforeEach(() => start());

  it.each([
    ['a visitor’s page', '/', {}, 200],
    ['a visitor’s search', '/api/tracks/search?q=deep', {}, 200],
    ['the start of a mix', '/media/tracks/a/preview', { range: 'bytes=0-' }, 200],
    ['a member’s page', '/library', SESSION, 400],
    ['a login', '/api/auth/login', {}, 400],
    ['the script of a page', '/assets/app.js', {}, 400],
    ['a mix that is playing', '/media/tracks/a/stream', RANGE, 1000],
    ['a heartbeat', '/api/plays/a/heartbeat', {}, 1000],
    ['a webhook', '/api/webhooks/paystack', {}, 1000],
    ['an administrator', '/api/admin/jobs', SESSION, 1000],
  ])('let %s wait no longer than its rank allows', async (_name, path, headers, limitMs) => {
    expect(await statusAt(limitMs, path, headers)).toBe(200);
    expect(await statusAt(limitMs + 1, path, headers)).toBe(503);
    expect(await statusAt(0, path, headers)).toBe(200);
  });

  it.each(['/healthz', '/api/health', '/metrics'])('never keep %s from answering', async (path) => {
    expect(await statusAt(60_000, path)).toBe(200);
  });

  it('get a sentence and a time to come back at', async () => {
    lagMs = 201;
    const { status, retryAfter, body } = await ask('/api/tracks');
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
    lagMs = 201;
    const { status, headers, body } = await ask('/', { accept: 'text/html' });
    expect([status, headers.refresh]).toEqual([503, headers['retry-after']]);
    expect(body).toContain('Too many people are here right now');
  });

  it('are also those that wait for something, but no streams', async () => {
    const arrived = (count: number) =>
      new Promise<void>((resolve) => {
        let left = count;
        app.server.on('request', () => {
          left -= 1;
          if (left === 0) resolve();
        });
      });
    const askSlowly = async (path: string, count: number) => {
      const all = arrived(count);
      const answers = Array.from({ length: count }, () => ask(path));
      await all;
      return answers;
    };
    const streams = await askSlowly('/media/slow', 101);
    expect(await statusAt(0, '/')).toBe(200);
    const pages = await askSlowly('/slow', 101);
    expect(await statusAt(0, '/')).toBe(503);
    expect(await statusAt(0, '/library', SESSION)).toBe(200);
    slow.resolve('at last');
    for (const answer of [...streams, ...pages]) expect((await answer).status).toBe(200);
    expect(await statusAt(0, '/')).toBe(200);
  });
});

describe('many requests of one address', () => {
  const askOften = async (count: number, headers: Record<string, string>) => {
    let answered = 0;
    for (let index = 0; index < count; index += 1)
      if ((await ask('/', headers)).status === 200) answered += 1;
    return answered;
  };

  it('leave room for others in each turn of the loop', async () => {
    await start(1);
    lagMs = 60;
    expect(await askOften(60, { 'x-forwarded-for': '203.0.113.7' })).toBe(50);
    expect(await askOften(1, { 'x-forwarded-for': '198.51.100.4' })).toBe(1);
    turn += 1;
    expect(await askOften(1, { 'x-forwarded-for': '203.0.113.7' })).toBe(1);
  });

  it('count as one, whatever address they claim to come from', async () => {
    await start(1);
    lagMs = 60;
    let answered = 0;
    for (let index = 0; index < 60; index += 1) {
      const claimed = `192.0.2.${index}, 203.0.113.7`;
      answered += await askOften(1, { 'x-forwarded-for': claimed, 'x-real-ip': '192.0.2.9' });
    }
    expect(answered).toBe(50);
  });

  it('don’t matter while there is time for all', async () => {
    await start();
    expect(await askOften(60, {})).toBe(60);
  });
});

describe('the lag of the event loop', () => {
  let now = 0;
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

it('a request’s rank doesn’t depend on its query', async () => {
  await start();
  const request = { url: '/?x=/api/webhooks/a', headers: {} } as never;
  expect(findRank(request, false)).toBe('visitor');
});

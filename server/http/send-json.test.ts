import { gunzipSync } from 'node:zlib';
import Fastify, { type FastifyInstance } from 'fastify';
import { beforeEach, describe, expect, it } from 'vitest';
import { sendJson, takesGzip } from './send-json.ts';

const LONG = JSON.stringify({ words: 'Week after week. '.repeat(200) });

let app: FastifyInstance;
beforeEach(() => {
  app = Fastify();
  app.get('/long', (request, reply) => sendJson(request, reply, LONG));
  app.get('/short', (request, reply) => sendJson(request, reply, '{"is":"short"}'));
});

const ask = (url: string, encoding?: string) =>
  app.inject({ url, headers: encoding ? { 'accept-encoding': encoding } : {} });

describe('an answer', () => {
  it('that is long is compressed for who can read that', async () => {
    const answer = await ask('/long', 'br, gzip, deflate');
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-encoding': 'gzip',
      vary: 'accept-encoding',
    });
    expect(answer.rawPayload.length).toBeLessThan(LONG.length / 5);
    expect(gunzipSync(answer.rawPayload).toString()).toBe(LONG);
  });

  it('is plain for who cannot, and says that others get another', async () => {
    const answer = await ask('/long');
    expect([answer.body, answer.headers.vary]).toEqual([LONG, 'accept-encoding']);
    expect(answer.headers['content-encoding']).toBeUndefined();
  });

  it('that is short stays as it is', async () => {
    const answer = await ask('/short', 'gzip');
    expect([answer.body, answer.headers['content-encoding']]).toEqual([
      '{"is":"short"}',
      undefined,
    ]);
  });
});

it.each([
  ['gzip', true],
  ['deflate, GZIP;q=0.5', true],
  ['gzip;q=0', false],
  ['gzip; q=0.000', false],
  ['br', false],
  ['notgzip', false],
  ['', false],
  [undefined, false],
])('who accepts %j takes gzip: %s', (accepted, expected) => {
  expect(takesGzip(accepted)).toBe(expected);
});

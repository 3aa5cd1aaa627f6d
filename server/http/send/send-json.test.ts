import { gunzipSync } from 'node:zlib';
import Fastify, { type FastifyInstance } from 'fastify';
import { beforeEach, describe, expect, it } from 'vitest';
import { sendJson, acceptsGzip, stringifyAnswer } from './send-json.ts';
import { z } from 'zod';
import { User } from '#contract/accounts.ts';
import { Progress } from '#contract/tracks.ts';

const LONG = JSON.stringify({ words: 'Week after week. '.repeat(200) });

let app: FastifyInstance;
beforeEach(() => {
  app = Fastify();
  app.get('/long', (request, reply) => sendJson(request, reply, LONG));
  app.get('/short', (request, reply) => sendJson(request, reply, '{"is":"short"}'));
});

const ask = (url: string, encoding?: string) =>
  app.inject({ url, headers: encoding ? { 'accept-encoding': encoding } : {} });

describe('a JSON answer', () => {
  it('is compressed if it’s long and the client accepts gzip', async () => {
    const answer = await ask('/long', 'br, gzip, deflate');
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-encoding': 'gzip',
      vary: 'accept-encoding',
    });
    expect(answer.rawPayload.length).toBeLessThan(LONG.length / 5);
    expect(gunzipSync(answer.rawPayload).toString()).toBe(LONG);
  });

  it('is plain for other clients, with a Vary header', async () => {
    const answer = await ask('/long');
    expect([answer.body, answer.headers.vary]).toEqual([LONG, 'accept-encoding']);
    expect(answer.headers['content-encoding']).toBeUndefined();
  });

  it('isn’t compressed if it’s short', async () => {
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
])('accept-encoding %j allows gzip: %s', (accepted, expected) => {
  expect(acceptsGzip(accepted)).toBe(expected);
});

const user: User = {
  id: 'u1',
  username: 'thandi',
  email: 'thandi@example.com',
  isSubscriber: true,
  isAdmin: false,
  avatarUrl: null,
  offlineUntil: null,
};

it('an answer contains only the fields of its schema', () => {
  const row = { ...user, password_hash: 'secret' };
  for (const _ of [1, 2]) expect(JSON.parse(stringifyAnswer(User, row))).toEqual(user);
});

it('an object that may be null contains only the fields of its schema too', () => {
  const schema = z.object({ progress: Progress.nullable() });
  const progress = { position: 1, isFinished: false, listened: 2, listenedAt: 3 };
  const write = (answer: object) => JSON.parse(stringifyAnswer(schema, answer)) as object;
  expect(write({ progress: { ...progress, user_id: 'secret' } })).toEqual({ progress });
  expect(write({ progress: null })).toEqual({ progress: null });
});

it('a value that may be null is written by its type, as one that may not', () => {
  const schema = z.object({
    genre: z.string().nullable(),
    bpm: z.int().nullable(),
    access: z.enum(['full', 'preview']).nullable(),
    recent: z.array(z.int().nullable()).nullable(),
    cursor: z.number().nullable().optional(),
  });
  const write = (answer: object) => JSON.parse(stringifyAnswer(schema, answer)) as object;
  const some = { genre: 'A “B”\n', bpm: 112, access: 'full', recent: [1, null], cursor: 0.5 };
  const none = { genre: null, bpm: null, access: null, recent: null };
  expect(write(some)).toEqual(some);
  expect(write(none)).toEqual(none);
  expect(() => write({ ...some, bpm: 'fast' })).toThrow('integer');
});

import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ErrorBody } from '#contract/errors.ts';
import { createTestApp, type TestApp } from '../../testing/test-app.ts';
import { createUser, PASSWORD, type TestUser } from '../../testing/test-user.ts';
import { readTables } from '../../testing/read-tables.ts';

let test: TestApp;
let member: TestUser;
beforeAll(async () => {
  test = await createTestApp();
  member = await createUser(test);
});
afterAll(() => test.close());

const json = { 'content-type': 'application/json' };
const LOGIN = '/api/auth/login';
const REGISTER = '/api/auth/register';
const good = { username: 'lerato', email: 'lerato@example.com', password: PASSWORD };
const post = (url: string, payload: unknown, headers: Record<string, string> = json) => ({
  method: 'POST' as const,
  url,
  headers,
  payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
});

const refused: [string, InjectOptions, number, string][] = [
  ['broken JSON', post(LOGIN, '{"username":'), 400, 'malformed_request'],
  ['JSON that poisons prototypes', post(LOGIN, '{"__proto__":{}}'), 400, 'malformed_request'],
  ['no body', { method: 'POST', url: LOGIN }, 400, 'validation_failed'],
  ['an empty JSON body', post(LOGIN, ''), 400, 'validation_failed'],
  ['null', post(LOGIN, 'null'), 400, 'validation_failed'],
  ['a list', post(REGISTER, [good]), 400, 'validation_failed'],
  ['a text', post(REGISTER, '"text"'), 400, 'validation_failed'],
  ['a missing field', post(REGISTER, { ...good, email: undefined }), 400, 'validation_failed'],
  ['an unknown field', post(REGISTER, { ...good, role: 'admin' }), 400, 'validation_failed'],
  ['a wrong type', post(REGISTER, { ...good, username: 12 }), 400, 'validation_failed'],
  ['an object for a text', post(LOGIN, { username: {}, password: [] }), 400, 'validation_failed'],
  [
    'a text for a boolean',
    post(REGISTER, { ...good, isSubscriber: 'no' }),
    400,
    'validation_failed',
  ],
  ['a bad e-mail address', post(REGISTER, { ...good, email: 'a@b' }), 400, 'validation_failed'],
  [
    'a header in an address',
    post(REGISTER, { ...good, email: 'a@example.com\nBcc: b@example.com' }),
    400,
    'validation_failed',
  ],
  [
    'a common password',
    post(REGISTER, { ...good, password: 'Password1' }),
    400,
    'validation_failed',
  ],
  [
    'a long password',
    post(LOGIN, { ...good, email: undefined, password: 'x'.repeat(129) }),
    400,
    'validation_failed',
  ],
  [
    'a NUL in a name',
    post(REGISTER, { ...good, username: 'le\u0000rato' }),
    400,
    'validation_failed',
  ],
  [
    'half a surrogate pair',
    post(REGISTER, { ...good, username: 'le\ud800rato' }),
    400,
    'validation_failed',
  ],
  [
    'an oversized body',
    post(LOGIN, { ...good, password: 'x'.repeat(70_000) }),
    413,
    'payload_too_large',
  ],
  [
    'a form',
    post(LOGIN, 'username=a', { 'content-type': 'application/x-www-form-urlencoded' }),
    415,
    'unsupported_media_type',
  ],
  [
    'plain text',
    post(LOGIN, '{}', { 'content-type': 'text/plain' }),
    415,
    'unsupported_media_type',
  ],
  ['an unknown query field', { url: '/api/version?debug=1' }, 400, 'validation_failed'],
  [
    'a query field that is given twice',
    { url: '/api/tracks?limit=3&limit=4' },
    400,
    'validation_failed',
  ],
  ['a body where none belongs', post('/api/auth/logout', { all: true }), 400, 'validation_failed'],
  ['an unknown path', { url: '/api/nothing' }, 404, 'not_found'],
  ['an unknown path by POST', post('/api/nothing', {}), 404, 'not_found'],
  ['the bare prefix', { url: '/api' }, 404, 'not_found'],
  ['a path that is no text', { url: '/api/users/%ff' }, 400, 'malformed_request'],
  ['a method that is not known there', { method: 'DELETE', url: LOGIN }, 405, 'method_not_allowed'],
  ['a page by POST', post('/library', {}), 405, 'method_not_allowed'],
  ['another page by POST', post('/settings', {}), 404, 'not_found'],
];

describe('an invalid request', () => {
  it.each(refused)('is rejected and changes nothing: %s', async (_name, request, status, code) => {
    const before = await readTables(test.deps.database.db);
    const response = await test.app.inject(request);
    expect(response.statusCode).toBe(status);
    expect(ErrorBody.strict().parse(response.json())).toMatchObject({ code });
    expect(response.body).not.toMatch(/\bat .*\.(?:ts|js)|node_modules|stack/);
    expect(response.headers['x-request-id']).toMatch(/^[\w-]{12}$/);
    expect(await readTables(test.deps.database.db)).toEqual(before);
  });

  const asMember: [string, (id: string) => InjectOptions, number][] = [
    [
      'an unknown id',
      () => ({ method: 'PATCH', url: '/api/users/nobody', payload: { username: 'xyz' } }),
      404,
    ],
    [
      'an id that is SQL',
      () => ({
        method: 'PATCH',
        url: `/api/users/${encodeURIComponent("' or 1=1")}`,
        payload: { username: 'xyz' },
      }),
      404,
    ],
    [
      'an endless id',
      () => ({
        method: 'PATCH',
        url: `/api/users/${'x'.repeat(90)}`,
        payload: { username: 'xyz' },
      }),
      400,
    ],
    [
      'an id with a NUL',
      () => ({ method: 'PATCH', url: '/api/users/%00', payload: { username: 'xyz' } }),
      400,
    ],
    [
      'an unknown query field',
      (id) => ({ method: 'PATCH', url: `/api/users/${id}?force=1`, payload: { username: 'xyz' } }),
      400,
    ],
    ["an administrator's list", () => ({ url: '/api/admin/outbox' }), 404],
  ];
  it.each(asMember)('is rejected from a logged-in user: %s', async (_name, make, status) => {
    const before = await readTables(test.deps.database.db);
    const response = await member.client.request(make(member.user.id));
    expect(response.statusCode).toBe(status);
    expect(ErrorBody.strict().safeParse(response.json()).success).toBe(true);
    expect(await readTables(test.deps.database.db)).toEqual(before);
  });
});

it('reports all invalid fields at once', async () => {
  const response = await test.app.inject(
    post(REGISTER, { username: 'a', email: 'b', password: 'c', extra: 1 }),
  );
  expect(response.json()).toEqual({
    code: 'validation_failed',
    message: 'Some fields need attention: username, email, password, extra.',
    fields: {
      username: 'Use at least 3 characters.',
      email: 'Enter an e-mail address like name@example.com.',
      password: 'Use at least 8 characters.',
      extra:
        'There’s no such field here: leave it out. You can send username, email, password and isSubscriber.',
    },
  });
});

it.each([
  [
    'a field that doesn’t exist',
    post(LOGIN, { username: 'thandi', password: 'secret', body: {} }),
    /^body: There’s no such field here: leave it out\. You can send username, password/,
  ],
  ['no body', { method: 'POST', url: LOGIN }, /^Send a JSON object with username, password/],
  ['a list', post(LOGIN, []), /^Send a JSON object with username, password/],
  [
    'a body where none belongs',
    post('/api/auth/logout', { now: true }),
    /^Send this request without a body\.$/,
  ],
] as const)('says in a sentence what to send instead: %s', async (_what, request, sentence) => {
  const response = await test.app.inject(request);
  expect(response.statusCode).toBe(400);
  expect(response.json<ErrorBody>().message).toMatch(sentence);
});

it('keeps the answer short for a body with a thousand errors', async () => {
  const body = Object.fromEntries(Array.from({ length: 3000 }, (_, n) => [`f${n}`, n]));
  const response = await test.app.inject(post(LOGIN, body));
  expect(response.statusCode).toBe(400);
  expect(response.body.length).toBeLessThan(4000);
});

it('lists the allowed methods of a path', async () => {
  const response = await test.app.inject({ method: 'PUT', url: '/api/users/some-id' });
  expect(response.headers.allow).toBe('PATCH');
});

it('accepts an empty JSON body where none is needed', async () => {
  const response = await test.app.inject(post('/api/auth/logout', ''));
  expect(response.statusCode).toBe(204);
});

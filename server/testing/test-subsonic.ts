import { hash } from 'node:crypto';
import type { LightMyRequestResponse } from 'fastify';
import { expect } from 'vitest';
import { indexTrack } from '../features/search/service.ts';
import { seedTrack } from './seed-track.ts';
import type { TestApp } from './test-app.ts';
import { confirmDevices } from './test-admin.ts';
import type { TestUser } from './test-user.ts';
import { subsonicAnswer, subsonicFailure } from './subsonic-schemas.ts';
import type { TracksTable } from '../db/types/tables.ts';

export type Query = Record<string, string | number | boolean | readonly (string | number)[]>;

export const toSearch = (query: Query): string =>
  new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) =>
      [value].flat().map((one): [string, string] => [name, String(one)]),
    ),
  ).toString();

/** A music app of a user, with a password of its own. */
export type TestMusicApp = {
  id: string;
  password: string;
  /** The parameters that say who it is. */
  auth: Record<string, string>;
  request: (
    call: string,
    query?: Query,
    headers?: Record<string, string>,
  ) => Promise<LightMyRequestResponse>;
  /** What the call answers; fails unless that is as the protocol describes it. */
  call: <T = Record<string, never>>(name: string, query?: Query) => Promise<T>;
  /** The code and the message of a call that fails. */
  fail: (name: string, query?: Query) => Promise<{ code: number; message: string }>;
};

export async function createAppPassword(
  test: TestApp,
  member: TestUser,
  name = 'Phone',
): Promise<{ id: string; password: string }> {
  await confirmDevices(test, member);
  const url = '/api/me/app-passwords';
  const created = await member.client.request({ method: 'POST', url, payload: { name } });
  expect(created.statusCode).toBe(200);
  const { appPassword, password } = created.json<{
    appPassword: { id: string };
    password: string;
  }>();
  return { id: appPassword.id, password };
}

export async function createMusicApp(
  test: TestApp,
  member: TestUser,
  name = 'Phone',
): Promise<TestMusicApp> {
  const { id, password } = await createAppPassword(test, member, name);
  const salt = 'c19b2d';
  const token = hash('md5', password + salt, 'hex');
  const auth = { u: member.user.username, t: token, s: salt, v: '1.16.1', c: 'test' };
  const app = test.createClient();
  const request: TestMusicApp['request'] = (call, query = {}, headers = {}) =>
    app.request({
      url: `/rest/${call}.view?${toSearch({ ...auth, f: 'json', ...query })}`,
      headers,
    });
  return {
    id,
    password,
    auth,
    request,
    call: async <T>(call: string, query?: Query) => {
      const response = await request(call, query);
      expect([response.statusCode, response.headers['content-type']]).toEqual([
        200,
        'application/json; charset=utf-8',
      ]);
      return subsonicAnswer(call).parse(response.json())['subsonic-response'] as T;
    },
    fail: async (call, query) => {
      const response = await request(call, query);
      const { error } = subsonicFailure.parse(response.json())['subsonic-response'];
      return error as { code: number; message: string };
    },
  };
}

/** A published track with its files, which a search finds. */
export const seed = (
  { deps }: TestApp,
  change: Partial<TracksTable> = {},
): Promise<TracksTable> => {
  const { database, storage, clock } = deps;
  return database.db.transaction().execute(async (tx) => {
    const track = await seedTrack({ db: tx, storage, now: clock.now() }, change);
    await indexTrack(tx, database.dialect, track);
    return track;
  });
};

import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#contract/api.ts';
import type { ErrorBody } from '#contract/errors.ts';
import { createAdmin } from '../../testing/test-admin.ts';
import { createTestApp, type TestApp, type TestClient } from '../../testing/test-app.ts';
import { createUser, createSubscriber } from '../../testing/test-user.ts';

let test: TestApp;
/** Whoever is not an administrator, or not any more. */
const clients: Record<string, TestClient> = {};
beforeAll(async () => {
  test = await createTestApp();
  const owner = await createAdmin(test, 'owner');
  clients['a visitor'] = test.createClient();
  clients['a member'] = (await createUser(test, 'free')).client;
  clients['a subscriber'] = (await createSubscriber(test, 'premium')).client;
  const shut = await createAdmin(test, 'shut');
  const former = await createAdmin(test, 'former');
  clients['an administrator whose account is disabled'] = shut.client;
  clients['a former administrator'] = former.client;
  const change = async (id: string, what: string, body: object) => {
    const url = `/api/admin/subscribers/${id}/${what}`;
    const payload = { ...body, reason: 'x' };
    expect((await owner.client.request({ method: 'PUT', url, payload })).statusCode).toBe(200);
  };
  await change(shut.user.id, 'disabled', { isDisabled: true });
  await change(former.user.id, 'admin', { isAdmin: false });
});
afterAll(() => test.close());

const adminKeys = Object.keys(api).filter((key) => key.includes(' /api/admin/'));

function toRequest(key: string): InjectOptions {
  const [method, path = ''] = key.split(' ');
  return { method: method as 'GET', url: path.replace(/:\w+/g, 'some-id') };
}

it('finds admin routes in the contract', () => {
  expect(adminKeys).toContain('GET /api/admin/outbox');
  expect(adminKeys.length).toBeGreaterThan(40);
});

describe('every admin route', () => {
  it.each(['a visitor', 'an administrator whose account is disabled'])(
    'asks %s to log in',
    async (who) => {
      for (const key of adminKeys) {
        const response = await clients[who]?.request(toRequest(key));
        expect([key, response?.statusCode, response?.json<ErrorBody>().code]).toEqual([
          key,
          401,
          'unauthenticated',
        ]);
      }
    },
  );

  it.each(['a member', 'a subscriber', 'a former administrator'])(
    'answers 404 to %s, as for an unknown path',
    async (who) => {
      const unknown = await clients[who]?.request({ url: '/api/admin/no-such-thing' });
      for (const key of adminKeys) {
        const response = await clients[who]?.request(toRequest(key));
        expect([key, response?.statusCode, response?.json()]).toEqual([key, 404, unknown?.json()]);
      }
    },
  );
});

import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#contract/api.ts';
import type { ErrorBody } from '#contract/errors.ts';
import { createTestApp, type TestApp } from '../testing/test-app.ts';
import { createMember, type TestMember } from '../testing/test-member.ts';

let test: TestApp;
let member: TestMember;
beforeAll(async () => {
  test = await createTestApp();
  member = await createMember(test);
});
afterAll(() => test.close());

const adminKeys = Object.keys(api).filter((key) => key.includes(' /api/admin/'));

function toRequest(key: string): InjectOptions {
  const [method, path = ''] = key.split(' ');
  return { method: method as 'GET', url: path.replace(/:\w+/g, 'some-id') };
}

it('the contract has routes for administrators', () => {
  expect(adminKeys).toContain('GET /api/admin/outbox');
});

describe.each(adminKeys)('%s', (key) => {
  it('asks a visitor to sign in', async () => {
    const response = await test.app.inject(toRequest(key));
    expect([response.statusCode, response.json<ErrorBody>().code]).toEqual([
      401,
      'unauthenticated',
    ]);
  });

  it('is not there for a member', async () => {
    const response = await member.client.request(toRequest(key));
    expect([response.statusCode, response.json<ErrorBody>().code]).toEqual([404, 'not_found']);
    const unknown = await member.client.request({ url: '/api/admin/no-such-thing' });
    expect(response.json()).toEqual(unknown.json());
  });
});

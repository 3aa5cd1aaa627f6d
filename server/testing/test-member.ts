import { User } from '#contract/accounts.ts';
import type { TestApp, TestClient } from './test-app.ts';

export const PASSWORD = 'correct horse battery';

export type TestMember = { client: TestClient; user: User };

/** Registers somebody over HTTP, so that the client is signed in. */
export async function createMember(test: TestApp, username = 'thandi'): Promise<TestMember> {
  const client = test.createClient();
  const response = await client.request({
    method: 'POST',
    url: '/api/auth/register',
    payload: {
      username,
      email: `${username}@example.com`,
      password: PASSWORD,
      isSubscriber: false,
    },
  });
  return { client, user: User.parse(response.json()) };
}

import type { TestApp } from './test-app.ts';
import { createUser, type TestUser } from './test-user.ts';

/** A logged-in administrator. */
export async function createAdmin(test: TestApp, username = 'naledi'): Promise<TestUser> {
  const member = await createUser(test, username);
  await test.deps.database.db
    .updateTable('users')
    .set({ is_admin: 1 })
    .where('id', '=', member.user.id)
    .execute();
  return member;
}

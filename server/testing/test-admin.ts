import type { TestApp } from './test-app.ts';
import { createMember, type TestMember } from './test-member.ts';

/** Somebody signed in who runs the site. */
export async function createAdmin(test: TestApp, username = 'naledi'): Promise<TestMember> {
  const member = await createMember(test, username);
  await test.deps.database.db
    .updateTable('users')
    .set({ is_admin: 1 })
    .where('id', '=', member.user.id)
    .execute();
  return member;
}

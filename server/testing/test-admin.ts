import type { TestApp } from './test-app.ts';
import { createUser, type TestUser } from './test-user.ts';

/** As if the user had just entered the password again on this device. */
export const confirmDevices = ({ deps, clock }: TestApp, { user }: TestUser) =>
  deps.database.db
    .updateTable('sessions')
    .set({ confirmed_at: clock.now() })
    .where('user_id', '=', user.id)
    .execute();

export async function createHelper(test: TestApp, username = 'bheki'): Promise<TestUser> {
  const member = await createUser(test, username);
  await test.deps.database.db
    .updateTable('users')
    .set({ is_helper: 1 })
    .where('id', '=', member.user.id)
    .execute();
  return member;
}

/** A logged-in administrator who has just entered the password again. */
export async function createAdmin(test: TestApp, username = 'naledi'): Promise<TestUser> {
  const member = await createUser(test, username);
  await test.deps.database.db
    .updateTable('users')
    .set({ is_admin: 1 })
    .where('id', '=', member.user.id)
    .execute();
  await confirmDevices(test, member);
  return member;
}

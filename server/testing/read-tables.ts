import type { Db } from '../db/connect.ts';

/** Everything that is kept, to prove that a refused request wrote nothing. Limits count on purpose. */
export async function readTables(db: Db) {
  return {
    users: await db.selectFrom('users').selectAll().orderBy('id').execute(),
    sessions: await db.selectFrom('sessions').selectAll().orderBy('token_hash').execute(),
    resets: await db.selectFrom('password_resets').selectAll().orderBy('token_hash').execute(),
    outbox: await db.selectFrom('outbox').selectAll().orderBy('id').execute(),
    jobs: await db.selectFrom('jobs').selectAll().orderBy('id').execute(),
  };
}

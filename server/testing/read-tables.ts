import type { Db } from '../db/connect.ts';

/** All stored rows, to prove that a rejected request wrote nothing, except rate limits. */
export async function readTables(db: Db) {
  return {
    users: await db.selectFrom('users').selectAll().orderBy('id').execute(),
    sessions: await db.selectFrom('sessions').selectAll().orderBy('token_hash').execute(),
    resets: await db.selectFrom('password_resets').selectAll().orderBy('token_hash').execute(),
    outbox: await db.selectFrom('outbox').selectAll().orderBy('id').execute(),
    jobs: await db.selectFrom('jobs').selectAll().orderBy('id').execute(),
  };
}

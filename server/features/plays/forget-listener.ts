import { sql } from 'kysely';
import type { DialectName, Tx } from '../../db/connect.ts';
import { forgetVisits } from '../rollups/service.ts';

/** Another value in every row: what one person heard can no longer be put together again. */
const someone = (dialect: DialectName) =>
  dialect === 'sqlite'
    ? sql<string>`'gone:' || lower(hex(randomblob(16)))`
    : sql<string>`'gone:' || gen_random_uuid()`;

export const forgetPlays = (tx: Tx, dialect: DialectName, userId: string) =>
  tx
    .updateTable('plays')
    .set({ user_id: null, listener: someone(dialect) })
    .where('user_id', '=', userId)
    .execute();

/** The figures stay as they were counted; whose they were is gone. */
export async function forgetListener(tx: Tx, dialect: DialectName, userId: string) {
  const listener = `user:${userId}`;
  await tx
    .updateTable('listener_days')
    .set({ listener: someone(dialect) })
    .where('listener', '=', listener)
    .execute();
  // Says only when this listener's next play of a track counts, and there will be none.
  await tx.deleteFrom('counted_plays').where('listener', '=', listener).execute();
  await forgetVisits(tx, listener);
}

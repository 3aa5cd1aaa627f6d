import type { Db, DialectName, Tx } from '../../db/connect.ts';
import { enqueue } from '../../jobs/queue.ts';
import { toAccountKey } from './account-keys.ts';
import { dropUnusedAvatar, sendAccountNotice, sendFarewell, sendPasswordReset } from './jobs.ts';
import type { UserRow } from './queries.ts';

/** In the order of their ids, so that two who leave at once wait for one another instead of both staying. */
export const lockAdministrators = (tx: Tx, dialect: DialectName) => {
  const query = tx.selectFrom('users').selectAll().where('is_admin', '=', 1).orderBy('id');
  return (dialect === 'postgres' ? query.forUpdate() : query).execute();
};

const mailJobs: string[] = [sendPasswordReset.name, sendAccountNotice.name, sendFarewell.name];

/** Messages that wait, or could not be sent, name their reader. One under way finds nobody. */
async function deleteMessagesTo(tx: Db, user: UserRow) {
  await tx.deleteFrom('outbox').where('recipient', '=', user.email).execute();
  const jobs = await tx
    .selectFrom('jobs')
    .select(['id', 'payload'])
    .where('name', 'in', mailJobs)
    .where('state', '<>', 'running')
    .execute();
  const names = [user.id, user.email_key];
  const ids = jobs
    .filter(({ payload }) => names.some((name) => toAccountKey(payload).includes(name)))
    .map(({ id }) => id);
  if (ids.length > 0)
    await tx.deleteFrom('jobs').where('id', 'in', ids).where('state', '<>', 'running').execute();
}

/** Takes the account away, and with it every row that refers to it. */
export async function dissolveAccount(tx: Tx, user: UserRow, now: number) {
  await deleteMessagesTo(tx, user);
  if (user.avatar_key) await enqueue(tx, dropUnusedAvatar, { key: user.avatar_key }, { now });
  await enqueue(
    tx,
    sendFarewell,
    { to: user.email, username: user.username, event: 'deleted' },
    { now },
  );
  await tx.deleteFrom('users').where('id', '=', user.id).execute();
}

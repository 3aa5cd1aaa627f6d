import type { Db, Tx } from '../../db/connect.ts';
import { deleteIdleJobs, enqueue } from '../../jobs/queue.ts';
import {
  deleteUnusedAvatar,
  sendAccountMessage,
  sendFormerAddressMessage,
  sendPasswordReset,
} from './jobs.ts';
import { toAccountKey, type UserRow } from './queries.ts';

const mailJobs = [sendPasswordReset, sendAccountMessage, sendFormerAddressMessage];

/** Deletes unsent messages, which contain personal data. A job that is running finds no user and ends. */
async function deleteMessagesTo(tx: Db, user: UserRow) {
  await tx.deleteFrom('outbox').where('recipient', '=', user.email).execute();
  const keys = [user.id, user.email_key];
  await deleteIdleJobs(tx, mailJobs, (payload) =>
    keys.some((key) => toAccountKey(payload).includes(key)),
  );
}

/** Deletes the user; every row that refers to it is deleted by its foreign key. */
export async function deleteUser(tx: Tx, user: UserRow, now: number) {
  await deleteMessagesTo(tx, user);
  if (user.avatar_key) await enqueue(tx, deleteUnusedAvatar, { key: user.avatar_key }, { now });
  await enqueue(
    tx,
    sendFormerAddressMessage,
    { to: user.email, username: user.username, event: 'deleted' },
    { now },
  );
  await tx.deleteFrom('users').where('id', '=', user.id).execute();
}

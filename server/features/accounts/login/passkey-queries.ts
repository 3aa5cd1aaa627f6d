import type { PasskeysTable } from '../../../db/types/account-tables.ts';
import type { Db } from '../../../db/connect.ts';

export type PasskeyRow = PasskeysTable;

export const listPasskeyRows = (db: Db, userId: string): Promise<PasskeyRow[]> =>
  db
    .selectFrom('passkeys')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();

export const findPasskey = (db: Db, credentialId: string): Promise<PasskeyRow | undefined> =>
  db
    .selectFrom('passkeys')
    .selectAll()
    .where('credential_id', '=', credentialId)
    .executeTakeFirst();

/** Undefined if someone has already added it. */
export const insertPasskey = (db: Db, row: PasskeyRow): Promise<PasskeyRow | undefined> =>
  db
    .insertInto('passkeys')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();

export const renamePasskeyRow = (db: Db, userId: string, id: string, name: string) =>
  db
    .updateTable('passkeys')
    .set({ name })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returningAll()
    .executeTakeFirst();

export const deletePasskeyRow = (db: Db, userId: string, id: string) =>
  db
    .deleteFrom('passkeys')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returning('id')
    .executeTakeFirst();

export async function deletePasskeys(db: Db, userId: string) {
  await db.deleteFrom('passkeys').where('user_id', '=', userId).execute();
}

type Use = { counter: number; now: number };

/** False if it was removed or used at the same time. */
export async function markPasskeyUsed(db: Db, row: PasskeyRow, use: Use): Promise<boolean> {
  const used = await db
    .updateTable('passkeys')
    .set({ counter: use.counter, last_used_at: use.now })
    .where('id', '=', row.id)
    .where('counter', '=', row.counter)
    .returning('id')
    .executeTakeFirst();
  return used !== undefined;
}

export async function insertChallenge(
  db: Db,
  challenge: { challenge_hash: string; user_id: string | null; expires_at: number },
) {
  await db.insertInto('passkey_challenges').values(challenge).execute();
}

/** True for one answer, in time, by the user it was made for. */
export async function consumeChallenge(
  db: Db,
  { hash, userId, now }: { hash: string; userId: string | null; now: number },
): Promise<boolean> {
  const row = await db
    .deleteFrom('passkey_challenges')
    .where('challenge_hash', '=', hash)
    .where('user_id', userId === null ? 'is' : '=', userId)
    .where('expires_at', '>', now)
    .returning('challenge_hash')
    .executeTakeFirst();
  return row !== undefined;
}

export async function* exportPasskeys(db: Db, userId: string) {
  for (const row of await listPasskeyRows(db, userId))
    yield {
      name: row.name,
      isSynced: row.is_synced === 1,
      createdAt: row.created_at,
      lastUsedAt: row.last_used_at,
    };
}

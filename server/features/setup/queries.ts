import type { Db } from '../../db/connect.ts';
import type { SetupLinksTable } from '../../db/operations-tables.ts';

/** Only the newest opens anything. */
export async function replaceLink(tx: Db, link: SetupLinksTable) {
  await tx.deleteFrom('setup_links').execute();
  await tx.insertInto('setup_links').values(link).execute();
}

export async function hasLink(db: Db, tokenHash: string, now: number): Promise<boolean> {
  const row = await db
    .selectFrom('setup_links')
    .select('token_hash')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return row !== undefined;
}

/** Takes it out of use: of two who hold it one gets it. */
export async function takeLink(tx: Db, tokenHash: string, now: number): Promise<boolean> {
  const row = await tx
    .deleteFrom('setup_links')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .returning('token_hash')
    .executeTakeFirst();
  return row !== undefined;
}

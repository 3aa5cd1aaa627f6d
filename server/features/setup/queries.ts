import type { Db } from '../../db/connect.ts';
import type { SetupLinksTable } from '../../db/operations-tables.ts';

/** A server that starts more often within a day has other problems. */
const MAX_LINKS = 10;

/** Links of earlier starts keep working, in case someone copied one before a restart. */
export async function addLink(tx: Db, link: SetupLinksTable) {
  await tx.deleteFrom('setup_links').where('expires_at', '<=', link.created_at).execute();
  await tx.insertInto('setup_links').values(link).execute();
  const tooOld = await tx
    .selectFrom('setup_links')
    .select('token_hash')
    .orderBy('created_at', 'desc')
    .orderBy('token_hash')
    .offset(MAX_LINKS)
    .limit(MAX_LINKS)
    .execute();
  const hashes = tooOld.map(({ token_hash }) => token_hash);
  if (hashes.length > 0)
    await tx.deleteFrom('setup_links').where('token_hash', 'in', hashes).execute();
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

/** Deletes all links, so that only one setup can succeed. */
export async function deleteLinks(tx: Db, tokenHash: string, now: number): Promise<boolean> {
  const deleted = await tx
    .deleteFrom('setup_links')
    .returning(['token_hash', 'expires_at'])
    .execute();
  return deleted.some((link) => link.token_hash === tokenHash && link.expires_at > now);
}

import type { Db } from '../../db/connect.ts';
import type { SetupLinksTable } from '../../db/operations-tables.ts';

/** More starts than that within a day are a server that cannot stay up. */
const MOST_LINKS = 10;

/** Those of earlier starts stay good: whoever copied one before a restart can still use it. */
export async function addLink(tx: Db, link: SetupLinksTable) {
  await tx.deleteFrom('setup_links').where('expires_at', '<=', link.created_at).execute();
  await tx.insertInto('setup_links').values(link).execute();
  const tooOld = await tx
    .selectFrom('setup_links')
    .select('token_hash')
    .orderBy('created_at', 'desc')
    .orderBy('token_hash')
    .offset(MOST_LINKS)
    .limit(MOST_LINKS)
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

/** Takes every link out of use: of two who hold one, or two different ones, one gets it. */
export async function takeLinks(tx: Db, tokenHash: string, now: number): Promise<boolean> {
  const taken = await tx
    .deleteFrom('setup_links')
    .returning(['token_hash', 'expires_at'])
    .execute();
  return taken.some((link) => link.token_hash === tokenHash && link.expires_at > now);
}

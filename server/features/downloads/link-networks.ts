import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { DownloadNetworksTable } from '../../db/types/account-tables.ts';
import type { Db } from '../../db/connect.ts';
import type { Deps } from '../../deps.ts';
import { toNetworks } from '../../http/route/address.ts';
import { AppError } from '../../http/route/app-error.ts';
import { lockUserById } from '../accounts/service.ts';
import type { DownloadGrant } from './service.ts';

/** At home, on the phone, and one more. A link that others share needs many. */
const MAX_NETWORKS = 3;

/** A download asks for many ranges; a link that was used from here before needs no query. */
const known = new LRUCache<string, true>({ max: 5000 });

const hashText = (text: string): string => hash('sha256', text, 'base64url');

/** Null if the network is new and there is room for it. */
async function findDecision(db: Db, link: string, network: string): Promise<boolean | null> {
  const rows = await db
    .selectFrom('download_networks')
    .select('network')
    .where('link', '=', link)
    .execute();
  if (rows.some((row) => row.network === network)) return true;
  return rows.length >= MAX_NETWORKS ? false : null;
}

/** Two networks that come at the same moment take turns. */
const addNetwork = ({ database }: Deps, row: DownloadNetworksTable): Promise<boolean> =>
  database.db.transaction().execute(async (tx) => {
    await lockUserById(tx, database.dialect, row.user_id);
    const decision = await findDecision(tx, row.link, row.network);
    if (decision === null) await tx.insertInto('download_networks').values(row).execute();
    return decision ?? true;
  });

/** Throws if the link was used from too many other networks. Stores no address, only hashes. */
export async function enforceNetworkLimit(
  deps: Deps,
  { userId, trackId, format, generation, expiresAt }: DownloadGrant,
  address: string,
): Promise<void> {
  const link = hashText([userId, trackId, format, generation, expiresAt].join('\n'));
  const network = hashText(`${link} ${toNetworks(address).network}`);
  const key = `${link} ${network}`;
  if (known.get(key)) return;
  const isAllowed =
    (await findDecision(deps.database.db, link, network)) ??
    (await addNetwork(deps, { link, network, user_id: userId, expires_at: expiresAt }));
  if (!isAllowed)
    throw new AppError('forbidden', {
      message:
        'This download link was used from too many places. Log in and start the download again.',
    });
  known.set(key, true);
}

import { hash } from 'node:crypto';
import { HOUR, WEEK } from '#contract/rules/time.ts';
import type { Db } from '../../db/connect.ts';
import type { Deps } from '../../deps.ts';
import { toNetworks } from '../../http/address.ts';
import { AppError } from '../../http/app-error.ts';
import { lockUserById } from '../accounts/service.ts';
import { countNetworks, type FeedRow } from './queries.ts';

/** How long a network counts, and is remembered. */
export const NETWORK_MS = WEEK;
/** Home, work, friends and a phone that changes its network on the way. More looks like sharing. */
export const MANY_NETWORKS = 10;
/** Beyond this many, new networks get no audio. Those that were there before still do. */
export const MAX_NETWORKS = 40;

/** An app asks for many ranges of a file; a network that was just noted needs no query. */
const NOTED_MS = 12 * HOUR;
const noted = new Map<string, number>();
const MAX_NOTED = 5000;

type Visit = { userId: string; network: string; now: number };

const wasSeen = async (db: Db, { userId, network, now }: Visit): Promise<boolean> =>
  (await db
    .selectFrom('podcast_networks')
    .select('network')
    .where('user_id', '=', userId)
    .where('network', '=', network)
    .where('seen_at', '>', now - NETWORK_MS)
    .executeTakeFirst()) !== undefined;

/** Two networks that come at the same moment take turns. */
const addVisit = ({ database }: Deps, visit: Visit): Promise<boolean> =>
  database.db.transaction().execute(async (tx) => {
    const { userId, network, now } = visit;
    await lockUserById(tx, database.dialect, userId);
    const isKnown = await wasSeen(tx, visit);
    if (!isKnown && (await countNetworks(tx, userId, now - NETWORK_MS)) >= MAX_NETWORKS)
      return false;
    await tx
      .insertInto('podcast_networks')
      .values({ user_id: userId, network, seen_at: now })
      .onConflict((conflict) =>
        conflict.columns(['user_id', 'network']).doUpdateSet({ seen_at: now }),
      )
      .execute();
    return true;
  });

/**
 * Notes from where audio is loaded through a feed. Throws if that is from too many places. Only audio
 * counts: many apps have their own servers ask for the feed. Stores no address, only hashes.
 */
export async function noteNetwork(deps: Deps, feed: FeedRow, address: string): Promise<void> {
  const { network: small, wideNetwork } = toNetworks(address);
  // A phone gets another /64 of IPv6 each time it connects.
  const network = hash('sha256', `${feed.token_hash} ${wideNetwork ?? small}`, 'base64url');
  const now = deps.clock.now();
  const last = noted.get(network);
  if (last !== undefined && Math.abs(now - last) < NOTED_MS) return;
  if (!(await addVisit(deps, { userId: feed.user_id, network, now })))
    throw new AppError('forbidden', {
      message:
        'This podcast address was used from too many places this week. Renew it on the settings page, and don’t share it.',
    });
  if (noted.size >= MAX_NOTED) noted.clear();
  noted.set(network, now);
}

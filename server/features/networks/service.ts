import { hash } from 'node:crypto';
import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import { DAY, HOUR, WEEK } from '#contract/rules/time.ts';
import type { Db } from '../../db/connect.ts';
import type { Deps } from '../../deps.ts';
import { toNetworks } from '../../http/route/address.ts';
import { AppError } from '../../http/route/app-error.ts';
import { lockUserById } from '../accounts/service.ts';

/** How long a network counts, and is remembered. */
const NETWORK_MS = WEEK;
/** Home, work, friends and a phone that changes its network on the way. More looks like sharing. */
export const MANY_NETWORKS = 10;
/** Beyond this many, new networks get no audio. Those that were there before still do. */
export const MAX_NETWORKS = 40;
export const MAX_NETWORKS_A_DAY = 20;

/**
 * What loads audio without a session: the address of a podcast feed, or the password of a music app
 * (`app:` and its id). Each user has one feed, so `feed` is enough of a name.
 */
export type Credential = { userId: string; credential: string };

export const FEED = 'feed';
export const nameAppPassword = (id: string): string => `app:${id}`;

/** An app asks for many ranges of a file; a network that was just noted needs no query. */
const NOTED_MS = 12 * HOUR;
const noted = new LRUCache<string, number>({ max: 5000 });

type Visit = Credential & { network: string; now: number };

const selectOf = (db: Db, { userId, credential }: Credential) =>
  db
    .selectFrom('credential_networks')
    .where('user_id', '=', userId)
    .where('credential', '=', credential);

const wasSeen = async (db: Db, visit: Visit): Promise<boolean> =>
  (await selectOf(db, visit)
    .select('network')
    .where('network', '=', visit.network)
    .where('seen_at', '>', visit.now - NETWORK_MS)
    .executeTakeFirst()) !== undefined;

async function countSince(db: Db, of: Credential, since: number): Promise<number> {
  const { count } = await selectOf(db, of)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('seen_at', '>', since)
    .executeTakeFirstOrThrow();
  return count;
}

const isFull = async (db: Db, visit: Visit): Promise<boolean> =>
  (await countSince(db, visit, visit.now - NETWORK_MS)) >= MAX_NETWORKS ||
  (await countSince(db, visit, visit.now - DAY)) >= MAX_NETWORKS_A_DAY;

/** Two networks that come at the same moment take turns. */
const addVisit = ({ database }: Deps, visit: Visit): Promise<boolean> =>
  database.db.transaction().execute(async (tx) => {
    const { userId, credential, network, now } = visit;
    await lockUserById(tx, database.dialect, userId);
    if (!(await wasSeen(tx, visit)) && (await isFull(tx, visit))) return false;
    await tx
      .insertInto('credential_networks')
      .values({ user_id: userId, credential, network, seen_at: now })
      .onConflict((conflict) =>
        conflict.columns(['user_id', 'credential', 'network']).doUpdateSet({ seen_at: now }),
      )
      .execute();
    return true;
  });

/** A short name of the network that nobody can turn back into an address. */
export function hashNetwork(secret: string, address: string): string {
  const { network, wideNetwork } = toNetworks(address);
  // A phone gets another /64 of IPv6 each time it connects.
  return hash('sha256', `${secret} ${wideNetwork ?? network}`, 'base64url');
}

/**
 * Notes from where audio is loaded. Throws with the advice if that is from too many places. Only audio
 * counts: many apps have their own servers ask for lists. Stores no address, only hashes.
 */
export async function noteNetwork(
  deps: Deps,
  { secret, address, advice, ...of }: Credential & NetworkUse,
): Promise<void> {
  const network = hashNetwork(secret, address);
  const now = deps.clock.now();
  const last = noted.get(network);
  if (last !== undefined && Math.abs(now - last) < NOTED_MS) return;
  if (!(await addVisit(deps, { ...of, network, now })))
    throw new AppError('forbidden', { message: advice });
  noted.set(network, now);
}

type NetworkUse = {
  /** Makes the hashes useless to anyone who only has the table. */
  secret: string;
  address: string;
  advice: string;
};

/** How many networks used it in the last seven days, and whether that looks like more than one person. */
export async function describeNetworks(
  { database, clock }: Deps,
  of: Credential,
): Promise<{ networks: number; isShared: boolean }> {
  const networks = await countSince(database.db, of, clock.now() - NETWORK_MS);
  return { networks, isShared: networks > MANY_NETWORKS };
}

/** The networks of an earlier address or password say nothing about the next one. */
export const forgetNetworks = (db: Db, { userId, credential }: Credential) =>
  db
    .deleteFrom('credential_networks')
    .where('user_id', '=', userId)
    .where('credential', '=', credential)
    .execute();

export const forgetAppNetworks = (db: Db, userId: string) =>
  db
    .deleteFrom('credential_networks')
    .where('user_id', '=', userId)
    .where('credential', '<>', FEED)
    .execute();

/** Users with a feed or an app password that is used from many networks. */
export const selectSharingUsers = (db: Db, now: number) =>
  db
    .selectFrom('credential_networks')
    .select('user_id')
    .where('seen_at', '>', now - NETWORK_MS)
    .groupBy(['user_id', 'credential'])
    .having(sql`count(*)`, '>', MANY_NETWORKS);

export const countSharingUsers = async (db: Db, now: number): Promise<number> =>
  new Set((await selectSharingUsers(db, now).execute()).map((row) => row.user_id)).size;

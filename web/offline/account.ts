import { judgeLease, type Lease, type LeaseState } from '#contract/rules/lease.ts';
import { isKeptCache } from './kept-file.ts';

const STATE_CACHE = 'offline-state';
const ACCOUNT_URL = '/offline/account';

/** Who was last known to be signed in here, and until when their kept mixes play. */
export type OfflineAccount = { userId: string; lease: Lease | null };
type KnownUser = { id: string; offlineUntil: number | null };

export const apiCacheName = (userId: string): string => `api:${encodeURIComponent(userId)}`;
const isPrivate = (name: string) => name.startsWith('api:') || isKeptCache(name);

export async function readAccount(storage: CacheStorage): Promise<OfflineAccount | null> {
  const state = await storage.open(STATE_CACHE);
  const stored = await state.match(ACCOUNT_URL);
  return stored ? ((await stored.json()) as OfflineAccount) : null;
}

async function writeAccount(storage: CacheStorage, account: OfflineAccount): Promise<void> {
  const state = await storage.open(STATE_CACHE);
  await state.put(ACCOUNT_URL, Response.json(account));
}

async function deleteCaches(storage: CacheStorage, isGone: (name: string) => boolean) {
  await Promise.all((await storage.keys()).filter(isGone).map((name) => storage.delete(name)));
}

/**
 * What the server has just said about who is signed in. Whatever belongs to anybody else goes, and
 * so does what was kept by somebody who no longer has access.
 */
export async function noteUser(
  storage: CacheStorage,
  user: KnownUser | null,
  serverNow: number,
): Promise<void> {
  if (!user) {
    await storage.delete(STATE_CACHE);
    return deleteCaches(storage, isPrivate);
  }
  const { id, offlineUntil } = user;
  await deleteCaches(
    storage,
    (name) =>
      isPrivate(name) &&
      name !== apiCacheName(id) &&
      !(isKeptCache(name, id) && offlineUntil !== null),
  );
  const lease = offlineUntil === null ? null : { until: offlineUntil, seenAt: serverNow };
  await writeAccount(storage, { userId: id, lease });
}

/** Asked before kept sound is played; remembers the latest time that the clock has shown. */
export async function checkLease(
  storage: CacheStorage,
  account: OfflineAccount,
  now: number,
): Promise<LeaseState> {
  if (!account.lease) return 'over';
  const state = judgeLease(account.lease, now);
  if (now > account.lease.seenAt)
    await writeAccount(storage, { ...account, lease: { ...account.lease, seenAt: now } });
  return state;
}

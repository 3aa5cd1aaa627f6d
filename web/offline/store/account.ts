import { checkLease, type Lease, type LeaseState } from '#contract/rules/lease.ts';
import { isSavedCache } from './saved-file.ts';

/** Who uses this browser, and what they have queued. A logout deletes it. */
export const STATE_CACHE = 'offline-state';
const ACCOUNT_URL = '/offline/account';
/** Not in `localStorage`, of which a browser that is killed loses the last seconds. */
export const QUEUE_URL = '/offline/queue';

/** Says that copies were removed, until a page has told the listener. */
export const REMOVED_URL = '/offline/removed';

/** The last known user of this browser, and until when their saved tracks play. */
export type OfflineAccount = { userId: string; lease: Lease | null };
export type CurrentUser = { id: string; offlineUntil: number | null };

export const apiCacheName = (userId: string): string => `api:${encodeURIComponent(userId)}`;
const isPrivate = (name: string) => name.startsWith('api:') || isSavedCache(name);

export async function loadAccount(storage: CacheStorage): Promise<OfflineAccount | null> {
  const state = await storage.open(STATE_CACHE);
  const stored = await state.match(ACCOUNT_URL);
  return stored ? ((await stored.json()) as OfflineAccount) : null;
}

async function writeAccount(storage: CacheStorage, account: OfflineAccount): Promise<void> {
  const state = await storage.open(STATE_CACHE);
  await state.put(ACCOUNT_URL, Response.json(account));
}

async function deleteCaches(storage: CacheStorage, isObsolete: (name: string) => boolean) {
  await Promise.all((await storage.keys()).filter(isObsolete).map((name) => storage.delete(name)));
}

/**
 * Saves the user that the server has just reported. Deletes the data of other users, and saved
 * tracks if the user no longer has access.
 */
export async function saveUser(
  storage: CacheStorage,
  user: CurrentUser | null,
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
      !(isSavedCache(name, id) && offlineUntil !== null),
  );
  const lease = offlineUntil === null ? null : { until: offlineUntil, seenAt: serverNow };
  await writeAccount(storage, { userId: id, lease });
}

/** Call before playing saved audio. Records the latest time that the clock has shown. */
export async function checkAccountLease(
  storage: CacheStorage,
  account: OfflineAccount,
  now: number,
): Promise<LeaseState> {
  if (!account.lease) return 'expired';
  const state = checkLease(account.lease, now);
  if (now > account.lease.seenAt)
    await writeAccount(storage, { ...account, lease: { ...account.lease, seenAt: now } });
  return state;
}

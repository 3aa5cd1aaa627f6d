import type { QueryClient } from '@tanstack/react-query';
import type { User } from '#contract/accounts.ts';
import { NO_ENDS, type AllowedFiles } from '#contract/rules/allowed-files.ts';
import { DAY } from '#contract/rules/time.ts';
import { currentUserQuery, isStaff } from '#web/lib/api/current-user.ts';
import { boot, changeBoot, readOffers } from '#web/lib/store/boot.ts';
import { watchSignals } from '#web/lib/api/live.ts';
import { refreshListening } from '#web/features/history/api.ts';
import {
  ACCESS_KEYS,
  invoicesQuery,
  subscriptionQuery,
  watchOtherTabs,
} from '#web/features/billing/api.ts';

const MIN_DELAY_MS = 5_000;
const MAX_DELAY_MS = DAY;

type AccessUser = Pick<User, 'id' | 'isSubscriber' | 'isAdmin' | 'isHelper' | 'paidThrough'>;

/** `before` is undefined until the user has loaded for the first time. */
export function findAccessChange(
  before: AccessUser | null | undefined,
  now: AccessUser | null,
): 'user' | 'access' | null {
  if (before?.id !== now?.id) return 'user';
  return before && now && before.isSubscriber !== now.isSubscriber ? 'access' : null;
}

/** The end of the paid period; null if there is none. */
export const findPaidThrough = (user: AccessUser | null): number | null =>
  (user && !isStaff(user) && user.paidThrough) || null;

/** Shortly after `at`, within limits that allow for wrong clocks and the longest timer. */
export const delayUntil = (at: number, now: number): number =>
  Math.min(MAX_DELAY_MS, Math.max(at - now + 500, MIN_DELAY_MS));

const LISTENING = 'me/listening:';
const watched = new WeakSet<QueryClient>();
const PAYING_KEYS = [...ACCESS_KEYS, invoicesQuery.queryKey];
const isUserKey = (key: readonly unknown[]): boolean => key[0] === currentUserQuery.queryKey[0];
const isQuoteKey = (key: readonly unknown[]): boolean =>
  String(key[0]).startsWith('/api/checkout/quote');

/**
 * Shows changes of access and listening immediately, whether they happen in another tab, on the
 * server or because the paid period ends. Starts once per page.
 */
export function watchAccess(client: QueryClient): void {
  if (watched.has(client)) return;
  watched.add(client);
  let current: User | null | undefined;
  let stopStream: (() => void) | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** What the site gives. Undefined until the user has loaded for the first time. */
  let offers: AllowedFiles | undefined;

  const reloadAccess = (cancelRefetch = true): Promise<unknown> =>
    Promise.all(
      PAYING_KEYS.map((queryKey) => client.invalidateQueries({ queryKey }, { cancelRefetch })),
    );

  /** If someone else is logged in now, everything this tab has loaded is another user's. */
  async function followOtherTab(): Promise<void> {
    const before = current?.id;
    await reloadAccess();
    if (current?.id === before) return;
    // Let members-only components unmount first, or they would refetch and be rejected.
    await new Promise((resolve) => setTimeout(resolve));
    await client.resetQueries({ predicate: ({ queryKey }) => !isUserKey(queryKey) });
  }

  const watchStream = () =>
    watchSignals((topic) => {
      if (topic === 'me') void reloadAccess();
      if (topic === 'me/mixes') void reloadAccess().then(reloadAll);
      if (topic.startsWith(LISTENING)) void refreshListening(client, topic.slice(LISTENING.length));
      // After a lost connection the page refetches on its own; don't cancel that.
      if (topic === 'all') void reloadAccess(false);
    });

  /** Only the server knows how long access continues after the paid period. */
  async function scheduleReload(user: User | null): Promise<void> {
    clearTimeout(timer);
    const paidThrough = findPaidThrough(user);
    if (paidThrough === null) return;
    const isPast = paidThrough <= Date.now();
    const subscription = isPast && (await client.fetchQuery(subscriptionQuery).catch(() => null));
    if (current !== user) return;
    const at = isPast ? subscription && subscription.accessUntil : paidThrough;
    timer = setTimeout(() => void reloadAccess(), delayUntil(at || Infinity, Date.now()));
  }

  /**
   * Every response about a track depends on access. Quotes are left out: a new subscriber has
   * nothing to buy, and a quote loads again wherever it is shown.
   */
  function reloadAll(): void {
    const isAffected = (key: readonly unknown[]) => !isUserKey(key) && !isQuoteKey(key);
    void client.invalidateQueries({ predicate: ({ queryKey }) => isAffected(queryKey) });
  }

  /** True if the site gives something else than when this page last asked. */
  function followOffers(user: User | null): boolean {
    const [before, endsBefore] = [offers, boot.fileEnds];
    // Visitors' pages learn it with their next page.
    if (user) boot.fileEnds = user.fileEnds ?? NO_ENDS;
    const now = (offers = readOffers());
    const isSame = JSON.stringify([before, endsBefore]) === JSON.stringify([now, boot.fileEnds]);
    if (!before || isSame) return false;
    changeBoot({});
    if (user?.isSubscriber)
      void import('#web/features/downloads/say-ended.ts').then((m) => m.sayEnded(before, now));
    return true;
  }

  function setUser(user: User | null): void {
    const change = findAccessChange(current, user);
    current = user;
    if (change === 'user') {
      stopStream?.();
      stopStream = user && watchStream();
    }
    const areOffersNew = followOffers(user);
    if (change === 'access' || areOffersNew) reloadAll();
    void scheduleReload(user);
  }

  watchOtherTabs(() => void followOtherTab());
  client.getQueryCache().subscribe(({ type, query, ...event }) => {
    const isSuccess = type === 'updated' && 'action' in event && event.action.type === 'success';
    if (isSuccess && isUserKey(query.queryKey)) setUser(query.state.data as User | null);
  });
  const user = client.getQueryData(currentUserQuery.queryKey);
  if (user !== undefined) setUser(user);
}

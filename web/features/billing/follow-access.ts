import type { QueryClient } from '@tanstack/react-query';
import type { User } from '#contract/accounts.ts';
import { currentUserQuery } from '#web/lib/current-user.ts';
import { onSignal } from '#web/lib/live.ts';
import { accessChange, delayUntil, findPaidThrough } from './access-change.ts';
import { INVOICES_KEY, QUOTE_KEY, SUBSCRIPTION_KEY, subscriptionQuery } from './api.ts';
import { listenToOtherTabs } from './other-tabs.ts';

const followed = new WeakSet<QueryClient>();
const ASKED = [currentUserQuery.queryKey, SUBSCRIPTION_KEY, INVOICES_KEY];
const isUserKey = (key: readonly unknown[]): boolean => key[0] === currentUserQuery.queryKey[0];
const isQuoteKey = (key: readonly unknown[]): boolean => key[0] === QUOTE_KEY[0];

/**
 * What is paid for, cancelled, given or taken back shows at once, wherever it happened: in another
 * tab, on the server, or because its time is over. Once for the whole page.
 */
export function followAccess(client: QueryClient): void {
  if (followed.has(client)) return;
  followed.add(client);
  let known: User | null | undefined;
  let stopStream: (() => void) | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function ask(cancelRefetch = true): void {
    for (const queryKey of ASKED) void client.invalidateQueries({ queryKey }, { cancelRefetch });
  }

  const followStream = () =>
    onSignal((topic) => {
      if (topic === 'me') ask();
      // After a pause the page asks again by itself; what it asks already is enough.
      if (topic === 'all') ask(false);
    });

  /** How long somebody hears everything after the last day that is paid, only the server knows. */
  async function planLook(user: User | null): Promise<void> {
    clearTimeout(timer);
    const paidThrough = findPaidThrough(user);
    if (paidThrough === null) return;
    const isLate = paidThrough <= Date.now();
    const late = isLate && (await client.fetchQuery(subscriptionQuery).catch(() => null));
    if (known !== user) return;
    const moment = isLate ? late && late.accessUntil : paidThrough;
    timer = setTimeout(ask, delayUntil(moment || Infinity, Date.now()));
  }

  /**
   * Which files of a mix are theirs is part of every answer about it. Who has just paid is offered
   * nothing: what it would cost is asked where it is shown again.
   */
  function askAnew(): void {
    const isAsked = (key: readonly unknown[]) => !isUserKey(key) && !isQuoteKey(key);
    void client.invalidateQueries({ predicate: ({ queryKey }) => isAsked(queryKey) });
  }

  function learn(user: User | null): void {
    const change = accessChange(known, user);
    known = user;
    if (change === 'person') {
      stopStream?.();
      stopStream = user && followStream();
    }
    if (change === 'access') askAnew();
    void planLook(user);
  }

  listenToOtherTabs(() => ask());
  client.getQueryCache().subscribe(({ type, query, ...event }) => {
    const isAnswer = type === 'updated' && 'action' in event && event.action.type === 'success';
    if (isAnswer && isUserKey(query.queryKey)) learn(query.state.data as User | null);
  });
  const now = client.getQueryData(currentUserQuery.queryKey);
  if (now !== undefined) learn(now);
}

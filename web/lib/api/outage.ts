import { createStore } from '#web/lib/store/store.ts';

/** What doesn't work because the server, or something that it needs, is away or has too much to do. */
export type Outage = 'reaching' | 'busy' | 'saving' | 'playing';

export const outageStore = createStore<Outage | null>(null);

export type FailedRequest = { outage: Outage; retryAfterMs?: number | undefined };

/** The last failure that may be an outage. `web/shell/outages.ts` asks the server whether it is one. */
export const failedRequestStore = createStore<FailedRequest | null>(null);

import { createStore } from '#web/lib/store/store.ts';

/** What doesn't work because the server, or something that it needs, is away. */
export type Outage = 'reaching' | 'saving' | 'playing';

export const outageStore = createStore<Outage | null>(null);

export type FailedRequest = { outage: Outage; retryAfterMs?: number | undefined };

/** The last failure that may be an outage. `web/shell/outages.ts` asks the server whether it is one. */
export const failedRequestStore = createStore<FailedRequest | null>(null);

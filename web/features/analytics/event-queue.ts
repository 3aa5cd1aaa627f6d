import type { CommonFields, EventName } from '#contract/analytics.ts';

export type QueuedEvent = { name: EventName; fields: CommonFields; at: number };

export type AnalyticsClient = {
  send(event: QueuedEvent, options?: { isLeaving: boolean }): void;
  /** Null when logged out. */
  setUser(userId: string | null): void;
  /** Sends nothing more, not even queued events, and forgets the user. */
  stop(): void;
  resume(): void;
};

type Options = {
  isAllowed(): boolean;
  loadClient(): Promise<AnalyticsClient>;
  /** Sends events without the client, when the user leaves before it has loaded. */
  sendBeacon(events: readonly QueuedEvent[]): void;
  log(message: string, cause: unknown): void;
};

const MAX_WAITING = 200;

/**
 * Queues events until the client has loaded (which the first event triggers) and until the user's
 * choice is known. Opting out drops everything.
 */
export function createEventQueue({ isAllowed, loadClient, sendBeacon, log }: Options) {
  let client: AnalyticsClient | null = null;
  let isLoading = false;
  let isStopped = false;
  let pauses = 0;
  let userId: string | null | undefined;
  let sentUserId: string | null | undefined;
  let waiting: QueuedEvent[] = [];

  function halt(): void {
    waiting = [];
    if (!isStopped) client?.stop();
    isStopped = client !== null;
    sentUserId = undefined;
  }

  async function load(): Promise<void> {
    if (isLoading) return;
    isLoading = true;
    try {
      client = await loadClient();
      flush();
    } catch (cause) {
      // Most likely an ad blocker.
      waiting = [];
      log('The analytics client couldn’t load.', cause);
    }
  }

  function flush(): void {
    if (pauses > 0) return;
    if (!isAllowed()) return halt();
    if (!client) return waiting.length > 0 ? void load() : undefined;
    if (isStopped) client.resume();
    isStopped = false;
    if (userId !== undefined && userId !== sentUserId) client.setUser(userId);
    sentUserId = userId;
    for (const event of waiting.splice(0)) client.send(event);
  }

  return {
    send(event: QueuedEvent, { isLeaving } = { isLeaving: false }): void {
      if (!isLeaving) {
        if (waiting.length < MAX_WAITING) waiting.push(event);
        flush();
      } else if (pauses === 0 && isAllowed() && !isStopped) {
        if (client) client.send(event, { isLeaving });
        else if (isLoading && waiting.length > 0) sendBeacon([...waiting.splice(0), event]);
      }
    },
    setUser(next: string | null): void {
      userId = next;
      flush();
    },
    /** Queues events until the promise settles. */
    pauseUntil(promise: Promise<void>): void {
      pauses++;
      void promise.then(() => {
        pauses--;
        flush();
      });
    },
    /** Call this when the choice has changed. */
    applyChoice(): void {
      if (!isAllowed()) halt();
    },
  };
}

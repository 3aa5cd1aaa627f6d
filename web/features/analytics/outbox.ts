import type { CommonFields, EventName } from '#contract/analytics.ts';

export type Outgoing = { name: EventName; fields: CommonFields; at: number };

/** What is asked of the analytics client, in our words. */
export type Client = {
  send(event: Outgoing, options?: { isLeaving: boolean }): void;
  /** Null when nobody is signed in. */
  setUser(userId: string | null): void;
  /** Sends nothing more, not even what it holds, and forgets who it told of. */
  stop(): void;
  resume(): void;
};

type Options = {
  isAllowed(): boolean;
  loadClient(): Promise<Client>;
  log(message: string, cause: unknown): void;
};

const MOST_WAITING = 200;

/**
 * Events wait here for the client, which is fetched for the first of them, and while it is asked
 * whether they may go. A no drops everything.
 */
export function createOutbox({ isAllowed, loadClient, log }: Options) {
  let client: Client | null = null;
  let isLoading = false;
  let isStopped = false;
  let holds = 0;
  let userId: string | null | undefined;
  let toldUserId: string | null | undefined;
  let waiting: Outgoing[] = [];

  function halt(): void {
    waiting = [];
    if (!isStopped) client?.stop();
    isStopped = client !== null;
    toldUserId = undefined;
  }

  async function load(): Promise<void> {
    if (isLoading) return;
    isLoading = true;
    try {
      client = await loadClient();
      flush();
    } catch (cause) {
      // Most likely blocked by the browser of somebody who does not want it.
      waiting = [];
      log('The analytics client did not load.', cause);
    }
  }

  function flush(): void {
    if (holds > 0) return;
    if (!isAllowed()) return halt();
    if (!client) return waiting.length > 0 ? void load() : undefined;
    if (isStopped) client.resume();
    isStopped = false;
    if (userId !== undefined && userId !== toldUserId) client.setUser(userId);
    toldUserId = userId;
    for (const event of waiting.splice(0)) client.send(event);
  }

  return {
    send(event: Outgoing, { isLeaving } = { isLeaving: false }): void {
      if (!isLeaving) {
        if (waiting.length < MOST_WAITING) waiting.push(event);
        flush();
      } else if (client && holds === 0 && isAllowed() && !isStopped) {
        client.send(event, { isLeaving });
      }
    },
    setUser(next: string | null): void {
      userId = next;
      flush();
    },
    /** What happens meanwhile goes afterwards, if it may. */
    holdUntil(answered: Promise<void>): void {
      holds++;
      void answered.then(() => {
        holds--;
        flush();
      });
    },
    /** For when the choice has changed. */
    obeyChoice(): void {
      if (!isAllowed()) halt();
    },
  };
}

import type { SignalsTable } from '../../db/tables.ts';

export type Listener = { isFor: (topic: string) => boolean; tell: (topic: string) => void };

export type Hub = {
  /** Answers how to leave. */
  join: (listener: Listener) => () => void;
  /** Looks once for what is new. */
  look: () => Promise<void>;
  close: () => void;
};

type HubOptions = {
  /** The last signals: far enough back for a transaction that took its time to end. */
  read: () => Promise<readonly SignalsTable[]>;
  onError: (error: unknown) => void;
  everyMs: number;
};

/** Tells listeners of signals, from whichever process they come. Asks the database only while somebody listens. */
export function createHub({ read, onError, everyMs }: HubOptions): Hub {
  const listeners = new Set<Listener>();
  let seen: ReadonlySet<string> = new Set();
  let timer: NodeJS.Timeout | null = null;

  async function look() {
    const signals = await read();
    const fresh = signals.filter(({ id }) => !seen.has(id));
    seen = new Set(signals.map(({ id }) => id));
    const topics = new Set(fresh.map(({ topic }) => topic));
    for (const topic of topics)
      for (const listener of listeners) if (listener.isFor(topic)) listener.tell(topic);
  }

  function plan() {
    timer = setTimeout(() => {
      look()
        .catch(onError)
        .finally(() => {
          if (timer) plan();
        });
    }, everyMs).unref();
  }

  function rest() {
    if (timer) clearTimeout(timer);
    timer = null;
  }

  return {
    look,
    join: (listener) => {
      listeners.add(listener);
      if (!timer) plan();
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) rest();
      };
    },
    close: () => {
      listeners.clear();
      rest();
    },
  };
}

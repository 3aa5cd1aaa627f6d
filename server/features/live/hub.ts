import type { SignalsTable } from '../../db/tables.ts';

export type Listener = { isFor: (topic: string) => boolean; tell: (topic: string) => void };

export type Hub = {
  /** Answers how to leave. */
  join: (listener: Listener) => () => void;
  /** Looks once for what is new. */
  look: () => Promise<void>;
  close: () => void;
};

/** Something that moves without anybody saying so, such as the number of those who listen. */
export type Watch = { topic: string; read: () => Promise<string>; everyMs: number };

type HubOptions = {
  /** The last signals: far enough back for a transaction that took its time to end. */
  read: () => Promise<readonly SignalsTable[]>;
  onError: (error: unknown) => void;
  everyMs: number;
  now: () => number;
  watch?: Watch;
};

/** Answers whether it has moved since it was last looked at; often asked, seldom looked. */
function createWatcher({ read, everyMs }: Watch, now: () => number) {
  let seen: string | null = null;
  let lookedAt = -Infinity;
  return {
    forget: () => {
      seen = null;
      lookedAt = -Infinity;
    },
    hasMoved: async (): Promise<boolean> => {
      if (Math.abs(now() - lookedAt) < everyMs) return false;
      lookedAt = now();
      const before = seen;
      seen = await read();
      return seen !== before;
    },
  };
}

/** Tells listeners of signals, from whichever process they come. Asks the database only while somebody listens. */
export function createHub({ read, onError, everyMs, now, watch }: HubOptions): Hub {
  const listeners = new Set<Listener>();
  let seen: ReadonlySet<string> = new Set();
  let timer: NodeJS.Timeout | null = null;
  const watcher = watch && createWatcher(watch, now);

  /** Nothing is read, and nothing is ever written, while nobody looks at it. */
  async function lookAtWatched(): Promise<string[]> {
    if (!watch || !watcher) return [];
    if ([...listeners].some((listener) => listener.isFor(watch.topic)))
      return (await watcher.hasMoved()) ? [watch.topic] : [];
    watcher.forget();
    return [];
  }

  async function look() {
    const signals = await read();
    const fresh = signals.filter(({ id }) => !seen.has(id));
    seen = new Set(signals.map(({ id }) => id));
    const moved = await lookAtWatched();
    const topics = new Set([...fresh.map(({ topic }) => topic), ...moved]);
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

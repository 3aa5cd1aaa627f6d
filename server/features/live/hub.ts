import type { SignalsTable } from '../../db/types/tables.ts';

type Subscriber = {
  isInterestedIn: (topic: string) => boolean;
  send: (topic: string) => void;
};

export type Hub = {
  /** Returns how to unsubscribe. */
  subscribe: (subscriber: Subscriber) => () => void;
  /** Reads new signals once and sends them. */
  poll: () => Promise<void>;
  close: () => void;
};

/** A figure that changes without a signal, such as the number of active listeners. */
type Watch = { topic: string; read: () => Promise<string>; everyMs: number };

type HubOptions = {
  /** Recent signals, far enough back for transactions that take long to commit. */
  read: () => Promise<readonly SignalsTable[]>;
  /** Runs before new signals are sent. If it throws, they are sent with the next poll. */
  prepare?: (topics: ReadonlySet<string>) => Promise<void>;
  onError: (error: unknown) => void;
  everyMs: number;
  now: () => number;
  watch?: Watch;
};

/** Reads the figure at most every `everyMs` and says whether it has changed. */
function createWatcher({ read, everyMs }: Watch, now: () => number) {
  let last: string | null = null;
  let readAt = -Infinity;
  return {
    reset: () => {
      last = null;
      readAt = -Infinity;
    },
    hasChanged: async (): Promise<boolean> => {
      if (Math.abs(now() - readAt) < everyMs) return false;
      readAt = now();
      const before = last;
      last = await read();
      return last !== before;
    },
  };
}

/** Of the pages that hear what everyone must hear, and then load again, with each poll. */
export const TOLD_AT_ONCE = 100;
const isForEveryone = (topic: string) => topic.startsWith('everyone/');

/** Sends signals of all processes to subscribers. Polls the database only while there are any. */
export function createHub({ read, prepare, onError, everyMs, now, watch }: HubOptions): Hub {
  const subscribers = new Set<Subscriber>();
  const waiting = new Map<string, Set<Subscriber>>();
  let seen: ReadonlySet<string> = new Set();
  let timer: NodeJS.Timeout | null = null;
  const watcher = watch && createWatcher(watch, now);

  /** Doesn't read the figure while no one is interested in it. */
  async function pollWatched(): Promise<string[]> {
    if (!watch || !watcher) return [];
    if ([...subscribers].some((subscriber) => subscriber.isInterestedIn(watch.topic)))
      return (await watcher.hasChanged()) ? [watch.topic] : [];
    watcher.reset();
    return [];
  }

  async function poll() {
    const signals = await read();
    const fresh = signals.filter(({ id }) => !seen.has(id));
    await prepare?.(new Set(fresh.map(({ topic }) => topic)));
    seen = new Set(signals.map(({ id }) => id));
    const changed = await pollWatched();
    const topics = new Set([...fresh.map(({ topic }) => topic), ...changed]);
    for (const topic of topics) {
      const interested = [...subscribers].filter((one) => one.isInterestedIn(topic));
      if (isForEveryone(topic)) waiting.set(topic, new Set(interested));
      else for (const subscriber of interested) subscriber.send(topic);
    }
    for (const [topic, turn] of waiting) sendInTurn(topic, turn);
  }

  /** Thousands of open pages that load again at the same moment would be a load of their own. */
  function sendInTurn(topic: string, turn: Set<Subscriber>): void {
    for (const subscriber of [...turn].slice(0, TOLD_AT_ONCE)) {
      turn.delete(subscriber);
      if (subscribers.has(subscriber)) subscriber.send(topic);
    }
    if (turn.size === 0) waiting.delete(topic);
  }

  function schedulePoll() {
    timer = setTimeout(() => {
      poll()
        .catch(onError)
        .finally(() => {
          if (timer) schedulePoll();
        });
    }, everyMs).unref();
  }

  function stop() {
    if (timer) clearTimeout(timer);
    timer = null;
  }

  return {
    poll,
    subscribe: (subscriber) => {
      subscribers.add(subscriber);
      if (!timer) schedulePoll();
      return () => {
        subscribers.delete(subscriber);
        if (subscribers.size === 0) stop();
      };
    },
    close: () => {
      subscribers.clear();
      stop();
    },
  };
}

/** A request that waits for its turn. */
type Guest<R extends string> = {
  rank: R;
  address: string;
  /** Nobody waits for the answer any more. */
  isGone: () => boolean;
  start: () => void;
  refuse: () => void;
};

export type WaitingRoomClock = {
  /** In milliseconds. */
  now: () => number;
  /** Calls back in the next turn of the event loop. */
  soon: (callback: () => void) => void;
  /** Calls back in some milliseconds, when something may have been answered. */
  later: (callback: () => void) => void;
};

type Rules<R extends string> = {
  /** The first ones go first. */
  ranks: readonly R[];
  waitLimits: Record<R, number>;
  /** Within a rank, so that a neighbour's many requests never stop a mix that plays. */
  maxPerAddress: number;
  canStart: (rank: R) => boolean;
};

/** A few at a time, because each turn of the event loop costs time too. */
const PER_TURN = 4;

type Waiting<R extends string> = Guest<R> & { since: number };

/** First come, first served within a rank, without moving all others when one leaves. */
function createLine<T>() {
  let items: T[] = [];
  let head = 0;
  return {
    add: (item: T) => void items.push(item),
    first: (): T | undefined => items[head],
    leave: () => {
      head += 1;
      if (head * 2 < items.length) return;
      items = items.slice(head);
      head = 0;
    },
    isEmpty: () => head === items.length,
  };
}

/** Lets requests wait for a short time, and starts a few in each turn of the event loop. */
export function createWaitingRoom<R extends string>(clock: WaitingRoomClock, rules: Rules<R>) {
  const lines = rules.ranks.map((rank) => ({ rank, line: createLine<Waiting<R>>() }));
  const addresses = new Map<string, number>();
  let isScheduled = false;
  let hasStarted = false;

  const isEmpty = () => lines.every(({ line }) => line.isEmpty());

  const keyOf = ({ rank, address }: Guest<R>) => `${rank} ${address}`;

  function leave(line: ReturnType<typeof createLine<Waiting<R>>>, guest: Waiting<R>) {
    line.leave();
    const key = keyOf(guest);
    const count = (addresses.get(key) ?? 1) - 1;
    if (count > 0) addresses.set(key, count);
    else addresses.delete(key);
  }

  function refuseLate() {
    const now = clock.now();
    for (const { rank, line } of lines)
      for (let guest = line.first(); guest; guest = line.first()) {
        const isLate = now - guest.since > rules.waitLimits[rank];
        if (!isLate && !guest.isGone()) break;
        leave(line, guest);
        guest.refuse();
      }
  }

  function start(chosen: (typeof lines)[number] | undefined) {
    const guest = chosen?.line.first();
    if (!chosen || !guest) return;
    leave(chosen.line, guest);
    hasStarted = true;
    guest.start();
  }

  const listReady = () => lines.filter(({ rank, line }) => !line.isEmpty() && rules.canStart(rank));
  const sinceOf = ({ line }: (typeof lines)[number]) => line.first()?.since ?? Infinity;

  /** One per callback, so that all its work is done before the next one. */
  const startFirstRank = () => start(listReady()[0]);
  const startOldest = () => start(listReady().toSorted((a, b) => sinceOf(a) - sinceOf(b))[0]);

  function schedule() {
    if (isScheduled) return;
    isScheduled = true;
    hasStarted = false;
    for (let index = 1; index < PER_TURN; index += 1) clock.soon(startFirstRank);
    // Anyone can claim to play a mix, so the first rank alone must not keep out all others.
    clock.soon(startOldest);
    clock.soon(() => {
      isScheduled = false;
      refuseLate();
      if (isEmpty()) return;
      if (hasStarted) schedule();
      else clock.later(schedule);
    });
  }

  return {
    isEmpty,
    enter: (guest: Guest<R>) => {
      const key = keyOf(guest);
      const count = (addresses.get(key) ?? 0) + 1;
      if (count > rules.maxPerAddress) return guest.refuse();
      addresses.set(key, count);
      const line = lines.find(({ rank }) => rank === guest.rank)?.line;
      line?.add({ ...guest, since: clock.now() });
      schedule();
    },
  };
}

/** Too many already wait for the same thing. The message is for people. */
export class QueueFull extends Error {
  override name = 'QueueFull';
}

type QueueLimits = {
  maxRunning: number;
  /** In each line. */
  maxWaiting: number;
  /** Of one person or address, running or waiting, so that nobody fills the queue alone. */
  maxPerSubject?: number;
  /** What someone reads who comes when the queue is full. */
  refusal: string;
};

type Place = {
  /** In a line of its own, which goes first and isn't filled by others. */
  isFirst?: boolean;
  /** For whom. */
  subjects?: readonly string[];
};

/** Runs tasks in their order, a few at a time, and refuses one if too many wait. */
export function createQueue({ maxRunning, maxWaiting, maxPerSubject, refusal }: QueueLimits) {
  const first: (() => void)[] = [];
  const others: (() => void)[] = [];
  const counts = new Map<string, number>();
  let running = 0;

  function count(subjects: readonly string[], change: 1 | -1) {
    for (const subject of subjects) {
      const next = (counts.get(subject) ?? 0) + change;
      if (next > 0) counts.set(subject, next);
      else counts.delete(subject);
    }
  }

  return async <T>(
    task: () => Promise<T>,
    { isFirst = false, subjects = [] }: Place = {},
  ): Promise<T> => {
    const line = isFirst ? first : others;
    const limit = maxPerSubject ?? Infinity;
    const isOneTooMany =
      subjects.some((subject) => (counts.get(subject) ?? 0) >= limit) ||
      (running >= maxRunning && line.length >= maxWaiting);
    if (isOneTooMany) throw new QueueFull(refusal);
    count(subjects, 1);
    if (running >= maxRunning) await new Promise<void>((start) => line.push(start));
    else running += 1;
    try {
      return await task();
    } finally {
      count(subjects, -1);
      // The next task takes the place of this one.
      const next = first.shift() ?? others.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

export type Clock = {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Runs once after the delay, unless the returned function is called before. */
  after(ms: number, run: () => void): () => void;
};

export const browserClock: Clock = {
  now: () => Date.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

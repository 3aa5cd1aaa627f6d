/** Counts the seconds someone really listened: no seeks, no pauses, no waiting for data. */
export type ListeningClock = {
  readonly listenedSeconds: number;
  readonly reportedSeconds: number;
  readonly last: { readonly at: number; readonly time: number } | null;
};

const HEARTBEAT_SECONDS = 10;

export const newListeningClock: ListeningClock = {
  listenedSeconds: 0,
  reportedSeconds: 0,
  last: null,
};

/**
 * `at` is the wall clock in milliseconds, `time` the second of the file. Whichever moved less since
 * the last tick is the time listened: a seek moves only `time`, a pause or a stall only the clock.
 */
export function tick(clock: ListeningClock, at: number, time: number): ListeningClock {
  const { last } = clock;
  const listened = last ? Math.max(0, Math.min((at - last.at) / 1000, time - last.time)) : 0;
  return { ...clock, listenedSeconds: clock.listenedSeconds + listened, last: { at, time } };
}

/** The next tick only marks where counting starts again. */
export const interrupt = (clock: ListeningClock): ListeningClock => ({ ...clock, last: null });

export const isHeartbeatDue = ({ listenedSeconds, reportedSeconds }: ListeningClock): boolean =>
  listenedSeconds - reportedSeconds >= HEARTBEAT_SECONDS;

export const hasUnreported = ({ listenedSeconds, reportedSeconds }: ListeningClock): boolean =>
  listenedSeconds > reportedSeconds;

export const markReported = (clock: ListeningClock): ListeningClock => ({
  ...clock,
  reportedSeconds: clock.listenedSeconds,
});

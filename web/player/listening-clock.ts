/** Seconds of a track that were really heard: neither seeks, nor pauses, nor waiting for data. */
export type ListeningClock = {
  readonly listenedSeconds: number;
  readonly reportedSeconds: number;
  readonly last: { readonly at: number; readonly time: number } | null;
};

export const HEARTBEAT_SECONDS = 10;

export const newListeningClock: ListeningClock = {
  listenedSeconds: 0,
  reportedSeconds: 0,
  last: null,
};

/**
 * `at` is the wall clock in milliseconds, `time` the second of the file. Whichever moved less since
 * the last tick is what was heard: a jump moves only the time, a pause or a stall only the clock.
 */
export function tick(clock: ListeningClock, at: number, time: number): ListeningClock {
  const { last } = clock;
  const heard = last ? Math.max(0, Math.min((at - last.at) / 1000, time - last.time)) : 0;
  return { ...clock, listenedSeconds: clock.listenedSeconds + heard, last: { at, time } };
}

/** The next tick only says where counting begins again. */
export const interrupt = (clock: ListeningClock): ListeningClock => ({ ...clock, last: null });

export const isHeartbeatDue = ({
  listenedSeconds: heard,
  reportedSeconds: reported,
}: ListeningClock): boolean => heard - reported >= HEARTBEAT_SECONDS;

export const hasUnreported = ({
  listenedSeconds: heard,
  reportedSeconds: reported,
}: ListeningClock): boolean => heard > reported;

export const markReported = (clock: ListeningClock): ListeningClock => ({
  ...clock,
  reportedSeconds: clock.listenedSeconds,
});

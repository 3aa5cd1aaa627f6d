import type { Track } from '#contract/tracks.ts';
import type { Clock } from '#web/player/clock.ts';
import { positionInTrack } from '#web/player/preview-limit.ts';
import type { ListeningEvent, ListeningEvents } from './listening-events.ts';

export type Heartbeat = { secondsListened: number; position: number };

export type PlayReportPorts = {
  recordPlay(track: Track): Promise<{ playId: string }>;
  sendHeartbeat(playId: string, heartbeat: Heartbeat): Promise<unknown>;
  /** The server knows where playback of the track stopped. */
  onReported?(track: Track): void;
};

type Options = PlayReportPorts & {
  listeningEvents: ListeningEvents;
  clock: Clock;
  log(message: string, cause?: unknown): void;
};

type Session = {
  track: Track;
  playId: Promise<string | null>;
  clock: ListeningClock;
  time: number;
};

/**
 * Records every start of playback. All listening within one load counts towards its first record, so
 * that someone who pauses still reaches the time after which a play is counted.
 */
export function createPlayReports({
  listeningEvents,
  clock,
  log,
  recordPlay,
  sendHeartbeat,
  onReported,
}: Options) {
  let session: Session | null = null;

  const record = (track: Track): Promise<string | null> =>
    recordPlay(track).then(
      ({ playId }) => playId,
      (cause: unknown) => {
        log(`Could not record the play of ${track.title}`, cause);
        return null;
      },
    );

  /** True if the server has it. */
  async function report(from: Session): Promise<boolean> {
    const heartbeat = {
      secondsListened: from.clock.listenedSeconds,
      position: positionInTrack(from.track, from.time),
    };
    from.clock = markReported(from.clock);
    try {
      const playId = await from.playId;
      if (playId === null) return false;
      await sendHeartbeat(playId, heartbeat);
      return true;
    } catch (cause) {
      log(`Could not report listening to ${from.track.title}`, cause);
      return false;
    }
  }

  function flush(): void {
    if (!session || !hasUnreported(session.clock)) return;
    const { track } = session;
    void report(session).then((isReported) => isReported && onReported?.(track));
  }

  function receiveStart({ track, isResume }: Extract<ListeningEvent, { type: 'started' }>): void {
    const playId = record(track);
    if (isResume && session?.track.id === track.id) {
      const earlier = session.playId;
      session.playId = earlier.then((id) => id ?? playId);
      session.track = track;
      session.clock = interrupt(session.clock);
    } else {
      session = { track, playId, clock: newListeningClock, time: 0 };
    }
  }

  function receive(event: ListeningEvent): void {
    if (event.type === 'started') return receiveStart(event);
    if (!session) return;
    if (event.type === 'progress') {
      session.clock = tick(session.clock, clock.now(), event.time);
      session.time = event.time;
      if (isHeartbeatDue(session.clock)) void report(session);
      return;
    }
    session.clock = interrupt(session.clock);
    if (event.type === 'stopped') session.time = event.time;
    // The last progress may have been reported before the end was reached.
    if (event.type === 'finished' && event.track.access === 'full')
      session.time = event.track.duration;
    if (event.type !== 'seeked') flush();
  }

  const unsubscribe = listeningEvents.subscribe(receive);
  return {
    /** Reports what isn't reported yet, before the page is closed. */
    flush,
    dispose() {
      flush();
      unsubscribe();
    },
  };
}

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

const hasUnreported = ({ listenedSeconds, reportedSeconds }: ListeningClock): boolean =>
  listenedSeconds > reportedSeconds;

export const markReported = (clock: ListeningClock): ListeningClock => ({
  ...clock,
  reportedSeconds: clock.listenedSeconds,
});

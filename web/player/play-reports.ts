import type { Track } from '#contract/tracks.ts';
import type { Clock } from './clock.ts';
import {
  breakOff,
  freshListeningClock,
  hasUnreported,
  isHeartbeatDue,
  markReported,
  tick,
  type ListeningClock,
} from './listening-clock.ts';
import { positionInMix } from './preview-limit.ts';
import type { Signal, Signals } from './signals.ts';

export type Heartbeat = { secondsHeard: number; position: number };

export type PlayReportPorts = {
  recordPlay(track: Track): Promise<{ playId: string }>;
  sendHeartbeat(playId: string, heartbeat: Heartbeat): Promise<unknown>;
};

type Options = PlayReportPorts & {
  signals: Signals;
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
 * Every start of playback is recorded. What is heard of one load counts towards its first record,
 * so that a listener who pauses is not a listener who never reached the counting mark.
 */
export function createPlayReports({ signals, clock, log, recordPlay, sendHeartbeat }: Options) {
  let session: Session | null = null;

  const record = (track: Track): Promise<string | null> =>
    recordPlay(track).then(
      ({ playId }) => playId,
      (cause: unknown) => {
        log(`Could not record the play of ${track.title}`, cause);
        return null;
      },
    );

  function report(from: Session): void {
    const heartbeat = {
      secondsHeard: from.clock.heard,
      position: positionInMix(from.track, from.time),
    };
    from.clock = markReported(from.clock);
    from.playId
      .then((playId) => (playId === null ? undefined : sendHeartbeat(playId, heartbeat)))
      .catch((cause: unknown) => log(`Could not report listening to ${from.track.title}`, cause));
  }

  function flush(): void {
    if (session && hasUnreported(session.clock)) report(session);
  }

  function receiveStart({ track, isResume }: Extract<Signal, { type: 'started' }>): void {
    const playId = record(track);
    if (isResume && session?.track.id === track.id) {
      const earlier = session.playId;
      session.playId = earlier.then((id) => id ?? playId);
      session.track = track;
      session.clock = breakOff(session.clock);
    } else {
      session = { track, playId, clock: freshListeningClock, time: 0 };
    }
  }

  function receive(signal: Signal): void {
    if (signal.type === 'started') return receiveStart(signal);
    if (!session) return;
    if (signal.type === 'progress') {
      session.clock = tick(session.clock, clock.now(), signal.time);
      session.time = signal.time;
      if (isHeartbeatDue(session.clock)) report(session);
      return;
    }
    session.clock = breakOff(session.clock);
    if (signal.type === 'rested') session.time = signal.time;
    if (signal.type !== 'jumped') flush();
  }

  const unsubscribe = signals.subscribe(receive);
  return {
    /** Sends what was heard and not yet told, for a page that is about to go. */
    flush,
    dispose() {
      flush();
      unsubscribe();
    },
  };
}

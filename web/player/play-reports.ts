import type { Track } from '#contract/tracks.ts';
import type { Clock } from './clock.ts';
import {
  interrupt,
  newListeningClock,
  hasUnreported,
  isHeartbeatDue,
  markReported,
  tick,
  type ListeningClock,
} from './listening-clock.ts';
import { positionInTrack } from './preview-limit.ts';
import type { ListeningEvent, ListeningEvents } from './listening-events.ts';

export type Heartbeat = { secondsListened: number; position: number };

export type PlayReportPorts = {
  recordPlay(track: Track): Promise<{ playId: string }>;
  sendHeartbeat(playId: string, heartbeat: Heartbeat): Promise<unknown>;
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
 * Every start of playback is recorded. What is heard of one load counts towards its first record,
 * so that a listener who pauses is not a listener who never reached the counting mark.
 */
export function createPlayReports({
  listeningEvents,
  clock,
  log,
  recordPlay,
  sendHeartbeat,
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

  function report(from: Session): void {
    const heartbeat = {
      secondsListened: from.clock.listenedSeconds,
      position: positionInTrack(from.track, from.time),
    };
    from.clock = markReported(from.clock);
    from.playId
      .then((playId) => (playId === null ? undefined : sendHeartbeat(playId, heartbeat)))
      .catch((cause: unknown) => log(`Could not report listening to ${from.track.title}`, cause));
  }

  function flush(): void {
    if (session && hasUnreported(session.clock)) report(session);
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

  function receive(signal: ListeningEvent): void {
    if (signal.type === 'started') return receiveStart(signal);
    if (!session) return;
    if (signal.type === 'progress') {
      session.clock = tick(session.clock, clock.now(), signal.time);
      session.time = signal.time;
      if (isHeartbeatDue(session.clock)) report(session);
      return;
    }
    session.clock = interrupt(session.clock);
    if (signal.type === 'stopped') session.time = signal.time;
    if (signal.type !== 'seeked') flush();
  }

  const unsubscribe = listeningEvents.subscribe(receive);
  return {
    /** Sends what was heard and not yet told, for a page that is about to go. */
    flush,
    dispose() {
      flush();
      unsubscribe();
    },
  };
}

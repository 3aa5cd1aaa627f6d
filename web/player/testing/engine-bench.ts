import type { Track } from '#contract/tracks.ts';
import { createEngine } from '../engine.ts';
import type { ListeningEvent } from '../session/listening-events.ts';
import { createSimulatedClock } from './simulated-clock.ts';
import { createSimulatedOutput } from './simulated-output.ts';

/** An engine with simulated outputs, and a record of everything it reports. */
export function createEngineBench(resumeAt: (track: Track) => number = () => 0) {
  const output = createSimulatedOutput();
  const spare = createSimulatedOutput();
  const clock = createSimulatedClock();
  const logs: string[] = [];
  const previewEnds: string[] = [];
  const freshTrackRequests: string[] = [];
  const listeningEvents: ListeningEvent[] = [];
  /** `a skipped`, `then b waiting`: tracks that couldn't be played, and what the engine did then. */
  const failures: string[] = [];
  const device = { isOnline: true };
  const engine = createEngine({
    output,
    spare,
    clock,
    resumeAt,
    log: (message) => void logs.push(message),
    isOnline: () => device.isOnline,
    announceFailure: ({ track, outcome, isAfterFailure }) =>
      void failures.push(`${isAfterFailure ? 'then ' : ''}${track.id} ${outcome}`),
    announcePreviewEnd: (track) => void previewEnds.push(track.id),
    requestFreshTracks: (tracks) => void freshTrackRequests.push(...tracks.map(({ id }) => id)),
  });
  engine.listeningEvents.subscribe((event) => void listeningEvents.push(event));

  const state = () => engine.store.get();
  /** The ids of the tracks that were reported as started, in order. */
  const starts = () =>
    listeningEvents.filter(({ type }) => type === 'started').map(({ track }) => track.id);
  const loadMetadata = (duration = state().currentTrack?.duration ?? 0) =>
    output.emit({ type: 'loadedmetadata', duration });
  /** Metadata arrives and playback starts. */
  const sound = () => {
    loadMetadata();
    output.emit({ type: 'playing' });
  };
  const reach = (time: number) => output.emit({ type: 'timeupdate', time });

  return {
    engine,
    output,
    spare,
    clock,
    device,
    logs,
    failures,
    previewEnds,
    freshTrackRequests,
    listeningEvents,
    state,
    starts,
    loadMetadata,
    sound,
    reach,
  };
}

import type { Track } from '#contract/tracks.ts';
import { createEngineBench } from './engine-bench.ts';

export function createSubscriberBench(resumeAt?: (track: Track) => number) {
  const bench = createEngineBench(resumeAt);
  bench.engine.setSubscriber(true);
  return bench;
}

/** The tracks are queued and the first one sounds. */
export function playQueue(...tracks: Track[]) {
  const bench = createSubscriberBench();
  bench.engine.playTracks(tracks);
  bench.sound();
  return bench;
}

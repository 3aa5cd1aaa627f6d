import { parentPort, workerData } from 'node:worker_threads';
import type { SynthTrack } from './music/arrangement.ts';
import { renderWav } from './render-wav.ts';

/** The thread of render-wav-in-worker.ts: renders one track and reports its progress. */
const { track, path } = workerData as { track: SynthTrack; path: string };

await renderWav(track, path, {
  onProgress: (share) => parentPort?.postMessage(share),
});

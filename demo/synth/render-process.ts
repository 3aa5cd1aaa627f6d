import type { SynthTrack } from './music/arrangement.ts';
import { renderWav } from './render-wav.ts';

/** The process of render-wav-in-process.ts: renders one track and prints its progress. */
const { track, path } = JSON.parse(process.argv[2] ?? '') as { track: SynthTrack; path: string };

// The input ends when the server is killed. `process.exit` would wait for threads, which can hang.
process.stdin.once('end', () => process.kill(process.pid, 'SIGKILL')).resume();
process.stdin.unref();

await renderWav(track, path, {
  onProgress: (share) => process.stdout.write(`${share}\n`),
});

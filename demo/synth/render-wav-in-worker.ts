import { rm } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import type { SynthTrack } from './music/arrangement.ts';
import type { RenderOptions } from './render-wav.ts';

/** `renderWav` in its own thread, so that the server stays responsive. */
export async function renderWavInWorker(
  track: SynthTrack,
  path: string,
  { onProgress, signal }: RenderOptions = {},
): Promise<void> {
  signal?.throwIfAborted();
  const { seed, genre, bpm, key, duration, chapters } = track;
  const workerData = {
    track: { seed, genre, bpm, key, duration, chapters: chapters.map(({ at }) => ({ at })) },
    path,
  };
  const worker = new Worker(new URL('./render-worker.ts', import.meta.url), { workerData });
  const ended = new Promise<void>((resolve, reject) => {
    worker.on('message', (share: number) => onProgress?.(share));
    worker.once('error', reject);
    worker.once('exit', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`The synthesiser’s thread exited with code ${code}.`));
    });
  });
  const stop = () => void worker.terminate();
  signal?.addEventListener('abort', stop, { once: true });
  try {
    await ended;
  } catch (error) {
    await rm(`${path}.part`, { force: true });
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

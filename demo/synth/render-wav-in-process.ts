import { rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { buildScriptCommand, startInBackground } from '#server/background/background-process.ts';
import type { SynthTrack } from './music/arrangement.ts';
import type { RenderOptions } from './render-wav.ts';

const SCRIPT = new URL('./render-process.ts', import.meta.url);

/** `renderWav` in a process that ends, so that the server stays responsive and small. */
export async function renderWavInProcess(
  track: SynthTrack,
  path: string,
  { onProgress, signal }: RenderOptions = {},
): Promise<void> {
  signal?.throwIfAborted();
  const { seed, genre, bpm, key, duration, chapters } = track;
  const recipe = { seed, genre, bpm, key, duration, chapters: chapters.map(({ at }) => ({ at })) };
  const script = buildScriptCommand(SCRIPT, JSON.stringify({ track: recipe, path }));
  const child = startInBackground(script.command, script.args, script.env);
  signal?.addEventListener('abort', child.stop, { once: true });
  createInterface({ input: child.stdout }).on('line', (share) => onProgress?.(Number(share)));
  try {
    const [{ code }, errors] = await Promise.all([child.ended, text(child.stderr)]);
    if (code !== 0) throw new Error(`The synthesiser ended with code ${code}.\n${errors}`);
  } catch (error) {
    await rm(`${path}.part`, { force: true });
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener('abort', child.stop);
  }
}

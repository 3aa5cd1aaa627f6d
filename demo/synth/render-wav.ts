import { open, rename, rm } from 'node:fs/promises';
import { buildWavHeader } from '#server/ports/media/wav-header.ts';
import { toFrames, SAMPLE_RATE } from './dsp/sample.ts';
import type { SynthTrack } from './music/arrangement.ts';
import { renderBlocks, type StereoBlock } from './render-blocks.ts';

export type RenderOptions = {
  /** Called with the finished share, 0 to 1, about every two seconds of music. */
  onProgress?: (share: number) => void;
  signal?: AbortSignal;
};

const CHUNK_FRAMES = 32 * 2048;

/**
 * Renders a track into a WAV file, which gets its name only when it is complete. Memory use doesn't
 * depend on the length, and other work can run between chunks.
 */
export async function renderWav(
  track: SynthTrack,
  path: string,
  { onProgress, signal }: RenderOptions = {},
): Promise<void> {
  const partial = `${path}.part`;
  try {
    await writeWav(track, partial, (share) => {
      signal?.throwIfAborted();
      onProgress?.(share);
    });
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

async function writeWav(
  track: SynthTrack,
  path: string,
  report: (share: number) => void,
): Promise<void> {
  const frames = toFrames(track.duration);
  const chunk = new Int16Array(CHUNK_FRAMES * CHANNELS);
  report(0);
  await using file = await open(path, 'w');
  await file.writeFile(wavHeader(frames));
  let filled = 0;
  let written = 0;
  const flush = async () => {
    await file.writeFile(chunk.subarray(0, filled));
    written += filled / CHANNELS;
    filled = 0;
    report(written / frames);
  };
  for (const block of renderBlocks(track)) {
    if (filled + block.left.length * CHANNELS > chunk.length) await flush();
    filled = encodeBlock(block, chunk, filled);
  }
  await flush();
}

const CHANNELS = 2;
const BYTES_PER_SAMPLE = 2;
const BYTES_PER_FRAME = CHANNELS * BYTES_PER_SAMPLE;

const wavHeader = (frames: number): Uint8Array =>
  buildWavHeader(frames * BYTES_PER_FRAME, { sampleRate: SAMPLE_RATE });

/**
 * Interleaves a block as 16-bit PCM into `out`, starting at the sample `offset`; returns the end.
 * WAV is little-endian, like every machine the server runs on.
 */
function encodeBlock({ left, right }: StereoBlock, out: Int16Array, offset: number): number {
  let at = offset;
  for (let i = 0; i < left.length; i++) {
    out[at++] = Math.floor((left[i] as number) * 32_767 + 0.5);
    out[at++] = Math.floor((right[i] as number) * 32_767 + 0.5);
  }
  return at;
}

import { writeWavHeader } from '#server/wav-header.ts';
import { SAMPLE_RATE } from './dsp/sample.ts';
import type { StereoBlock } from './render-blocks.ts';

export const CHANNELS = 2;
const BYTES_PER_SAMPLE = 2;
export const BYTES_PER_FRAME = CHANNELS * BYTES_PER_SAMPLE;

export const wavHeader = (frames: number): Uint8Array =>
  writeWavHeader(frames * BYTES_PER_FRAME, { sampleRate: SAMPLE_RATE });

/**
 * Interleaves a block as 16-bit PCM from the sample `offset` of `out`, and says where it ended.
 * WAV is little-endian, as is every machine the server runs on.
 */
export function encodeBlock({ left, right }: StereoBlock, out: Int16Array, offset: number): number {
  let at = offset;
  for (let i = 0; i < left.length; i++) {
    out[at++] = Math.floor((left[i] as number) * 32_767 + 0.5);
    out[at++] = Math.floor((right[i] as number) * 32_767 + 0.5);
  }
  return at;
}

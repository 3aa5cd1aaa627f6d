import { SAMPLE_RATE } from './dsp/sample.ts';
import type { StereoBlock } from './render-blocks.ts';

export const WAV_HEADER_BYTES = 44;
export const CHANNELS = 2;
const BYTES_PER_SAMPLE = 2;
export const BYTES_PER_FRAME = CHANNELS * BYTES_PER_SAMPLE;

/** RIFF header of 16-bit stereo PCM. */
export function wavHeader(frames: number): Uint8Array {
  const bytes = new Uint8Array(WAV_HEADER_BYTES);
  const view = new DataView(bytes.buffer);
  const text = (at: number, value: string) =>
    new TextEncoder().encodeInto(value, bytes.subarray(at));
  const dataBytes = frames * BYTES_PER_FRAME;
  text(0, 'RIFF');
  view.setUint32(4, WAV_HEADER_BYTES - 8 + dataBytes, true);
  text(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, CHANNELS, true);
  view.setUint32(24, SAMPLE_RATE, true);
  view.setUint32(28, SAMPLE_RATE * BYTES_PER_FRAME, true);
  view.setUint16(32, BYTES_PER_FRAME, true);
  view.setUint16(34, BYTES_PER_SAMPLE * 8, true);
  text(36, 'data');
  view.setUint32(40, dataBytes, true);
  return bytes;
}

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

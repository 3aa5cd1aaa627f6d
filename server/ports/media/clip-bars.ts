import { CLIP_BARS_PER_SECOND, CLIP_RATE } from './clip-args.ts';

const CHANNELS = 2;
const FRAME_BYTES = 2 * CHANNELS;
/** Our own WAVs have 44 bytes before the samples. */
const HEADER_BYTES = 44;

/** How loud each part of a WAV of `cutSound` is, as bars from 0 to 1. The loudest is 1. */
export function measureBars(wav: Buffer): number[] {
  const samples = wav.subarray(HEADER_BYTES);
  const frames = Math.floor(samples.length / FRAME_BYTES);
  const perBar = CLIP_RATE / CLIP_BARS_PER_SECOND;
  const levels = Array.from({ length: Math.ceil(frames / perBar) }, (_, bar) => {
    const last = Math.min(frames, Math.round((bar + 1) * perBar));
    const first = Math.round(bar * perBar);
    let sum = 0;
    for (let frame = first; frame < last; frame += 1)
      for (let channel = 0; channel < CHANNELS; channel += 1)
        sum += (samples.readInt16LE(frame * FRAME_BYTES + channel * 2) / 32_768) ** 2;
    return Math.sqrt(sum / Math.max(1, (last - first) * CHANNELS));
  });
  const loudest = Math.max(...levels, 0.001);
  return levels.map((level) => level / loudest);
}

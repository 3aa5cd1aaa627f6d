import type { Sample } from '../dsp/sample.ts';
import type { BusName } from './buses.ts';

/** One sound to be heard from `frame` on, counted from the start of the mix. */
export type SoundEvent = {
  frame: number;
  sample: Sample;
  gain: number;
  /** −1 left to 1 right. */
  pan: number;
  bus: BusName;
};

/** Adds the part of a sound that falls into the block beginning at `blockStart`; false once it is over. */
export function addToBlock(
  event: SoundEvent,
  blockStart: number,
  left: Float32Array,
  right: Float32Array,
  frames: number,
): boolean {
  const { sample, gain, pan } = event;
  const offset = blockStart - event.frame;
  const from = Math.max(0, -offset);
  const to = Math.min(frames, sample.left.length - offset);
  // Balance rather than equal power: a sound in the middle keeps its level on both sides.
  const leftGain = gain * Math.min(1, 1 - pan);
  const rightGain = gain * Math.min(1, 1 + pan);
  addScaled(sample.left, leftGain, left, from, to, offset);
  addScaled(sample.right, rightGain, right, from, to, offset);
  return sample.left.length - offset > frames;
}

function addScaled(
  data: Float32Array,
  gain: number,
  out: Float32Array,
  from: number,
  to: number,
  offset: number,
): void {
  for (let i = from; i < to; i++) {
    out[i] = (out[i] as number) + (data[i + offset] as number) * gain;
  }
}

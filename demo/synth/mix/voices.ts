import type { Sample } from '../dsp/sample.ts';
import type { BusName } from './buses.ts';

/** A sound that starts at `frame`, counted from the start of the track. */
export type SoundEvent = {
  frame: number;
  sample: Sample;
  gain: number;
  /** −1 left to 1 right. */
  pan: number;
  bus: BusName;
};

/** Adds the part of a sound within the block that starts at `blockStart`; false if the sound ends there. */
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
  // Balance rather than equal power: a centred sound has its full level on both sides.
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

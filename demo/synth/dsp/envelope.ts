import { SAMPLE_RATE } from './sample.ts';

type Envelope = {
  attack: number;
  decay: number;
  sustain: number;
  release: number;
};

/** Attack, decay, sustain while held, release; curves are exponential except the attack. */
export function applyEnvelope(
  data: Float32Array,
  heldSeconds: number,
  { attack, decay, sustain, release }: Envelope,
): Float32Array {
  const attackFrames = Math.max(1, attack * SAMPLE_RATE);
  const heldFrames = heldSeconds * SAMPLE_RATE;
  const fall = Math.exp(-1 / (decay * SAMPLE_RATE));
  const end = Math.exp(-1 / (release * SAMPLE_RATE));
  let level = 0;
  for (let i = 0; i < data.length; i++) {
    if (i >= heldFrames) level *= end;
    else if (i < attackFrames) level = (i + 1) / attackFrames;
    else level = sustain + (level - sustain) * fall;
    data[i] = (data[i] as number) * level;
  }
  return data;
}

/** A release takes about seven time constants to fade to −60 dB. */
export const ringSeconds = (heldSeconds: number, release: number): number =>
  heldSeconds + release * 7;

/** Tape-like saturation: adds odd harmonics so that small speakers can play low notes. */
export function saturate(data: Float32Array, drive: number): Float32Array {
  for (let i = 0; i < data.length; i++) data[i] = Math.tanh((data[i] as number) * drive);
  return data;
}

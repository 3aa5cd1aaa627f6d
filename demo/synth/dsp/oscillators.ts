import type { Random } from '#contract/rules/random.ts';
import { SAMPLE_RATE } from './sample.ts';

const TABLE_SIZE = 4096;
const sineTable = Float64Array.from({ length: TABLE_SIZE + 1 }, (_, i) =>
  Math.sin((2 * Math.PI * i) / TABLE_SIZE),
);

/** Sine of a phase in turns, from a table: several times faster than Math.sin, with errors under −120 dB. */
export function sine(phase: number): number {
  const at = (phase - Math.floor(phase)) * TABLE_SIZE;
  const index = at | 0;
  const low = sineTable[index] as number;
  return low + ((sineTable[index + 1] as number) - low) * (at - index);
}

/** Smooths a jump over two samples (polyBLEP) to avoid aliasing. */
function smoothJump(phase: number, step: number): number {
  if (phase < step) {
    const t = phase / step;
    return t + t - t * t - 1;
  }
  if (phase > 1 - step) {
    const t = (phase - 1) / step;
    return t * t + t + t + 1;
  }
  return 0;
}

export function addSaw(out: Float32Array, frequency: number, gain: number, phase = 0): void {
  const step = frequency / SAMPLE_RATE;
  let at = phase % 1;
  for (let i = 0; i < out.length; i++) {
    out[i] = (out[i] as number) + gain * (2 * at - 1 - smoothJump(at, step));
    at += step;
    if (at >= 1) at -= 1;
  }
}

export function addSquare(out: Float32Array, frequency: number, gain: number, width = 0.5): void {
  const step = frequency / SAMPLE_RATE;
  const offset = 2 * width - 1;
  let at = 0;
  for (let i = 0; i < out.length; i++) {
    const falling = at < width ? at + 1 - width : at - width;
    const square = (at < width ? 1 : -1) + smoothJump(at, step) - smoothJump(falling, step);
    out[i] = (out[i] as number) + gain * (square - offset);
    at += step;
    if (at >= 1) at -= 1;
  }
}

export function addSine(out: Float32Array, frequency: number, gain: number, phase = 0): void {
  const step = frequency / SAMPLE_RATE;
  let at = phase;
  for (let i = 0; i < out.length; i++) {
    out[i] = (out[i] as number) + gain * sine(at);
    at += step;
  }
}

export function addNoise(out: Float32Array, random: Random, gain: number): void {
  for (let i = 0; i < out.length; i++) out[i] = (out[i] as number) + gain * (random() * 2 - 1);
}

import { applyEnvelope, ringSeconds } from '../dsp/envelope.ts';
import { filterInPlace } from '../dsp/filters.ts';
import { addSaw, addSine, sine } from '../dsp/oscillators.ts';
import { fadeEdges, normalise, SAMPLE_RATE, toFrames, type Sample } from '../dsp/sample.ts';

const stereo = (seconds: number): Sample => {
  const frames = toFrames(seconds);
  return { left: new Float32Array(frames), right: new Float32Array(frames) };
};

const finish = (sample: Sample, fadeOut = 0.01): Sample => {
  fadeEdges(sample.left, 0.001, fadeOut);
  fadeEdges(sample.right, 0.001, fadeOut);
  return normalise(sample);
};

/** Electric piano: a tone that gets softer as it rings, a tine on top, a slow tremolo between the sides. */
export function renderElectricPiano(frequencies: readonly number[], seconds: number): Sample {
  const sample = stereo(ringSeconds(seconds, 0.16));
  const { left, right } = sample;
  for (const [n, frequency] of frequencies.entries()) {
    const step = frequency / SAMPLE_RATE;
    const pan = 0.5 + (n - (frequencies.length - 1) / 2) * 0.09;
    let phase = n * 0.13;
    let index = 0.34;
    let tine = 0.2;
    for (let i = 0; i < left.length; i++) {
      const tone = sine(phase + index * sine(phase)) + tine * sine(phase * 7);
      left[i] = (left[i] as number) + tone * (1 - pan);
      right[i] = (right[i] as number) + tone * pan;
      phase += step;
      index *= 0.999_965;
      tine *= 0.999_72;
    }
  }
  for (let i = 0; i < left.length; i++) {
    const sway = 0.16 * sine((4.6 * i) / SAMPLE_RATE);
    left[i] = (left[i] as number) * (1 + sway);
    right[i] = (right[i] as number) * (1 - sway);
  }
  const shape = { attack: 0.003, decay: 1.1, sustain: 0.12, release: 0.16 };
  applyEnvelope(left, seconds, shape);
  applyEnvelope(right, seconds, shape);
  return finish(sample);
}

type StabShape = { cutoff: number; opening: number; openingTime: number; release: number };

/** Slightly detuned saws on each side, through a filter that closes quickly. */
export const createStab =
  ({ cutoff, opening, openingTime, release }: StabShape) =>
  (frequencies: readonly number[], seconds: number): Sample => {
    const sample = stereo(ringSeconds(seconds, release));
    for (const [n, frequency] of frequencies.entries()) {
      addSaw(sample.left, frequency * 0.9975, 0.25, n * 0.31);
      addSaw(sample.right, frequency * 1.0025, 0.25, n * 0.31 + 0.5);
    }
    for (const side of [sample.left, sample.right]) {
      filterInPlace(side, 'low', (t) => cutoff + opening * Math.exp(-t / openingTime), 1.1);
      filterInPlace(side, 'high', 170);
      applyEnvelope(side, seconds, { attack: 0.002, decay: 0.35, sustain: 0.35, release });
    }
    return finish(sample);
  };

/** House organ: drawbars of pure sines with a percussive second. */
export function renderOrgan(frequencies: readonly number[], seconds: number): Sample {
  const sample = stereo(ringSeconds(seconds, 0.05));
  for (const [n, frequency] of frequencies.entries()) {
    for (const [ratio, gain] of [
      [1, 0.5],
      [2, 0.32],
      [3, 0.16],
      [4, 0.09],
    ] as const) {
      addSine(sample.left, frequency * ratio * 0.9993, gain, n * 0.17);
      addSine(sample.right, frequency * ratio * 1.0007, gain, n * 0.17 + 0.2);
    }
  }
  for (const side of [sample.left, sample.right]) {
    applyEnvelope(side, seconds, { attack: 0.004, decay: 0.12, sustain: 0.55, release: 0.05 });
  }
  return finish(sample);
}

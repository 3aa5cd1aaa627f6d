import { applyEnvelope, ringSeconds } from '../dsp/envelope.ts';
import { filterInPlace } from '../dsp/filters.ts';
import { addSaw, addSine } from '../dsp/oscillators.ts';
import { fadeEdges, normalise, toFrames, type Sample } from '../dsp/sample.ts';

export type PadShape = {
  /** The filter's mean cutoff in Hz. */
  cutoff: number;
  attack: number;
  release: number;
  /** How many times per second the filter opens and closes. */
  motion: number;
};

/** A wide background: detuned saws on both sides, a slowly moving filter, and a sine for warmth. */
export const createPad =
  ({ cutoff, attack, release, motion }: PadShape) =>
  (frequencies: readonly number[], seconds: number): Sample => {
    const frames = toFrames(ringSeconds(seconds, release * 0.7));
    const sample = { left: new Float32Array(frames), right: new Float32Array(frames) };
    for (const [n, frequency] of frequencies.entries()) {
      addSaw(sample.left, frequency * 0.9964, 0.2, n * 0.37);
      addSaw(sample.right, frequency * 1.0036, 0.2, n * 0.37 + 0.41);
      addSine(sample.left, frequency * 1.001, 0.14, n * 0.2);
      addSine(sample.right, frequency * 0.999, 0.14, n * 0.2 + 0.25);
    }
    for (const [n, side] of [sample.left, sample.right].entries()) {
      const breath = (t: number) => cutoff * (1 + 0.35 * Math.sin(2 * Math.PI * motion * t + n));
      filterInPlace(side, 'low', breath, 0.75);
      filterInPlace(side, 'high', 150);
      applyEnvelope(side, seconds, { attack, decay: 2, sustain: 0.85, release });
      fadeEdges(side, 0.001, release);
    }
    return normalise(sample);
  };

import { applyEnvelope, ringSeconds, saturate } from '../dsp/envelope.ts';
import { filterInPlace } from '../dsp/filters.ts';
import { addSaw, addSine, addSquare } from '../dsp/oscillators.ts';
import { fadeEdges, mono, normalise, toFrames, type Sample } from '../dsp/sample.ts';

type BassShape = {
  /** A saw when left out. */
  wave?: 'square';
  /** The level of the sine under the wave, 0 to 1. */
  sub: number;
  /** The filter's cutoff in Hz, and how far above it each note opens it. */
  cutoff: number;
  opening: number;
  openingTime: number;
  resonance?: number;
  drive: number;
  release?: number;
};

/** A filtered analogue-style bass over a sine. */
export const createBass =
  (shape: BassShape) =>
  (frequency: number, seconds: number): Sample => {
    const release = shape.release ?? 0.035;
    const data = new Float32Array(toFrames(ringSeconds(seconds, release)));
    if (shape.wave === 'square') addSquare(data, frequency, 0.4);
    else addSaw(data, frequency, 0.5, 0.5);
    const { cutoff, opening, openingTime, resonance = 0.9 } = shape;
    filterInPlace(data, 'low', (t) => cutoff + opening * Math.exp(-t / openingTime), resonance);
    addSine(data, frequency, shape.sub);
    saturate(data, shape.drive);
    applyEnvelope(data, seconds, { attack: 0.004, decay: 0.5, sustain: 0.75, release });
    return normalise(mono(fadeEdges(data)));
  };

/** Two detuned saws through a slow filter, over a steady sub. */
export function renderReese(frequency: number, seconds: number): Sample {
  const data = new Float32Array(toFrames(ringSeconds(seconds, 0.05)));
  addSaw(data, frequency * 1.0071, 0.3, 0.2);
  addSaw(data, frequency * 0.9931, 0.3, 0.7);
  addSaw(data, frequency * 2.004, 0.1, 0.4);
  filterInPlace(data, 'low', (t) => 430 + 260 * Math.sin(t * 5.1), 1.1);
  saturate(data, 1.6);
  addSine(data, frequency, 0.62);
  applyEnvelope(data, seconds, { attack: 0.008, decay: 0.8, sustain: 0.85, release: 0.05 });
  return normalise(mono(fadeEdges(data)));
}

/** The warehouse floor: a sub that swells after each kick instead of on it. */
export function renderRumble(frequency: number, seconds: number): Sample {
  const data = new Float32Array(toFrames(ringSeconds(seconds, 0.04)));
  addSine(data, frequency, 0.8);
  addSaw(data, frequency, 0.25);
  filterInPlace(data, 'low', 210, 0.9);
  saturate(data, 2.2);
  applyEnvelope(data, seconds, { attack: 0.03, decay: 0.3, sustain: 0.6, release: 0.04 });
  return normalise(mono(fadeEdges(data)));
}

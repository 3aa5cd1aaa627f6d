import { filterInPlace } from '../dsp/filters.ts';
import { addNoise, sine } from '../dsp/oscillators.ts';
import { createRandom } from '#contract/rules/random.ts';
import { fadeEdges, mono, normalise, SAMPLE_RATE, toFrames, type Sample } from '../dsp/sample.ts';

function shapeNoise(
  seed: number,
  seconds: number,
  levelAt: (progress: number) => number,
  cutoffAt: (progress: number) => number,
  mode: 'band' | 'low' = 'band',
): Sample {
  const side = (n: number) => {
    const data = new Float32Array(toFrames(seconds));
    addNoise(data, createRandom(seed + n), 1);
    filterInPlace(data, mode, (t) => cutoffAt(t / seconds), 1.1);
    for (let i = 0; i < data.length; i++) {
      data[i] = (data[i] as number) * levelAt(i / data.length);
    }
    return fadeEdges(data, 0.01, 0.02);
  };
  return normalise({ left: side(0), right: side(1) });
}

/** Noise that rises into a drop. */
export const renderRiser = (seed: number, seconds: number): Sample =>
  shapeNoise(
    seed,
    seconds,
    (p) => p ** 2.2,
    (p) => 350 * 20 ** p,
  );

/** Noise that falls into a break. */
export const renderFall = (seed: number, seconds: number): Sample =>
  shapeNoise(
    seed,
    seconds,
    (p) => (1 - p) ** 2,
    (p) => 6000 * 0.05 ** p,
  );

/** One wave on a beach: it comes, breaks and draws back. */
export const renderWave = (seed: number, seconds: number): Sample =>
  shapeNoise(
    seed,
    seconds,
    (p) => Math.sin(Math.PI * p ** 0.7) ** 2,
    (p) => 500 + 1900 * Math.sin(Math.PI * p ** 0.7),
    'low',
  );

/** Dust in the groove of a record. */
export function renderCrackle(seed: number, seconds: number): Sample {
  const random = createRandom(seed);
  const data = new Float32Array(toFrames(seconds));
  addNoise(data, random, 0.018);
  for (let i = 0; i < data.length; i++) {
    if (random() < 0.0004) data[i] = (random() * 2 - 1) * (0.2 + random() ** 3);
  }
  filterInPlace(data, 'band', 3800, 0.6);
  return normalise(mono(fadeEdges(data, 0.02, 0.02)));
}

/** A siren a long way off. */
export function renderSiren(seconds: number, pitch: number): Sample {
  const data = new Float32Array(toFrames(seconds));
  let phase = 0;
  for (let i = 0; i < data.length; i++) {
    const progress = i / data.length;
    const wail = 1 + 0.32 * Math.sin(2 * Math.PI * progress * 2 - Math.PI / 2);
    phase += (pitch * wail) / SAMPLE_RATE;
    data[i] = Math.tanh(sine(phase) * 1.8) * Math.sin(Math.PI * progress);
  }
  return normalise(mono(fadeEdges(filterInPlace(data, 'low', 1500), 0.05, 0.05)));
}

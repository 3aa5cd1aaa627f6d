import { filterInPlace } from '../dsp/filters.ts';
import { addNoise, addSquare } from '../dsp/oscillators.ts';
import { createRandom } from '#contract/rules/random.ts';
import { fadeEdges, mono, normalise, SAMPLE_RATE, toFrames, type Sample } from '../dsp/sample.ts';

/** Six inharmonic squares sound like metal. */
const METAL = [2.05, 3.04, 3.69, 5.22, 5.4, 8.0];

export function renderHat(seed: number, decay: number, brightness = 7600): Sample {
  const random = createRandom(seed);
  const data = new Float32Array(toFrames(decay * 6));
  const base = 196 * (0.97 + random() * 0.06);
  for (const ratio of METAL) addSquare(data, base * ratio, 0.16);
  addNoise(data, random, 0.75);
  for (let i = 0; i < data.length; i++) {
    data[i] = (data[i] as number) * Math.exp(-i / SAMPLE_RATE / decay);
  }
  filterInPlace(data, 'high', brightness, 0.8);
  filterInPlace(data, 'low', 13_500);
  return normalise(mono(fadeEdges(data, 0.001, decay)));
}

/** The beads take a while to reach the wall: the soft attack makes it swing. */
export function renderShaker(seed: number, seconds = 0.07): Sample {
  const random = createRandom(seed);
  const data = new Float32Array(toFrames(seconds * 2.2));
  const rise = seconds * 0.35;
  for (let i = 0; i < data.length; i++) {
    const t = i / SAMPLE_RATE;
    const level = t < rise ? (t / rise) ** 2 : Math.exp((rise - t) / (seconds * 0.32));
    data[i] = (random() * 2 - 1) * level;
  }
  filterInPlace(data, 'band', 6200, 1.1);
  return normalise(mono(fadeEdges(filterInPlace(data, 'high', 3200), 0.001, 0.015)));
}

export function renderCrash(seed: number, decay = 0.9): Sample {
  const random = createRandom(seed);
  const side = () => {
    const data = new Float32Array(toFrames(decay * 4.5));
    for (const ratio of METAL) addSquare(data, 331 * ratio * (0.98 + random() * 0.04), 0.1);
    addNoise(data, random, 0.8);
    for (let i = 0; i < data.length; i++) {
      data[i] = (data[i] as number) * Math.exp(-i / SAMPLE_RATE / decay);
    }
    filterInPlace(data, 'high', 4200);
    return fadeEdges(filterInPlace(data, 'low', 11_000), 0.002, decay);
  };
  return normalise({ left: side(), right: side() });
}

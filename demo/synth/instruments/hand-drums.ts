import { filterInPlace } from '../dsp/filters.ts';
import { sine } from '../dsp/oscillators.ts';
import { createRandom } from '#contract/rules/random.ts';
import { fadeEdges, mono, normalise, SAMPLE_RATE, toFrames, type Sample } from '../dsp/sample.ts';

/** A skin over a shell: conga, bongo, tom or djembe, by pitch, decay and slap. */
export function renderHandDrum(pitch: number, decay: number, slap = 0.3, drive = 1.4): Sample {
  const random = createRandom(Math.round(pitch));
  const data = new Float32Array(toFrames(decay * 6));
  let phase = 0;
  for (let i = 0; i < data.length; i++) {
    const t = i / SAMPLE_RATE;
    phase += (pitch * (1 + 0.35 * Math.exp(-t / 0.018))) / SAMPLE_RATE;
    const skin = sine(phase) + 0.28 * sine(phase * 1.59) * Math.exp(-t / (decay * 0.3));
    const hand = slap * (random() * 2 - 1) * Math.exp(-t / 0.004);
    data[i] = Math.tanh((skin * Math.exp(-t / decay) + hand) * drive);
  }
  return normalise(mono(fadeEdges(data, 0.0005, decay)));
}

/** Two bars of metal a fifth apart. */
export function renderBell(pitch = 560, decay = 0.07): Sample {
  const data = new Float32Array(toFrames(decay * 6));
  for (let i = 0; i < data.length; i++) {
    const t = i / SAMPLE_RATE;
    const bars = sine(pitch * t) + 0.8 * sine(pitch * 1.504 * t) + 0.2 * sine(pitch * 2.71 * t);
    data[i] = Math.tanh(bars * 1.5) * (0.7 * Math.exp(-t / decay) + 0.3 * Math.exp(-t / 0.012));
  }
  return normalise(mono(fadeEdges(filterInPlace(data, 'band', pitch * 1.3, 0.8), 0.0005, decay)));
}

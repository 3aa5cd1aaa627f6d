import { applyEnvelope, ringSeconds } from '../dsp/envelope.ts';
import { filterInPlace } from '../dsp/filters.ts';
import { addSaw, sine } from '../dsp/oscillators.ts';
import { createRandom } from '#contract/rules/random.ts';
import {
  decayPerSample,
  fadeEdges,
  mono,
  normalise,
  SAMPLE_RATE,
  toFrames,
  type Sample,
} from '../dsp/sample.ts';

/** A struck bar: the overtone is the fourth partial for wood (marimba), a higher one for metal. */
export const createMallet =
  (partial: number, decay: number) =>
  (frequency: number): Sample => {
    const data = new Float32Array(toFrames(decay * 6));
    const random = createRandom(Math.round(frequency));
    const step = frequency / SAMPLE_RATE;
    const barFall = decayPerSample(decay);
    const overtoneFall = decayPerSample(decay * 0.22);
    const malletFall = decayPerSample(0.003);
    let phase = 0;
    let [bar, overtone, mallet] = [1, 0.32, 0.12];
    for (let i = 0; i < data.length; i++) {
      data[i] = bar * sine(phase) + overtone * sine(phase * partial) + mallet * (random() * 2 - 1);
      phase += step;
      bar *= barFall;
      overtone *= overtoneFall;
      mallet *= malletFall;
    }
    filterInPlace(data, 'low', 7500);
    return normalise(mono(fadeEdges(data, 0.001, decay)));
  };

/** A soft synth voice with a filter that closes after each note. */
export const createPluck =
  (brightness: number) =>
  (frequency: number, seconds: number): Sample => {
    const data = new Float32Array(toFrames(ringSeconds(seconds, 0.12)));
    addSaw(data, frequency, 0.4);
    addSaw(data, frequency * 1.004, 0.4, 0.5);
    filterInPlace(data, 'low', (t) => 350 + brightness * Math.exp(-t / 0.11), 1.2);
    applyEnvelope(data, seconds, { attack: 0.003, decay: 0.25, sustain: 0.25, release: 0.12 });
    return normalise(mono(fadeEdges(data, 0.001, 0.02)));
  };

/** A whistle or a distant voice: a sine with delayed vibrato. */
export function renderWhistle(frequency: number, seconds: number): Sample {
  const data = new Float32Array(toFrames(ringSeconds(seconds, 0.09)));
  let phase = 0;
  for (let i = 0; i < data.length; i++) {
    const t = i / SAMPLE_RATE;
    const vibrato = 0.008 * Math.min(1, t * 3) * sine(5.3 * t);
    phase += (frequency * (1 + vibrato - 0.05 * Math.exp(-t / 0.03))) / SAMPLE_RATE;
    data[i] = sine(phase) + 0.12 * sine(phase * 2) + 0.05 * sine(phase * 3);
  }
  applyEnvelope(data, seconds, { attack: 0.04, decay: 0.4, sustain: 0.7, release: 0.09 });
  return normalise(mono(fadeEdges(data, 0.001, 0.02)));
}

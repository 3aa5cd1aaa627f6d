import { filterInPlace } from '../dsp/filters.ts';
import { sine } from '../dsp/oscillators.ts';
import { createRandom } from '#contract/rules/random.ts';
import { fadeEdges, mono, normalise, SAMPLE_RATE, toFrames, type Sample } from '../dsp/sample.ts';

/** Several hands that don't clap quite together, then the room. */
export function renderClap(seed: number, tone = 1250, decay = 0.09): Sample {
  const random = createRandom(seed);
  const side = () => {
    const hands = [0, 0.009 + random() * 0.003, 0.02 + random() * 0.004, 0.029];
    const data = new Float32Array(toFrames(0.05 + decay * 6));
    for (let i = 0; i < data.length; i++) {
      const t = i / SAMPLE_RATE;
      let level = 0;
      for (const [n, start] of hands.entries()) {
        if (t >= start) level += Math.exp(-(t - start) / (n === 3 ? decay : 0.006));
      }
      data[i] = (random() * 2 - 1) * level;
    }
    filterInPlace(data, 'band', tone, 0.9);
    return fadeEdges(filterInPlace(data, 'high', 500), 0.0005, 0.03);
  };
  return normalise({ left: side(), right: side() });
}

export function renderSnare(seed: number, pitch = 185, decay = 0.11): Sample {
  const random = createRandom(seed);
  const noise = new Float32Array(toFrames(decay * 6));
  for (let i = 0; i < noise.length; i++) {
    noise[i] = (random() * 2 - 1) * Math.exp(-i / SAMPLE_RATE / decay);
  }
  filterInPlace(noise, 'high', 1500);
  filterInPlace(noise, 'low', 9500);
  let phase = 0;
  for (let i = 0; i < noise.length; i++) {
    const t = i / SAMPLE_RATE;
    phase += (pitch * (1 + 0.5 * Math.exp(-t / 0.012))) / SAMPLE_RATE;
    const shell = (sine(phase) + 0.5 * sine(phase * 1.78)) * Math.exp(-t / (decay * 0.7));
    noise[i] = (noise[i] as number) * 0.8 + shell * 0.75;
  }
  return normalise(mono(fadeEdges(noise, 0.0005, 0.02)));
}

/** Stick on the rim: short, dry and woody. */
export function renderRim(pitch = 1720): Sample {
  const data = new Float32Array(toFrames(0.09));
  for (let i = 0; i < data.length; i++) {
    const t = i / SAMPLE_RATE;
    const ring = sine(pitch * t) + 0.7 * sine(pitch * 0.27 * t) + 0.3 * sine(pitch * 1.58 * t);
    data[i] = Math.tanh(ring * 1.6) * Math.exp(-t / 0.012);
  }
  return normalise(mono(fadeEdges(filterInPlace(data, 'high', 350))));
}

import { sine } from '../dsp/oscillators.ts';
import { createRandom } from '#contract/rules/random.ts';
import { fadeEdges, mono, normalise, SAMPLE_RATE, toFrames, type Sample } from '../dsp/sample.ts';

type KickShape = {
  /** Hz at the end of the sweep. */
  pitch: number;
  /** How many Hz higher the sweep starts. */
  sweep: number;
  /** In seconds, like the decay. */
  sweepTime: number;
  decay: number;
  click: number;
  drive: number;
};

export function renderKick({ pitch, sweep, sweepTime, decay, click, drive }: KickShape): Sample {
  const data = new Float32Array(toFrames(decay * 5));
  const random = createRandom(17);
  let phase = 0;
  for (let i = 0; i < data.length; i++) {
    const t = i / SAMPLE_RATE;
    phase += (pitch + sweep * Math.exp(-t / sweepTime)) / SAMPLE_RATE;
    const body = Math.tanh(sine(phase) * drive) * Math.exp(-t / decay);
    const beater = click * (random() * 2 - 1) * Math.exp(-t / 0.0016);
    data[i] = body + beater;
  }
  return normalise(mono(fadeEdges(data, 0.0004, decay)));
}

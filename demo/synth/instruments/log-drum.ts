import { ringSeconds } from '../dsp/envelope.ts';
import { filterInPlace } from '../dsp/filters.ts';
import { sine } from '../dsp/oscillators.ts';
import { fadeEdges, mono, normalise, SAMPLE_RATE, toFrames, type Sample } from '../dsp/sample.ts';

/**
 * The bass of amapiano: a low sine that sounds like struck wood. Two operators, a modulator an octave
 * up with a very short decay, a falling pitch, and enough saturation for a phone speaker.
 */
export function renderLogDrum(frequency: number, seconds: number): Sample {
  const decay = 0.16 + Math.min(0.45, seconds * 0.75);
  const data = new Float32Array(toFrames(ringSeconds(seconds, 0.05)));
  let phase = 0;
  for (let i = 0; i < data.length; i++) {
    const t = i / SAMPLE_RATE;
    phase += (frequency * (1 + 1.3 * Math.exp(-t / 0.011))) / SAMPLE_RATE;
    const knock = 0.33 * Math.exp(-t / 0.045) + 0.055;
    const wood = 0.24 * sine(phase * 5.02) * Math.exp(-t / 0.028);
    const tone = sine(phase + knock * sine(phase * 2)) + wood;
    // Two low notes at once sound muddy: each ends when the next one starts.
    const held = t > seconds ? Math.exp((seconds - t) / 0.05) : 1;
    data[i] = Math.tanh(tone * 2.1 * Math.exp(-t / decay)) * held;
  }
  filterInPlace(data, 'low', (t) => 480 + 2600 * Math.exp(-t / 0.05), 0.8);
  return normalise(mono(fadeEdges(data, 0.001, 0.02)));
}

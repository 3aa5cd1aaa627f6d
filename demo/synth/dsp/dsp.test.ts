import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PingPongDelay } from './delay.ts';
import { Ducker } from './ducker.ts';
import { applyEnvelope } from './envelope.ts';
import { filterInPlace } from './filters.ts';
import { Limiter, LOOKAHEAD_FRAMES } from './limiter.ts';
import { addNoise, addSaw, sine } from './oscillators.ts';
import { createRandom } from '#contract/rules/random.ts';
import { Reverb } from './reverb.ts';
import { SAMPLE_RATE } from './sample.ts';

const peakOf = (data: Float32Array) => data.reduce((high, x) => Math.max(high, Math.abs(x)), 0);
const energyOf = (data: Float32Array) => data.reduce((sum, x) => sum + x * x, 0) / data.length;

const noise = (frames: number, seed = 1) => {
  const data = new Float32Array(frames);
  addNoise(data, createRandom(seed), 1);
  return data;
};

/** Strength of one frequency (Goertzel), as an amplitude. */
function strengthAt(data: Float32Array, frequency: number): number {
  let [re, im] = [0, 0];
  data.forEach((x, i) => {
    const window = 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / data.length);
    re += x * window * Math.cos((2 * Math.PI * frequency * i) / SAMPLE_RATE);
    im += x * window * Math.sin((2 * Math.PI * frequency * i) / SAMPLE_RATE);
  });
  return (4 * Math.hypot(re, im)) / data.length;
}

describe('oscillators', () => {
  it('compute a sine from a table without audible error', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e4, noNaN: true }), (phase) => {
        expect(Math.abs(sine(phase) - Math.sin(2 * Math.PI * phase))).toBeLessThan(1e-5);
      }),
    );
  });

  it('keep the aliases of a high saw 30 dB below it', () => {
    const frequency = 3000;
    const saw = new Float32Array(8192);
    addSaw(saw, frequency, 1);
    const folded = SAMPLE_RATE - 13 * frequency;
    expect(strengthAt(saw, folded)).toBeLessThan(strengthAt(saw, frequency) * 0.03);
  });
});

describe('filterInPlace', () => {
  it('stays stable while its cutoff jumps around', () => {
    fc.assert(
      fc.property(fc.infiniteStream(fc.integer({ min: 0, max: 30_000 })), (cutoffs) => {
        const data = filterInPlace(noise(4096), 'low', () => cutoffs.next().value ?? 0, 1.2);
        expect(peakOf(data)).toBeLessThan(12);
      }),
    );
  });

  it('removes the right frequencies', () => {
    const tone = () =>
      Float32Array.from({ length: 8192 }, (_, i) => sine((2000 * i) / SAMPLE_RATE));
    expect(strengthAt(filterInPlace(tone(), 'low', 200), 2000)).toBeLessThan(0.02);
    expect(strengthAt(filterInPlace(tone(), 'high', 200), 2000)).toBeGreaterThan(0.95);
  });
});

describe('applyEnvelope', () => {
  it('rises from silence and fades after the note ends', () => {
    const shape = { attack: 0.01, decay: 0.1, sustain: 0.5, release: 0.02 };
    const data = applyEnvelope(new Float32Array(SAMPLE_RATE).fill(1), 0.5, shape);
    expect(data[0]).toBeLessThan(0.01);
    expect(data[SAMPLE_RATE * 0.4]).toBeCloseTo(0.5, 1);
    expect(data.at(-1)).toBeLessThan(1e-6);
  });
});

describe('Limiter', () => {
  it('never exceeds its ceiling, whatever the input', () => {
    fc.assert(
      fc.property(fc.integer(), fc.double({ min: 0.1, max: 40, noNaN: true }), (seed, gain) => {
        const limiter = new Limiter(0.87);
        const random = createRandom(seed);
        const data = noise(4096, seed).map((x) => (random() < 0.02 ? x * gain * 8 : x * gain));
        limiter.process(data, data.slice(), data.length);
        expect(peakOf(data)).toBeLessThanOrEqual(0.87 + 1e-6);
      }),
    );
  });

  it('only delays quiet music by its look-ahead', () => {
    const limiter = new Limiter(0.87);
    const data = noise(2048).map((x) => x * 0.5);
    const out = data.slice();
    limiter.process(out, data.slice(), data.length);
    expect(out.subarray(LOOKAHEAD_FRAMES)).toEqual(data.subarray(0, -LOOKAHEAD_FRAMES));
  });
});

describe('Ducker', () => {
  it('opens fully on a kick and closes before the next beat', () => {
    const out = new Float32Array(SAMPLE_RATE / 2);
    new Ducker(0.1).process([100], out, out.length);
    expect(out[99]).toBe(0);
    expect(peakOf(out)).toBeCloseTo(1);
    expect(out.at(-1)).toBeLessThan(0.02);
  });
});

describe('Reverb and PingPongDelay', () => {
  it('add a tail to a clap on both sides, then fall silent', () => {
    const left = new Float32Array(SAMPLE_RATE * 4);
    const right = new Float32Array(left.length);
    const send = new Float32Array(left.length);
    send.set(noise(400), 0);
    new Reverb(1).process(send, left, right, left.length);
    new PingPongDelay(0.25, 0.4).process(send, left, right, left.length);
    for (const side of [left, right]) {
      const early = energyOf(side.subarray(0, SAMPLE_RATE));
      expect(early).toBeGreaterThan(1e-6);
      expect(energyOf(side.subarray(SAMPLE_RATE * 3))).toBeLessThan(early * 1e-4);
    }
  });
});

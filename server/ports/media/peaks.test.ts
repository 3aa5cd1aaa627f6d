import { describe, expect, it } from 'vitest';
import { createPeakMeter } from './peaks.ts';

const RATE = 8000;

/** One second per level, as 16-bit samples of a square wave. */
function buildSamples(levels: number[], seconds = 1) {
  const samples = new Int16Array(levels.length * seconds * RATE);
  for (let at = 0; at < samples.length; at += 1) {
    const level = levels[Math.floor(at / (seconds * RATE))] ?? 0;
    samples[at] = (at % 2 === 0 ? 1 : -1) * Math.round(level * 32_767);
  }
  return Buffer.from(samples.buffer);
}

function measure(bytes: Buffer, cut: (at: number) => number) {
  const meter = createPeakMeter(RATE);
  for (let at = 0; at < bytes.length;) {
    const size = cut(at);
    meter.push(bytes.subarray(at, at + size));
    at += size;
  }
  return meter.finish();
}

describe('peaks', () => {
  it('are 1,600 values from 0 to 1, the highest being 1', () => {
    const { peaks } = measure(buildSamples([0.1, 0.5, 0.2, 0.4]), () => 4096);
    expect(peaks).toHaveLength(1600);
    expect(Math.max(...peaks)).toBe(1);
    expect([peaks[200], peaks[1000], peaks[1400]]).toEqual([0.2, 0.4, 0.8]);
  });

  it('come with the duration and the energy of every second', () => {
    const { durationSeconds, energy } = measure(buildSamples([0, 0.5, 0.25]), () => 1000);
    expect(durationSeconds).toBe(3);
    expect(energy).toHaveLength(3);
    expect(energy[0]).toBe(0);
    expect(energy[1]).toBeCloseTo(0.25, 3);
    expect(energy[2]).toBeCloseTo(0.0625, 3);
  });

  it('do not depend on where the samples are split, even within one', () => {
    const bytes = buildSamples([0.3, 0.9, 0.1, 0.6], 2);
    const whole = measure(bytes, () => bytes.length);
    expect(measure(bytes, () => 4097)).toEqual(whole);
    expect(measure(bytes, (at) => 1 + (at % 7))).toEqual(whole);
  });

  it('of an hour take the same memory and keep its shape', () => {
    const meter = createPeakMeter(RATE);
    const quiet = buildSamples([0.25]);
    const loud = buildSamples([0.75]);
    for (let second = 0; second < 3600; second += 1)
      meter.push(second >= 1800 && second < 2700 ? loud : quiet);
    const { durationSeconds, peaks, energy } = meter.finish();
    expect(durationSeconds).toBe(3600);
    expect([peaks[400], peaks[1000], peaks[1500]]).toEqual([0.333, 1, 0.333]);
    expect(energy[2000]).toBeCloseTo(0.5625, 2);
    expect(energy[100]).toBeCloseTo(0.0625, 2);
  });

  it('of a very short sound are fewer', () => {
    const { peaks, durationSeconds } = measure(Buffer.alloc(32), () => 32);
    expect(durationSeconds).toBe(16 / RATE);
    expect(peaks).toEqual([0]);
  });
});

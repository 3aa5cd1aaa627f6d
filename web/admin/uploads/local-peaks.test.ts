import { expect, it } from 'vitest';
import { buildWavHeader } from '#server/ports/media/wav-header.ts';
import { computeLocalPeaks } from './local-peaks.ts';

const never = new AbortController().signal;
const RATE = 8000;

/** Ten seconds, loud from the sixth second on. */
function writeWav(bytesPerSample: 1 | 2): Blob {
  const frames = 10 * RATE;
  const header = buildWavHeader(frames * 2 * bytesPerSample, { sampleRate: RATE, bytesPerSample });
  const data = new DataView(new ArrayBuffer(frames * 2 * bytesPerSample));
  for (let frame = 0; frame < frames; frame += 1) {
    const value = (frame >= 5 * RATE ? 0.8 : 0.2) * (frame % 2 === 0 ? 1 : -1);
    for (const channel of [0, 1]) {
      const at = (frame * 2 + channel) * bytesPerSample;
      if (bytesPerSample === 1) data.setUint8(at, 128 + Math.round(value * 127));
      else data.setInt16(at, Math.round(value * 32_767), true);
    }
  }
  return new Blob([header as Uint8Array<ArrayBuffer>, data.buffer]);
}

/** The same as a 24-bit AIFF. */
function writeAiff(): Blob {
  const frames = 10 * RATE;
  const head = new DataView(new ArrayBuffer(54));
  const text = (at: number, value: string) =>
    [...value].forEach((letter, i) => head.setUint8(at + i, letter.charCodeAt(0)));
  text(0, 'FORM');
  head.setUint32(4, 46 + frames * 3);
  text(8, 'AIFFCOMM');
  head.setUint32(16, 18);
  head.setUint16(20, 1);
  head.setUint32(22, frames);
  head.setUint16(26, 24);
  // 8000 = 1.953125 × 2^12
  head.setUint16(28, 16_383 + 12);
  head.setUint32(30, (RATE / 2 ** 12) * 2 ** 31);
  text(38, 'SSND');
  head.setUint32(42, 8 + frames * 3);
  const data = new DataView(new ArrayBuffer(frames * 3));
  for (let frame = 0; frame < frames; frame += 1)
    data.setInt16(frame * 3, (frame >= 5 * RATE ? 0.8 : 0.2) * 32_767);
  return new Blob([head.buffer, data.buffer]);
}

it.each([
  ['a WAV of 16 bits', writeWav(2)],
  ['a WAV of 8 bits', writeWav(1)],
  ['an AIFF of 24 bits', writeAiff()],
])('%s is drawn without decoding', async (_name, file) => {
  const drawn = await computeLocalPeaks(file, never);
  expect(drawn?.duration).toBeCloseTo(10);
  expect(drawn?.peaks).toHaveLength(600);
  expect(drawn?.peaks[100]).toBeCloseTo(0.25, 1);
  expect(drawn?.peaks[500]).toBeCloseTo(1, 1);
});

it.each([
  ['nothing', new Blob([])],
  ['text', new Blob(['This is no music. '.repeat(100)])],
  ['half a header', new Blob(['RIFF\0\0\0\0WAVEfmt '])],
  ['a header that lies', new Blob([new Uint8Array(buildWavHeader(1e9, { sampleRate: 0 }))])],
])('%s is not drawn', async (_name, file) => {
  expect(await computeLocalPeaks(file, never)).toBeNull();
});

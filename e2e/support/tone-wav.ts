import { WAV_HEADER_BYTES, buildWavHeader } from '#server/ports/media/wav-header.ts';

const RATE = 8000;

/** A quiet tone as an 8-bit WAV, which is quick to create and plays in every browser. */
export function writeToneWav(seconds: number): Buffer {
  const samples = Math.round(seconds * RATE);
  const wav = Buffer.alloc(WAV_HEADER_BYTES + samples);
  wav.set(buildWavHeader(samples, { sampleRate: RATE, channels: 1, bytesPerSample: 1 }));
  for (let i = 0; i < samples; i++)
    wav[WAV_HEADER_BYTES + i] = 128 + Math.round(20 * Math.sin((2 * Math.PI * 220 * i) / RATE));
  return wav;
}

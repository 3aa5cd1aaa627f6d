import { WAV_HEADER_BYTES, buildWavHeader } from '#server/ports/media/wav-header.ts';

const RATE = 8000;

/**
 * A quiet tone as a WAV, which is quick to create and plays in every browser: of 8 bits, or of 16, which
 * the server reads too.
 */
export function writeToneWav(seconds: number, bytesPerSample: 1 | 2 = 1): Buffer {
  const samples = Math.round(seconds * RATE);
  const wav = Buffer.alloc(WAV_HEADER_BYTES + samples * bytesPerSample);
  const format = { sampleRate: RATE, channels: 1, bytesPerSample };
  wav.set(buildWavHeader(samples * bytesPerSample, format));
  for (let i = 0; i < samples; i++) {
    const value = Math.sin((2 * Math.PI * 220 * i) / RATE);
    if (bytesPerSample === 1) wav[WAV_HEADER_BYTES + i] = 128 + Math.round(20 * value);
    else wav.writeInt16LE(Math.round(5000 * value), WAV_HEADER_BYTES + i * 2);
  }
  return wav;
}

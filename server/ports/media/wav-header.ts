export const WAV_HEADER_BYTES = 44;

export type WavFormat = { sampleRate: number; channels?: number; bytesPerSample?: 1 | 2 };

/** The RIFF header of PCM audio, by default 16-bit stereo. */
export function buildWavHeader(
  dataBytes: number,
  { sampleRate, channels = 2, bytesPerSample = 2 }: WavFormat,
): Uint8Array {
  const bytes = new Uint8Array(WAV_HEADER_BYTES);
  const view = new DataView(bytes.buffer);
  const text = (at: number, value: string) =>
    new TextEncoder().encodeInto(value, bytes.subarray(at));
  const bytesPerFrame = channels * bytesPerSample;
  text(0, 'RIFF');
  view.setUint32(4, WAV_HEADER_BYTES - 8 + dataBytes, true);
  text(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, channels, true);
  view.setUint32(24, sampleRate, true);
  view.setUint32(28, sampleRate * bytesPerFrame, true);
  view.setUint16(32, bytesPerFrame, true);
  view.setUint16(34, bytesPerSample * 8, true);
  text(36, 'data');
  view.setUint32(40, dataBytes, true);
  return bytes;
}

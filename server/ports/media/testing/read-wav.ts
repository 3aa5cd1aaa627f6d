/** The format of a WAV and how many samples each channel has. */
export function parseWavHeader(wav: Buffer) {
  const format = wav.indexOf('fmt ') + 8;
  const data = wav.indexOf('data') + 4;
  const channels = wav.readUInt16LE(format + 2);
  return {
    sampleRate: wav.readUInt32LE(format + 4),
    channels,
    frames: wav.readUInt32LE(data) / (2 * channels),
  };
}

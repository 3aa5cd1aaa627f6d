const RATE = 44_100;

/** A WAV of a chord that gets louder at a known second, so that the loudest part can be found. */
export function writeToneWav({ seconds, loudFrom }: { seconds: number; loudFrom: number }): Buffer {
  const frames = seconds * RATE;
  const wav = Buffer.alloc(44 + frames * 4);
  wav.write('RIFF', 0);
  wav.writeUInt32LE(36 + frames * 4, 4);
  wav.write('WAVEfmt ', 8);
  wav.writeUInt32LE(16, 16);
  wav.writeUInt16LE(1, 20);
  wav.writeUInt16LE(2, 22);
  wav.writeUInt32LE(RATE, 24);
  wav.writeUInt32LE(RATE * 4, 28);
  wav.writeUInt16LE(4, 32);
  wav.writeUInt16LE(16, 34);
  wav.write('data', 36);
  wav.writeUInt32LE(frames * 4, 40);
  for (let i = 0; i < frames; i++) {
    const level = i / RATE >= loudFrom ? 0.5 : 0.05;
    const at = (2 * Math.PI * i) / RATE;
    const sample = Math.round(32767 * level * (Math.sin(220 * at) + Math.sin(277 * at)) * 0.5);
    wav.writeInt16LE(sample, 44 + i * 4);
    wav.writeInt16LE(sample, 46 + i * 4);
  }
  return wav;
}

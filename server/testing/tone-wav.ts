import { WAV_HEADER_BYTES, buildWavHeader } from '../ports/media/wav-header.ts';

const RATE = 44_100;

/** A WAV with a chord that gets louder at a given second, so that tests know the loudest part. */
export function writeToneWav({ seconds, loudFrom }: { seconds: number; loudFrom: number }): Buffer {
  const frames = seconds * RATE;
  const wav = Buffer.alloc(WAV_HEADER_BYTES + frames * 4);
  wav.set(buildWavHeader(frames * 4, { sampleRate: RATE }));
  for (let i = 0; i < frames; i++) {
    const level = i / RATE >= loudFrom ? 0.5 : 0.05;
    const at = (2 * Math.PI * i) / RATE;
    const sample = Math.round(32767 * level * (Math.sin(220 * at) + Math.sin(277 * at)) * 0.5);
    wav.writeInt16LE(sample, 44 + i * 4);
    wav.writeInt16LE(sample, 46 + i * 4);
  }
  return wav;
}

/** The same file with tags before its audio. */
export function addWavTags(wav: Buffer, words: Record<string, string>): Buffer {
  const fields = Object.entries(words).map(([name, text]) => {
    const value = Buffer.from(`${text}\0${text.length % 2 === 0 ? '\0' : ''}`);
    const head = Buffer.alloc(8);
    head.write(name, 0, 'latin1');
    head.writeUInt32LE(text.length + 1, 4);
    return Buffer.concat([head, value]);
  });
  const body = Buffer.concat([Buffer.from('INFO'), ...fields]);
  const list = Buffer.alloc(8);
  list.write('LIST', 0, 'latin1');
  list.writeUInt32LE(body.length, 4);
  const tagged = Buffer.concat([wav.subarray(0, 36), list, body, wav.subarray(36)]);
  tagged.writeUInt32LE(tagged.length - 8, 4);
  return tagged;
}

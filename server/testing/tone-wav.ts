import { buildWavHeader } from '../ports/media/wav-header.ts';

const RATE = 44_100;

const FRAME_BYTES = 4;

/** The chord repeats each second: whole waves of both tones fit into it. */
function writeSecond(level: number): Buffer {
  const second = Buffer.alloc(RATE * FRAME_BYTES);
  for (let i = 0; i < RATE; i++) {
    const at = (2 * Math.PI * i) / RATE;
    const sample = Math.round(32767 * level * (Math.sin(220 * at) + Math.sin(277 * at)) * 0.5);
    second.writeInt16LE(sample, i * FRAME_BYTES);
    second.writeInt16LE(sample, i * FRAME_BYTES + 2);
  }
  return second;
}
const [quiet, loud] = [writeSecond(0.05), writeSecond(0.5)];

/** A WAV with a chord that gets louder at a given second, so that tests know the loudest part. */
export function writeToneWav({ seconds, loudFrom }: { seconds: number; loudFrom: number }): Buffer {
  const audio = Buffer.alloc(seconds * RATE * FRAME_BYTES, quiet);
  const loudAt = Math.ceil(loudFrom * RATE) * FRAME_BYTES;
  for (let at = loudAt; at < audio.length; at += loud.length - (at % loud.length))
    loud.copy(audio, at, at % loud.length);
  return Buffer.concat([buildWavHeader(audio.length, { sampleRate: RATE }), audio]);
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

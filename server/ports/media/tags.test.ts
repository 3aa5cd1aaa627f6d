import { readFile, writeFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { createMedia } from './create-media.ts';
import type { Media } from './media.ts';
import {
  ENGINES,
  buildId3,
  convertAll,
  openEngine,
  prepareSamples,
  textFrame,
  writeWav,
} from './testing/samples.ts';
import { chooseCases } from '#tools/testing/random-runs.ts';

const TAGS = ['title=Golden Hour', 'artist=Thula; Relay Room', 'genre=Deep', 'date=2026'];
const tagged = (...more: string[]) => [...TAGS, ...more].flatMap((tag) => ['-metadata', tag]);
const MP3 = ['-c:a', 'libmp3lame', '-b:a', '96k', '-write_id3v1', '0', '-f', 'mp3'];

const WRITTEN = {
  'ID3v2.3 of an MP3': ['-id3v2_version', '3', ...tagged('TBPM=124'), ...MP3],
  'ID3v2.4 of an MP3': ['-id3v2_version', '4', ...tagged('TBPM=124'), ...MP3],
  'the comments of a FLAC': [...tagged('BPM=124'), '-c:a', 'flac', '-f', 'flac'],
  'the atoms of an M4A': [...tagged('tmpo=124'), '-c:a', 'aac', '-f', 'ipod'],
  'the INFO of a WAV': [...tagged(), '-c:a', 'pcm_s16le', '-f', 'wav'],
  'ID3 of an AIFF': [...tagged('TBPM=124'), '-write_id3v2', '1', '-f', 'aiff'],
};

const size24 = (size: number) => Buffer.from([size >> 16, (size >> 8) & 0xff, size & 0xff]);
/** ffmpeg writes no tags of this version, and reads them. */
function buildOldId3(texts: Record<string, string>): Buffer {
  const frames = Object.entries(texts).map(([id, text]) => {
    const body = Buffer.from(`\0${text}`, 'latin1');
    return Buffer.concat([Buffer.from(id), size24(body.length), body]);
  });
  const head = buildId3([]);
  const all = Buffer.concat(frames);
  head.writeUInt8(2, 3);
  head.writeUInt16BE(((all.length >> 7) << 8) | (all.length & 0x7f), 8);
  return Buffer.concat([head, all]);
}

const addWavChunk = (wav: Buffer, name: string, chunk: Buffer): Buffer => {
  const head = Buffer.alloc(8);
  head.write(name, 'latin1');
  head.writeUInt32LE(chunk.length, 4);
  const file = Buffer.concat([wav, head, chunk, Buffer.alloc(chunk.length % 2)]);
  file.writeUInt32LE(file.length - 8, 4);
  return file;
};

const ID3 = buildId3([
  textFrame('TIT2', 'Golden Hour'),
  textFrame('TPE1', 'Thula; Relay Room'),
  textFrame('TCON', 'Deep'),
  textFrame('TDRC', '2026'),
  textFrame('TBPM', '124'),
]);

const sample = prepareSamples(async (place, ffmpeg) => {
  const wav = await writeWav(place('a.wav'), { seconds: 1 });
  const bare = {
    to: place('bare.mp3'),
    args: ['-map_metadata', '-1', '-id3v2_version', '0', ...MP3],
  };
  await convertAll(ffmpeg, wav, [
    ...Object.entries(WRITTEN).map(([name, args]) => ({ to: place(name), args })),
    bare,
    // With the name of the program in its INFO, as most have it.
    { to: place('named.wav'), args: ['-c:a', 'pcm_s16le', '-f', 'wav'] },
  ]);
  const old = {
    TT2: 'Golden Hour',
    TP1: 'Thula; Relay Room',
    TCO: 'Deep',
    TYE: '2026',
    TBP: '124',
  };
  const mp3 = await readFile(bare.to);
  await writeFile(place('ID3v2.2 of an MP3'), Buffer.concat([buildOldId3(old), mp3]));
  const bytes = await readFile(place('named.wav'));
  if (!bytes.includes('ISFT')) throw new Error('ffmpeg wrote no INFO into the WAV.');
  await writeFile(place('ID3 of a WAV'), addWavChunk(bytes, 'id3 ', ID3));
  await writeFile(place('ID3 of a WAV, in capitals'), addWavChunk(bytes, 'ID3 ', ID3));
  await writeFile(place('broken'), addWavChunk(bytes, 'id3 ', Buffer.from('ID3')));
  const author = Buffer.from('AUTH\0\0\0\x05Thula\0', 'latin1');
  const aiff = await readFile(place('ID3 of an AIFF'));
  // Before everything else, and without the ID3 chunk, which is the last one.
  const end = aiff.lastIndexOf('ID3 ');
  const plain = Buffer.concat([aiff.subarray(0, 12), author, aiff.subarray(12, end)]);
  plain.writeUInt32BE(plain.length - 8, 4);
  await writeFile(place('AIFF'), plain);
});

/** The engine of this machine, or that of npm; both every night. */
const TESTED = ENGINES.slice(0, chooseCases(1, ENGINES.length));

describe.each(TESTED)('tags on the %s ffmpeg', { timeout: 180_000 }, (kind) => {
  let media: Media;
  beforeAll(async () => {
    media = createMedia(await openEngine(kind));
  }, 60_000);
  const read = async (name: string) => (await media.probe(sample(name))).tags;

  it.each([
    ...Object.keys(WRITTEN),
    'ID3v2.2 of an MP3',
    'ID3 of a WAV',
    'ID3 of a WAV, in capitals',
  ])('come from %s', async (name) => {
    expect(await read(name)).toMatchObject({
      title: 'Golden Hour',
      artist: 'Thula; Relay Room',
      genre: 'Deep',
      year: 2026,
      // A WAV has no name of its own for it.
      ...(name !== 'the INFO of a WAV' && name !== 'the atoms of an M4A' && { bpm: 124 }),
    });
  });

  it('name the author of an AIFF', async () => {
    expect((await read('AIFF')).artist).toBe('Thula');
  });

  it('are none in a WAV whose ID3 is cut off', async () => {
    expect((await read('broken')).artist).toBeUndefined();
  });
});

import { open, readFile, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import sharp from 'sharp';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { normaliseCover } from './cover.ts';
import { createMedia } from './create-media.ts';
import type { Media } from './media.ts';
import {
  buildId3,
  buildWav,
  convertAll,
  createFolder,
  ENGINES,
  fixture,
  openEngine,
  pictureFrame,
  prepareSamples,
  textFrame,
  writeWav,
} from './testing/samples.ts';
import { buildWavHeader } from './wav-header.ts';
import { chooseCases } from '#tools/testing/random-runs.ts';

const refusal = (code: string) => expect.objectContaining({ name: 'MediaRefused', code }) as Error;

const FORMATS = {
  WAV: ['-c:a', 'pcm_s16le', '-f', 'wav'],
  AIFF: ['-c:a', 'pcm_s16be', '-f', 'aiff'],
  FLAC: ['-c:a', 'flac', '-f', 'flac'],
  MP3: ['-c:a', 'libmp3lame', '-f', 'mp3'],
  M4A: ['-c:a', 'aac', '-f', 'ipod'],
  'M4A that begins with its index': ['-c:a', 'aac', '-movflags', '+faststart', '-f', 'ipod'],
};
const RED = ['-f', 'lavfi', '-i', 'color=c=red:s=32x32:d=2'];

const sample = prepareSamples(async (place, ffmpeg) => {
  const wav = await writeWav(place('a.wav'), { seconds: 6 });
  const formats = Object.entries(FORMATS).map(([name, args]) => ({ to: place(name), args }));
  await convertAll(ffmpeg, wav, formats);
  const film = ['-c:v', 'mpeg4', '-c:a', 'aac', '-t', '2', '-f', 'mp4'];
  await convertAll(ffmpeg, wav, [{ to: place('video'), args: [...RED, ...film] }]);
  const silence = { seconds: 30, sampleRate: 8000, channels: 1, render: () => 0 };
  const silent = await writeWav(place('silence.wav'), silence);
  await convertAll(ffmpeg, silent, [{ to: place('silence'), args: FORMATS.FLAC }]);
});

/** The engine of this machine, or that of npm; both every night. */
const TESTED = ENGINES.slice(0, chooseCases(1, ENGINES.length));

describe.each(TESTED)('bad input on the %s ffmpeg', { timeout: 180_000 }, (kind) => {
  let media: Media;
  let mp3: Buffer;
  beforeAll(async () => {
    media = createMedia(await openEngine(kind));
    mp3 = await readFile(fixture('tone.mp3'));
  }, 60_000);

  const write = async (bytes: Uint8Array | string, name = 'mix.mp3') => {
    const file = join(await createFolder(), name);
    await writeFile(file, bytes);
    return file;
  };
  const take = async (file: string) => media.analyse({ file, probe: await media.probe(file) });

  it.each([
    ['empty_file', 'a file of 0 bytes', ''],
    ['not_audio', 'a text file', 'This is not music, however it is called.\n'.repeat(500)],
    [
      'playlist',
      'a playlist of local files',
      '#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:0\n#EXTINF:9,\n/etc/passwd\n',
    ],
    ['playlist', 'a list of files to join', "ffconcat version 1.0\nfile '/etc/passwd'\n"],
    ['archive', 'an archive', 'PK\x03\x04 and so on'],
  ])('refuses with %s: %s', async (code, _, text) => {
    await expect(take(await write(text))).rejects.toThrow(refusal(code));
  });

  it('opens no address in a playlist, even behind the tag of an MP3', async () => {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const playlist = `#EXTM3U\n#EXTINF:9,\nhttp://127.0.0.1:${port}/secret\n#EXT-X-ENDLIST\n`;
    const tagged = Buffer.concat([buildId3([textFrame('TIT2', 'x')]), Buffer.from(playlist)]);
    for (const bytes of [Buffer.from(playlist), tagged])
      await expect(take(await write(bytes))).rejects.toThrow(refusal('playlist'));
    // Even a playlist that starts like audio is only read as that audio.
    const disguised = Buffer.concat([mp3.subarray(0, 3000), Buffer.from(playlist)]);
    await expect(take(await write(disguised))).rejects.toThrow(
      expect.objectContaining({ name: 'MediaRefused' }),
    );
    expect(asked).toEqual([]);
  });

  it.each(Object.keys(FORMATS))('refuses a truncated %s', async (name) => {
    const whole = await readFile(sample(name));
    const file = await write(whole.subarray(0, Math.floor(whole.length * 0.6)));
    await expect(take(file)).rejects.toThrow(refusal('truncated'));
  });

  it.each(['tone.ogg', 'tone.opus'])('refuses %s when it is truncated', async (name) => {
    const whole = await readFile(fixture(name));
    const file = await write(whole.subarray(0, Math.floor(whole.length * 0.6)));
    await expect(take(file)).rejects.toThrow(refusal('truncated'));
  });

  it('refuses a FLAC with a damaged middle', async () => {
    const bytes = await readFile(sample('FLAC'));
    for (let at = 10_000; at < bytes.length; at += 1) if (at % 900 < 40) bytes[at] = at % 251;
    await expect(take(await write(bytes))).rejects.toThrow(
      expect.objectContaining({ name: 'MediaRefused' }),
    );
  });

  it('refuses silence, however well it compresses', async () => {
    const file = sample('silence');
    expect((await readFile(file)).length).toBeLessThan(15_000);
    await expect(take(file)).rejects.toThrow('The file is silent.');
  });

  it('refuses ten hours without reading them', async () => {
    const file = join(await createFolder(), 'long.wav');
    const bytes = 36_000 * 8000 * 2;
    const handle = await open(file, 'w');
    await handle.write(buildWavHeader(bytes, { sampleRate: 8000, channels: 1 }));
    await handle.truncate(44 + bytes);
    await handle.close();
    await expect(media.probe(file)).rejects.toThrow(refusal('too_long'));
  });

  it('refuses more than 4 GB without reading them', async () => {
    const file = join(await createFolder(), 'big.wav');
    await writeFile(file, buildWavHeader(0, { sampleRate: 44_100, channels: 2 }));
    await truncate(file, 4 * 1024 ** 3 + 1);
    await expect(media.probe(file)).rejects.toThrow(refusal('too_big'));
  });

  it('refuses less than a second', async () => {
    await expect(take(await write(buildWav({ seconds: 0.5 })))).rejects.toThrow(
      refusal('too_short'),
    );
  });

  it('turns tags with scripts into plain, bounded text', async () => {
    const tag = buildId3([
      textFrame('TIT2', '<script>alert(document.cookie)</script>Night \u202Edrive'),
      textFrame('TPE1', '"><img src=x onerror=alert(1)>'),
      textFrame('TALB', 'x'.repeat(100_000)),
      textFrame('TCON', '  Duration: 00:00:01.00\n  Stream #0:0: Audio: flac, 1 Hz, mono, s16'),
    ]);
    const { tags, codec } = await media.probe(await write(Buffer.concat([tag, mp3])));
    expect(codec).toBe('mp3');
    expect(tags.title).toBe('alert(document.cookie) Night drive');
    expect(tags.artist).toBe('">');
    expect(tags.album).toHaveLength(200);
    expect(tags.genre).not.toContain('\n');
  });

  it('refuses an SVG as a cover, whatever its declared type, and keeps the audio', async () => {
    const svg = Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
    );
    const honest = await write(
      Buffer.concat([buildId3([pictureFrame('image/svg+xml', svg)]), mp3]),
    );
    const probe = await media.probe(honest);
    expect(probe.coverRefusal?.code).toBe('cover_vector');
    expect(probe.hasCover).toBe(false);
    const file = await write(Buffer.concat([buildId3([pictureFrame('image/jpeg', svg)]), mp3]));
    const bytes = await media.extractCover({ file, probe: await media.probe(file) });
    await expect(normaliseCover(bytes ?? Buffer.alloc(0))).rejects.toThrow(refusal('cover_vector'));
    expect((await take(file)).durationSeconds).toBeGreaterThan(1);
  });

  it('refuses a cover of 30,000 pixels', async () => {
    const create = { width: 30_000, height: 16, channels: 3 as const, background: '#000' };
    const picture = await sharp({ create }).png().toBuffer();
    const file = await write(Buffer.concat([buildId3([pictureFrame('image/png', picture)]), mp3]));
    const bytes = await media.extractCover({ file, probe: await media.probe(file) });
    await expect(normaliseCover(bytes ?? Buffer.alloc(0))).rejects.toThrow(
      refusal('cover_too_large'),
    );
  });

  it('refuses a video', async () => {
    await expect(media.probe(sample('video'))).rejects.toThrow(refusal('video'));
  });
});

import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { normaliseCover } from './cover.ts';
import { createMedia } from './create-media.ts';
import type { Ffmpeg } from './ffmpeg.ts';
import { parseLoudness } from './loudness.ts';
import type { RenditionName } from '../../db/types/tables.ts';
import type { Media } from './media.ts';
import { readMpegFrameLength } from './sniff-audio.ts';
import {
  convertAll,
  createAnalysis,
  createFolder,
  ENGINES,
  fixture,
  noise,
  openEngine,
  prepareSamples,
  runFfmpeg,
  tone,
  writeWav,
} from './testing/samples.ts';
import { PREVIEW_SECONDS } from '#contract/rules/preview.ts';
import { chooseCases } from '#tools/testing/random-runs.ts';

/** How to convert a WAV to each container. */
const FORMATS = {
  'mp3 by LAME': {
    args: ['-c:a', 'libmp3lame', '-b:a', '128k', '-f', 'mp3'],
    container: 'mp3',
    codec: 'mp3',
  },
  'AAC in M4A': { args: ['-c:a', 'aac', '-f', 'ipod'], container: 'm4a', codec: 'aac' },
  'ALAC in M4A': { args: ['-c:a', 'alac', '-f', 'ipod'], container: 'm4a', codec: 'alac' },
  'bare AAC': { args: ['-c:a', 'aac', '-f', 'adts'], container: 'aac', codec: 'aac' },
  FLAC: { args: ['-c:a', 'flac', '-f', 'flac'], container: 'flac', codec: 'flac' },
  'WAV of 24 bits': {
    args: ['-c:a', 'pcm_s24le', '-f', 'wav'],
    container: 'wav',
    codec: 'pcm_s24le',
  },
  'RF64 of floats': {
    args: ['-c:a', 'pcm_f32le', '-rf64', 'always', '-f', 'wav'],
    container: 'wav',
    codec: 'pcm_f32le',
  },
  AIFF: { args: ['-c:a', 'pcm_s16be', '-f', 'aiff'], container: 'aiff', codec: 'pcm_s16be' },
} as const;
const KEPT = {
  'Vorbis in Ogg': { file: fixture('tone.ogg'), codec: 'vorbis', title: 'Vorbis tone' },
  'Opus in Ogg': { file: fixture('tone.opus'), codec: 'opus', title: 'Opus tone' },
} as const;
const LOSSLESS = ['alac', 'flac', 'pcm_s24le', 'pcm_f32le', 'pcm_s16be'];

const OLD_MP3 = 'MP3 of another encoder';
const sample = prepareSamples(async (place, ffmpeg) => {
  const wav = await writeWav(place('a.wav'), { seconds: 3 });
  const old = ['-c:a', 'libmp3lame', '-b:a', '96k', '-metadata', 'title=Old', '-f', 'mp3'];
  await convertAll(ffmpeg, wav, [
    ...Object.entries(FORMATS).map(([name, { args }]) => ({ to: place(name), args })),
    { to: place(OLD_MP3), args: old },
  ]);
});

async function measureFile(ffmpeg: Ffmpeg, file: string) {
  const args = ['-i', `file:${file}`, '-map', '0:a:0', '-af', 'ebur128=peak=true:framelog=verbose'];
  const { log } = await runFfmpeg(ffmpeg, [...args, '-f', 'null', '-'], { reads: [file] });
  return { ...parseLoudness(log), log };
}

/** Duration in a player that ignores the encoder's padding. */
function countMp3Seconds(bytes: Uint8Array, rate: number) {
  let frames = 0;
  for (let at = 0; at < bytes.length;) {
    const length = readMpegFrameLength(bytes, at);
    at += length ?? 1;
    if (length) frames += 1;
  }
  return (frames * 1152) / rate;
}

describe.each(ENGINES)('media on the %s ffmpeg', { timeout: 180_000 }, (kind) => {
  let ffmpeg: Ffmpeg;
  let media: Media;
  beforeAll(async () => {
    ffmpeg = await openEngine(kind);
    media = createMedia(ffmpeg);
  }, 60_000);

  const open = async (file: string) => ({ file, probe: await media.probe(file) });
  const encodeAll = async (file: string, renditions: RenditionName[], folder: string) => {
    const master = await open(file);
    const analysis = await media.analyse(master);
    const targets = renditions.map((rendition) => ({ rendition, to: join(folder, rendition) }));
    return media.encode({ master, analysis, targets, previewStart: 0 });
  };

  /** Where this machine has its own ffmpeg, that of npm is only tried by day. */
  const isTried = ENGINES.indexOf(kind) >= chooseCases(1, ENGINES.length);
  const choose = <T>(cases: T[]): T[] => (isTried ? cases.slice(0, 1) : cases);

  it.each(choose(Object.entries(FORMATS)))(
    'reads and measures %s',
    async (name, { container, codec }) => {
      const master = await open(sample(name));
      const isLossless = LOSSLESS.includes(codec);
      expect(master.probe).toMatchObject({ container, codec, isLossless, sampleRate: 44_100 });
      const analysis = await media.analyse(master);
      expect(Math.abs(analysis.durationSeconds - 3)).toBeLessThan(0.15);
      expect(Math.abs(analysis.loudness.integrated + 12.7)).toBeLessThan(1);
      expect(analysis.peaks).toHaveLength(1600);
      expect(analysis.energy.length).toBeGreaterThanOrEqual(3);
    },
  );

  it.each(choose(Object.entries(KEPT)))(
    'reads and measures %s',
    async (_, { file, codec, title }) => {
      const master = await open(file);
      expect(master.probe).toMatchObject({ container: 'ogg', codec, isLossless: false });
      expect(master.probe.tags.title).toBe(title);
      const { durationSeconds } = await media.analyse(master);
      expect(Math.abs(durationSeconds - 4)).toBeLessThan(0.1);
    },
  );

  it.each(choose([44_100, 48_000]))(
    'cuts a preview of at most its full length at %i Hz',
    async (sampleRate) => {
      const folder = await createFolder();
      const render = (time: number) => tone(220, time < 2 ? 0.05 : 0.5)(time);
      const seconds = PREVIEW_SECONDS + 4;
      const options = { seconds, sampleRate, channels: 1, render };
      const wav = await writeWav(join(folder, 'a.wav'), options);
      const [preview] = await media.encode({
        master: await open(wav),
        analysis: createAnalysis({ durationSeconds: seconds }),
        targets: [{ rendition: 'preview', to: join(folder, 'preview') }],
        previewStart: 3,
      });
      const file = preview?.file ?? '';
      const decode = async (flags: string[]) => {
        const args = [...flags, '-i', `file:${file}`, '-ac', '1', '-f', 's16le', 'pipe:1'];
        return (await runFfmpeg(ffmpeg, args, { reads: [file] })).output;
      };
      const sound = await decode([]);
      expect(sound.length / 2 / sampleRate).toBeLessThanOrEqual(PREVIEW_SECONDS);
      expect(sound.length / 2 / sampleRate).toBeGreaterThan(PREVIEW_SECONDS - 0.2);
      const padded = await decode(['-flags2', '+skip_manual']);
      expect(padded.length / 2 / sampleRate).toBeLessThanOrEqual(PREVIEW_SECONDS);
      expect(countMp3Seconds(await readFile(file), sampleRate)).toBeLessThanOrEqual(
        PREVIEW_SECONDS,
      );
      const loudest = (from: number, to: number) => {
        let peak = 0;
        for (let at = Math.floor(from * sampleRate); at < to * sampleRate; at += 1)
          peak = Math.max(peak, Math.abs(sound.readInt16LE(at * 2)));
        return peak;
      };
      // It starts at the third second, where the sound is loud already, and fades in.
      expect(loudest(0.4, 1)).toBeGreaterThan(loudest(5, 6) / 2);
      expect(loudest(0, 0.02)).toBeLessThan(loudest(5, 6) / 4);
      expect(loudest(PREVIEW_SECONDS - 0.15, PREVIEW_SECONDS - 0.11)).toBeLessThan(
        loudest(5, 6) / 4,
      );
    },
  );

  if (isTried) return;

  it('brings a loud master to the target in the stream and the data saver', async () => {
    const folder = await createFolder();
    const wav = await writeWav(join(folder, 'a.wav'), { seconds: 3, render: tone(440, 0.9) });
    const encoded = await encodeAll(wav, ['stream', 'dataSaver'], folder);
    expect(encoded.map(({ mime }) => mime)).toEqual([
      'audio/mpeg',
      media.engine.dataSaverCodec === 'opus' ? 'audio/webm; codecs=opus' : 'audio/mp4',
    ]);
    for (const { file, bytes, rendition } of encoded) {
      const measured = await measureFile(ffmpeg, file);
      expect(Math.abs(measured.integrated + 14)).toBeLessThan(0.6);
      expect(measured.truePeak).toBeLessThan(-1);
      expect((bytes * 8) / 3000).toBeLessThan(rendition === 'dataSaver' ? 110 : 200);
    }
  });

  it('limits a master with peaks far above its loudness', async () => {
    const folder = await createFolder();
    const hiss = noise(1);
    const render = (time: number) =>
      0.02 * tone(330, 1)(time) + hiss() * 0.5 * Math.exp(-30 * (time % 0.5));
    const wav = await writeWav(join(folder, 'a.wav'), { seconds: 3, render });
    const [stream] = await encodeAll(wav, ['stream'], folder);
    const { truePeak, integrated } = await measureFile(ffmpeg, stream?.file ?? '');
    expect(truePeak).toBeLessThan(-1);
    expect(Math.abs(integrated + 14)).toBeLessThan(1.5);
  });

  it('creates downloads with tags and cover, and a lossless FLAC', async () => {
    const folder = await createFolder();
    const wav = await writeWav(join(folder, 'a.wav'), { seconds: 2, render: tone(500, 0.5) });
    const master = await open(wav);
    const picture = sharp({ create: { width: 50, height: 50, channels: 3, background: '#a03' } });
    const coverFile = join(folder, 'cover.jpg');
    await writeFile(coverFile, (await normaliseCover(await picture.png().toBuffer())).jpeg);
    const encoded = await media.encode({
      master,
      analysis: await media.analyse(master),
      targets: [
        { rendition: 'mp3', to: join(folder, 'mp3') },
        { rendition: 'flac', to: join(folder, 'flac') },
      ],
      tags: { title: 'Week 12 = "süß"', artist: 'DJ; #1', album: '2026', bpm: 124, year: 2026 },
      coverFile,
    });
    for (const { file } of encoded) {
      const again = await open(file);
      expect(again.probe.hasCover).toBe(true);
      expect(again.probe.tags).toEqual({
        title: 'Week 12 = "süß"',
        artist: 'DJ; #1',
        album: '2026',
        bpm: 124,
        year: 2026,
      });
      expect((await media.extractCover(again)) ?? []).toEqual(await readFile(coverFile));
    }
    const args = ['-i', `file:${join(folder, 'flac')}`, '-map', '0:a', '-f', 's16le', 'pipe:1'];
    const { output } = await runFfmpeg(ffmpeg, args, { reads: [join(folder, 'flac')] });
    expect(output.equals((await readFile(wav)).subarray(44))).toBe(true);
  });

  it('copies the frames of an MP3 master and writes new tags', async () => {
    const folder = await createFolder();
    const master = await open(sample(OLD_MP3));
    expect(master.probe.tags.title).toBe('Old');
    const to = join(folder, 'c');
    await media.encode({
      master,
      analysis: await media.analyse(master),
      targets: [{ rendition: 'mp3', to }],
      tags: { title: 'New' },
    });
    const { probe } = await open(to);
    expect([probe.tags.title, probe.bitRate]).toEqual(['New', 96_000]);
  });

  it('writes the same bytes when a stage is repeated', async () => {
    const folder = await createFolder();
    const wav = await writeWav(join(folder, 'a.wav'), { seconds: 2 });
    const read = async () =>
      Promise.all((await readdir(folder)).toSorted().map((name) => readFile(join(folder, name))));
    const master = await open(wav);
    const analysis = await media.analyse(master);
    const renditions = ['stream', 'dataSaver', 'mp3', 'flac'] as const;
    const targets = renditions.map((rendition) => ({ rendition, to: join(folder, rendition) }));
    await media.encode({ master, analysis, targets });
    const first = await read();
    expect(first).toHaveLength(5);
    await media.encode({ master, analysis, targets });
    expect(await read()).toEqual(first);
  });

  it('reports increasing progress up to the end', async () => {
    const folder = await createFolder();
    const wav = await writeWav(join(folder, 'a.wav'), { seconds: 5 });
    const seen: number[] = [];
    await media.analyse(await open(wav), { onProgress: (done) => seen.push(done) });
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    expect(seen.at(-1)).toBeCloseTo(1, 1);
  });

  it('leaves no files behind when an encode fails or is aborted', async () => {
    const folder = await createFolder();
    const wav = await writeWav(join(folder, 'a.wav'), { seconds: 2 });
    const master = await open(wav);
    const analysis = await media.analyse(master);
    const job = {
      master,
      analysis,
      targets: [{ rendition: 'stream' as const, to: join(folder, 'b') }],
    };
    await expect(media.encode(job, { signal: AbortSignal.abort() })).rejects.toThrow('abort');
    await rm(wav);
    await expect(media.encode(job)).rejects.toThrow(/No such file|ENOENT/);
    expect(await readdir(folder)).toEqual([]);
  });
});

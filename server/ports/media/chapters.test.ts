import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseFile } from 'music-metadata';
import { beforeAll, describe, expect, it } from 'vitest';
import { chooseCases } from '#tools/testing/random-runs.ts';
import { buildChapterTexts } from './chapters.ts';
import { createMedia } from './create-media.ts';
import type { Ffmpeg } from './ffmpeg.ts';
import { buildReplayGain } from './loudness.ts';
import type { EncodeJob, Media, TimedChapter } from './media.ts';
import { cleanTags, parseFfmetadata } from './parse-probe.ts';
import {
  buildWav,
  createAnalysis,
  createFolder,
  createProbe,
  ENGINES,
  openEngine,
  runFfmpeg,
  writeWav,
} from './testing/samples.ts';

const chapter = (at: number, title: string, artist: string | null = null): TimedChapter => ({
  at,
  artist,
  title,
});

const uint32 = (...values: number[]) => {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeUInt32LE(value, index * 4);
  return bytes;
};
const chunk = (id: string, ...parts: Buffer[]) => {
  const body = Buffer.concat(parts);
  const pad = Buffer.alloc(body.length % 2);
  return Buffer.concat([Buffer.from(id, 'latin1'), uint32(body.length), body, pad]);
};
const point = (id: number, frame: number) =>
  Buffer.concat([uint32(id, frame), Buffer.from('data'), uint32(0, 0, frame)]);
const label = (id: number, text: string) =>
  chunk('labl', uint32(id), Buffer.from(`${text}\0`, 'latin1'));

const buildMarkedWav = () =>
  Buffer.concat([
    buildWav({ seconds: 3 }),
    chunk('cue ', uint32(3), point(1, 0), point(7, 66_150), point(2, 88_200)),
    chunk('LIST', Buffer.from('adtl'), label(1, 'Relay Room - Intro'), label(2, 'Café')),
  ]);

describe('the chapters of a download', () => {
  const build = (chapters: TimedChapter[], rendition: 'mp3' | 'flac' = 'mp3') => {
    const job: EncodeJob = {
      master: { file: '/in/master', probe: createProbe() },
      analysis: createAnalysis({ durationSeconds: 3700 }),
      targets: [{ rendition, to: '/out' }],
      tags: { title: 'A', chapters },
    };
    return buildChapterTexts(job)[0]?.text.split('\n') ?? [];
  };
  const titles = (lines: readonly string[]) => lines.filter((line) => line.startsWith('title='));

  it('end where the next one starts, the last one with the mix', () => {
    const text = build([chapter(0, 'Intro'), chapter(61.5, 'Two', 'Relay Room')]).join('|');
    expect(text).toBe(
      ';FFMETADATA1|[CHAPTER]|TIMEBASE=1/1000|START=0|END=61500|title=Intro' +
        '|[CHAPTER]|TIMEBASE=1/1000|START=61500|END=3700000|title=Relay Room - Two|',
    );
  });

  it('are comments of a FLAC', () => {
    expect(build([chapter(0, 'Intro'), chapter(3661.25, 'Two')], 'flac')).toEqual([
      ';FFMETADATA1',
      'CHAPTER001=00:00:00.000',
      'CHAPTER001NAME=Intro',
      'CHAPTER002=01:01:01.250',
      'CHAPTER002NAME=Two',
      '',
    ]);
  });

  it('are inside the mix, and one where tracks start together', () => {
    const lines = build([chapter(9, 'B'), chapter(9, 'C'), chapter(0, 'A'), chapter(3700, 'Late')]);
    expect(titles(lines)).toEqual(['title=A', 'title=B / C']);
    expect(build([chapter(4000, 'Late')])).toEqual([]);
  });

  it('can’t be more than the table of contents of an MP3 can count', () => {
    const many = Array.from({ length: 300 }, (_, index) => chapter(index, `T${index}`));
    expect(titles(build(many))).toHaveLength(255);
    expect(build(many, 'flac')).toContain('CHAPTER300NAME=T299');
  });

  it('have names that ffmpeg reads back as they are', () => {
    const name = 'a=b; #1 \\ [CHAPTER]';
    const { chapters } = parseFfmetadata(build([chapter(0, name)]).join('\n'));
    expect(chapters[0]?.get('title')).toBe(name);
  });
});

describe('the chapters of a master', () => {
  const read = (...parts: string[]) =>
    cleanTags(parseFfmetadata([';FFMETADATA1', ...parts, ''].join('\n'))).chapters;
  const part = (start: number, title: string) =>
    `[CHAPTER]\nTIMEBASE=1/44100\nSTART=${start}\nEND=${start}\ntitle=${title}`;

  it('become a tracklist in the order of their times, as plain text', () => {
    expect(read(part(88_200, 'Relay Room - <b>Two</b>'), part(0, ''))).toEqual([
      chapter(0, 'Track 2'),
      chapter(2, 'Two', 'Relay Room'),
    ]);
  });

  it('are left out where they have no sensible time', () => {
    expect(read(part(-44_100, 'Before'), part(44_100 * 30_000, 'Hours later'))).toBeUndefined();
  });

  it('can be a cue sheet in a tag', () => {
    const cue = ['TRACK 01 AUDIO', 'TITLE "Intro"', 'INDEX 01 00:00:00', 'TRACK 02 AUDIO'];
    const rest = ['TITLE "Two"', 'PERFORMER "Relay Room"', 'INDEX 01 04:30:00'];
    expect(read(`CUESHEET=${[...cue, ...rest].join('\\\n')}`)).toEqual([
      chapter(0, 'Intro'),
      chapter(270, 'Two', 'Relay Room'),
    ]);
  });
});

/** The engine of this machine, or that of npm; both every night. */
const TESTED = ENGINES.slice(0, chooseCases(1, ENGINES.length));

describe.each(TESTED)('chapters and ReplayGain on the %s ffmpeg', { timeout: 60_000 }, (kind) => {
  let ffmpeg: Ffmpeg;
  let media: Media;
  beforeAll(async () => {
    ffmpeg = await openEngine(kind);
    media = createMedia(ffmpeg);
  }, 60_000);

  const chapters = [
    chapter(0, 'Substation Intro', 'Relay Room'),
    chapter(1.25, 'Ndlela; #2 = “süß”', 'Thandi M'),
    chapter(2, 'Умлази'),
  ];
  const names = ['Relay Room - Substation Intro', 'Thandi M - Ndlela; #2 = “süß”', 'Умлази'];

  it('are in both downloads, as this program and another one read them', async () => {
    const folder = await createFolder();
    const wav = await writeWav(join(folder, 'a.wav'), { seconds: 3 });
    const loudness = { integrated: -9.5, truePeak: -0.35, range: 4, threshold: -19 };
    const encoded = await media.encode({
      master: { file: wav, probe: await media.probe(wav) },
      analysis: createAnalysis({ durationSeconds: 3, loudness }),
      targets: [
        { rendition: 'mp3', to: join(folder, 'a.mp3') },
        { rendition: 'flac', to: join(folder, 'a.flac') },
      ],
      tags: { title: 'A', chapters, replayGain: buildReplayGain(loudness) },
    });
    for (const { file } of encoded)
      expect((await media.probe(file)).tags).toMatchObject({ title: 'A', chapters });

    const mp3 = await parseFile(join(folder, 'a.mp3'));
    expect(mp3.format.chapters?.map(({ title, start, end }) => [title, start, end])).toEqual([
      [names[0], 0, 1.25],
      [names[1], 1.25, 2],
      [names[2], 2, 3],
    ]);
    const flac = await parseFile(join(folder, 'a.flac'));
    const comments = flac.native.vorbis?.filter(({ id }) => id.startsWith('CHAPTER')) ?? [];
    expect(comments.map(({ id, value }) => `${id}=${String(value)}`)).toEqual([
      'CHAPTER001=00:00:00.000',
      `CHAPTER001NAME=${names[0]}`,
      'CHAPTER002=00:00:01.250',
      `CHAPTER002NAME=${names[1]}`,
      'CHAPTER003=00:00:02.000',
      `CHAPTER003NAME=${names[2]}`,
    ]);
    for (const { common } of [mp3, flac]) {
      expect(common.replaygain_track_gain?.dB).toBe(-8.5);
      expect(common.replaygain_track_peak?.ratio).toBeCloseTo(0.960508, 4);
    }
    const toc = mp3.native['ID3v2.3']?.find(({ id }) => id === 'CTOC')?.value;
    expect(toc).toMatchObject({ childElementIds: ['ch0', 'ch1', 'ch2'] });
  });

  it('of a WAV are the markers that editors and recorders write', async () => {
    const file = join(await createFolder(), 'a.wav');
    await writeFile(file, buildMarkedWav());
    expect((await media.probe(file)).tags.chapters).toEqual([
      chapter(0, 'Intro', 'Relay Room'),
      chapter(1.5, 'Track 2'),
      chapter(2, 'Café'),
    ]);
  });

  it('of an M4A are read', async () => {
    const folder = await createFolder();
    const wav = await writeWav(join(folder, 'a.wav'), { seconds: 3 });
    const job: EncodeJob = {
      master: { file: wav, probe: createProbe() },
      analysis: createAnalysis({ durationSeconds: 3 }),
      targets: [{ rendition: 'mp3', to: join(folder, 'a.mp3') }],
      tags: { title: 'A', chapters },
    };
    await media.encode(job);
    const [from, to] = [join(folder, 'a.mp3'), join(folder, 'a.m4a')];
    await runFfmpeg(ffmpeg, ['-i', `file:${from}`, '-c:a', 'aac', '-f', 'ipod', `file:${to}`], {
      reads: [from],
      writes: [to],
    });
    const read = (await media.probe(to)).tags.chapters ?? [];
    expect(read.map(({ artist, title }) => [artist, title])).toEqual(
      chapters.map(({ artist, title }) => [artist, title]),
    );
    for (const [index, { at }] of read.entries())
      expect(Math.abs(at - (chapters[index]?.at ?? 0))).toBeLessThan(0.05);
  });
});

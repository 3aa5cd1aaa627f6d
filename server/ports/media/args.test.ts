import { describe, expect, it } from 'vitest';
import {
  buildAnalysisArgs,
  buildCoverArgs,
  buildEncodeArgs,
  buildProbeArgs,
  buildRemeasureArgs,
  pickMp3Rate,
} from './args.ts';
import type { RenditionName } from '../../db/types/tables.ts';
import type { EncodeJob } from './media.ts';
import { createAnalysis, createProbe } from './testing/samples.ts';
import { PREVIEW_SECONDS } from '#contract/rules/preview.ts';

/** Arguments that belong together on one line. */
const pack = (...args: string[]) => args;

const DECODERS =
  'mp3float,mp3,aac,alac,flac,vorbis,opus,libopus,pcm_s16le,pcm_s16be,pcm_s24le,pcm_s24be,' +
  'pcm_s32le,pcm_s32be,pcm_f32le,pcm_f32be,pcm_f64le,pcm_f64be';
const START = '-hide_banner -nostdin -nostats -y -max_alloc 268435456'.split(' ');
const PROGRESS = '-stats_period 1 -progress pipe:2'.split(' ');
const openInput = (format: string, file: string) => [
  ...pack('-protocol_whitelist', 'file,pipe', '-codec_whitelist', DECODERS),
  ...pack('-f', format, '-i', `file:${file}`),
];
const TARGET = '-map 0:a:0 -map_metadata -1 -map_chapters -1'.split(' ');
const EXACT = '-fflags +bitexact -flags:a +bitexact'.split(' ');
const WHOLE = ['-t', '21601'];

const createJob = (renditions: RenditionName[], changes: Partial<EncodeJob> = {}): EncodeJob => ({
  master: { file: '/in/master', probe: createProbe() },
  analysis: createAnalysis(),
  targets: renditions.map((rendition) => ({ rendition, to: `/out/${rendition}` })),
  ...changes,
});

describe('ffmpeg arguments', () => {
  it('read the header with a forced format and allow only files', () => {
    expect(buildProbeArgs('/in/a', 'mp3')).toEqual([
      ...START,
      '-copyts',
      ...openInput('mp3', '/in/a'),
      ...pack('-map_metadata', '0:g', '-f', 'ffmetadata', 'pipe:1'),
    ]);
  });

  it('read the tags of an Ogg file from its stream', () => {
    expect(buildProbeArgs('/in/a', 'ogg').slice(-5)).toEqual([
      ...pack('-map_metadata', '0:s:0', '-f', 'ffmetadata', 'pipe:1'),
    ]);
  });

  it('measure loudness and output mono samples in one decode', () => {
    expect(buildAnalysisArgs('/in/a', createProbe({ container: 'flac' }))).toEqual([
      ...START,
      ...PROGRESS,
      ...openInput('flac', '/in/a'),
      ...pack('-map', '0:a:0', ...WHOLE, '-af'),
      'aformat=channel_layouts=stereo,ebur128=peak=true:framelog=verbose,aresample=44100,' +
        'pan=mono|c0=0.5*c0+0.5*c1',
      ...pack('-c:a', 'pcm_s16le', '-f', 's16le', 'pipe:1'),
    ]);
  });

  it('measure again behind the limiter', () => {
    const plan = { gainDb: 6, isLimited: true };
    expect(buildRemeasureArgs('/in/a', createProbe(), plan).slice(-7)).toEqual([
      ...pack('-t', '21601', '-af'),
      'aformat=channel_layouts=stereo,aresample=44100,volume=6dB,aresample=88200,' +
        'alimiter=limit=0.7079:attack=5:release=80:level=false,aresample=44100,' +
        'ebur128=framelog=verbose:peak=sample',
      ...pack('-f', 'null', '-'),
    ]);
  });

  it('copy the attached picture unchanged', () => {
    expect(buildCoverArgs('/in/a', 'm4a', '/out/picture')).toEqual([
      ...START,
      ...openInput('mov', '/in/a'),
      ...pack(
        '-map',
        '0:v:0',
        '-c:v',
        'copy',
        '-frames:v',
        '1',
        '-f',
        'image2pipe',
        'file:/out/picture',
      ),
    ]);
  });

  it('encode the stream and the data saver from one decode', () => {
    expect(buildEncodeArgs(createJob(['stream', 'dataSaver']), 'opus')).toEqual([
      ...START,
      ...PROGRESS,
      ...openInput('wav', '/in/master'),
      ...pack(...TARGET, ...WHOLE, '-af'),
      'aformat=channel_layouts=stereo,aresample=44100,volume=-5dB',
      ...pack('-c:a', 'libmp3lame', '-b:a', '192k', '-compression_level', '7', '-ar', '44100'),
      ...pack('-id3v2_version', '3', '-write_id3v1', '0', '-f', 'mp3', '-fs', '10116608'),
      ...pack(...EXACT, 'file:/out/stream'),
      ...pack(...TARGET, ...WHOLE, '-af'),
      'aformat=channel_layouts=stereo,aresample=48000,volume=-5dB',
      ...pack(
        '-c:a',
        'libopus',
        '-b:a',
        '64k',
        '-cues_to_front',
        '1',
        '-f',
        'webm',
        '-fs',
        '8964608',
      ),
      ...pack(...EXACT, 'file:/out/dataSaver'),
    ]);
  });

  it('fall back to AAC without an Opus encoder', () => {
    const args = buildEncodeArgs(createJob(['dataSaver']), 'aac').join(' ');
    expect(args).toContain('-c:a aac -b:a 64k -movflags +faststart -f ipod');
  });

  it('cut the preview at its start, a little under its full length, with fades', () => {
    const previewBytes = String(Math.ceil((PREVIEW_SECONDS - 0.1) * 192 * 150) + 8 * 1024 ** 2);
    const args = buildEncodeArgs(createJob(['preview'], { previewStart: 12 }), 'opus');
    expect(args.slice(START.length + PROGRESS.length, -4)).toEqual([
      ...pack('-ss', '12.000', ...openInput('wav', '/in/master')),
      ...pack(...TARGET, '-t', (PREVIEW_SECONDS - 0.1).toFixed(3), '-af'),
      'aformat=channel_layouts=stereo,aresample=44100,volume=-5dB,afade=t=in:d=0.3,' +
        `afade=t=out:st=${(PREVIEW_SECONDS - 1.1).toFixed(3)}:d=1`,
      ...pack('-c:a', 'libmp3lame', '-b:a', '192k', '-compression_level', '7', '-ar', '44100'),
      ...pack('-id3v2_version', '3', '-write_id3v1', '0', '-f', 'mp3', '-fs', previewBytes),
      '-fflags',
    ]);
  });

  it('end a preview with the track', () => {
    const job = createJob(['preview'], { previewStart: 55 });
    expect(buildEncodeArgs(job, 'opus').join(' ')).toContain('-t 5.000 -af');
  });

  it('cannot combine the preview with another rendition', () => {
    expect(() => buildEncodeArgs(createJob(['preview', 'stream']), 'opus')).toThrow('cannot share');
  });

  it('write tags and cover into both downloads', () => {
    const job = createJob(['mp3', 'flac'], {
      tags: { title: 'Week 12', artist: 'DJ', bpm: 124, year: 2026 },
      coverFile: '/in/cover.jpg',
    });
    const cover = [
      ...pack('-map', '1:v:0', '-c:v', 'copy', '-disposition:v:0', 'attached_pic'),
      ...pack('-metadata:s:v:0', 'title=Album cover', '-metadata:s:v:0', 'comment=Cover (front)'),
    ];
    const tags = ['-metadata', 'title=Week 12', '-metadata', 'artist=DJ', '-metadata', 'date=2026'];
    expect(buildEncodeArgs(job, 'opus')).toEqual([
      ...START,
      ...PROGRESS,
      ...openInput('wav', '/in/master'),
      ...pack('-protocol_whitelist', 'file,pipe', '-f', 'jpeg_pipe', '-i', 'file:/in/cover.jpg'),
      ...pack(...TARGET, ...WHOLE, '-af', 'aformat=channel_layouts=stereo,aresample=44100'),
      ...pack('-c:a', 'libmp3lame', '-b:a', '320k', '-compression_level', '7', '-ar', '44100'),
      ...pack(
        ...cover,
        ...tags,
        '-metadata',
        'TBPM=124',
        '-id3v2_version',
        '3',
        '-write_id3v1',
        '0',
      ),
      ...pack('-f', 'mp3', '-fs', '11268608', ...EXACT, 'file:/out/mp3'),
      ...pack(...TARGET, ...WHOLE, '-c:a', 'flac', '-compression_level', '5', '-sample_fmt', 's16'),
      ...pack(...cover, ...tags, '-metadata', 'BPM=124'),
      ...pack('-f', 'flac', '-fs', '21089408', ...EXACT, 'file:/out/flac'),
    ]);
  });

  it('keep 24 bits in the FLAC of a 24-bit master', () => {
    const probe = createProbe({ codec: 'pcm_s24le', bitDepth: 24 });
    const job = createJob(['flac'], { master: { file: '/in/master', probe } });
    expect(buildEncodeArgs(job, 'opus').join(' ')).toContain('-sample_fmt s32');
  });

  it('copy the frames of an MP3 master that already fits, and of a FLAC master', () => {
    const mp3 = createProbe({ container: 'mp3', codec: 'mp3', bitRate: 192_000, bitDepth: null });
    const fits = { integrated: -14.2, truePeak: -1.4, range: 4, threshold: -24 };
    const job = createJob(['stream', 'mp3'], {
      master: { file: '/in/master', probe: mp3 },
      analysis: createAnalysis({ loudness: fits }),
    });
    const args = buildEncodeArgs(job, 'opus').join(' ');
    expect(args.match(/-c:a copy/g)).toHaveLength(2);
    expect(args).not.toContain('libmp3lame');
    const flac = createProbe({ container: 'flac', codec: 'flac' });
    expect(
      buildEncodeArgs(createJob(['flac'], { master: { file: '/in/m', probe: flac } }), 'opus'),
    ).toContain('copy');
  });

  it.each([
    ['a loud one', { integrated: -9, truePeak: -1.4 }, 192_000],
    ['one with hot peaks', { integrated: -14, truePeak: -0.3 }, 192_000],
    ['one of a higher bit rate', { integrated: -14, truePeak: -3 }, 320_000],
  ])('encode the stream of an MP3 master again when it is %s', (_, loudness, bitRate) => {
    const probe = createProbe({ container: 'mp3', codec: 'mp3', bitRate });
    const job = createJob(['stream'], {
      master: { file: '/in/master', probe },
      analysis: createAnalysis({ loudness: { range: 1, threshold: -24, ...loudness } }),
    });
    expect(buildEncodeArgs(job, 'opus')).toContain('libmp3lame');
  });

  it('limit between the samples when gain alone would clip', () => {
    const analysis = createAnalysis({ normalisation: { gainDb: 6, isLimited: true } });
    expect(buildEncodeArgs(createJob(['stream'], { analysis }), 'opus')).toContain(
      'aformat=channel_layouts=stereo,aresample=44100,volume=6dB,aresample=88200,' +
        'alimiter=limit=0.7079:attack=5:release=80:level=false,aresample=44100',
    );
  });

  it.each([
    [44_100, 44_100],
    [88_200, 44_100],
    [22_050, 44_100],
    [48_000, 48_000],
    [96_000, 48_000],
    [192_000, 48_000],
  ])('encode a master of %i Hz at %i Hz', (from, to) => {
    expect(pickMp3Rate(from)).toBe(to);
  });

  it('pass any text as one argument', () => {
    const title = '$(reboot) "; -i /etc/passwd\n=';
    const args = buildEncodeArgs(createJob(['mp3'], { tags: { title } }), 'opus');
    expect(args).toContain(`title=${title}`);
  });
});

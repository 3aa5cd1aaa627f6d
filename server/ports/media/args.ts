import { PLAYED_KILOBITS } from '#contract/rules/data-use.ts';
import type { DownloadFormat, RenditionName } from '../../db/types/tables.ts';
import { LIMITS } from './limits.ts';
import { buildNormaliseFilters, canCopyToStream } from './loudness.ts';
import type {
  Container,
  DownloadTags,
  EncodeJob,
  Master,
  MediaProbe,
  Normalisation,
  ReplayGain,
} from './media.ts';
import { PREVIEW_FILE_SECONDS } from './preview-window.ts';

const DEMUXERS: Record<Container, string> = {
  mp3: 'mp3',
  aac: 'aac',
  m4a: 'mov',
  flac: 'flac',
  wav: 'wav',
  aiff: 'aiff',
  ogg: 'ogg',
};

const PCM = ['s16', 's24', 's32', 'f32', 'f64'].flatMap((kind) => [
  `pcm_${kind}le`,
  `pcm_${kind}be`,
]);

/** ffmpeg opens no other decoder, whatever the container claims. */
const DECODERS = ['mp3float', 'mp3', 'aac', 'alac', 'flac', 'vorbis', 'opus', 'libopus', ...PCM];

/** `-f mp3` as one would type it in a shell. */
export const flags = (text: string): string[] => text.split(' ');

const BOUNDED = ['-max_alloc', String(LIMITS.allocationBytes)];
export const GLOBAL = ['-hide_banner', '-nostdin', '-nostats', '-y', ...BOUNDED];
const PROGRESS = ['-stats_period', '1', '-progress', 'pipe:2'];
export const FILES_ONLY = ['-protocol_whitelist', 'file,pipe'];
const MAX_LENGTH = ['-t', String(LIMITS.maxSeconds + 1)];
const STEREO = 'aformat=channel_layouts=stereo';

/** ffmpeg neither guesses the format nor opens anything but the file itself. */
export const buildInputArgs = (file: string, container: Container): string[] => [
  ...FILES_ONLY,
  '-codec_whitelist',
  DECODERS.join(','),
  '-f',
  DEMUXERS[container],
  '-i',
  `file:${file}`,
];

/** Prints streams, tags and chapters, whose times count from the start of the file. An Ogg file keeps its tags in the stream. */
export const buildProbeArgs = (file: string, container: Container): string[] => [
  ...GLOBAL,
  '-copyts',
  ...buildInputArgs(file, container),
  '-map_metadata',
  container === 'ogg' ? '0:s:0' : '0:g',
  ...flags('-f ffmetadata pipe:1'),
];

/** Prints the ID3 tag that begins at a byte of the file. What follows isn't decoded. */
export const buildId3Args = (file: string, at: number): string[] => [
  ...GLOBAL,
  ...FILES_ONLY,
  '-skip_initial_bytes',
  String(at),
  ...flags('-codec_whitelist pcm_s16le -f s16le -i'),
  `file:${file}`,
  ...flags('-f ffmetadata pipe:1'),
];

const buildDecodeArgs = (file: string, container: Container): string[] => [
  ...GLOBAL,
  ...PROGRESS,
  ...buildInputArgs(file, container),
  ...flags('-map 0:a:0'),
  ...MAX_LENGTH,
];

const LOUDNESS = 'ebur128=peak=true:framelog=verbose';

/** One decode: loudness in the log, mono samples on the pipe. */
export const buildAnalysisArgs = (file: string, probe: MediaProbe): string[] => [
  ...buildDecodeArgs(file, probe.container),
  '-af',
  [STEREO, LOUDNESS, `aresample=${probe.sampleRate}`, 'pan=mono|c0=0.5*c0+0.5*c1'].join(','),
  ...flags('-c:a pcm_s16le -f s16le pipe:1'),
];

/** MP3 supports few rates; one of the same family keeps the resampling exact. */
export const pickMp3Rate = (sampleRate: number): number =>
  sampleRate % 48_000 === 0 || sampleRate === 24_000 ? 48_000 : 44_100;

const toStereo = (rate: number) => `${STEREO},aresample=${rate}`;

const normalise = (plan: Normalisation, rate: number, precision: 'exact' | 'quick'): string[] => [
  toStereo(rate),
  ...buildNormaliseFilters(plan, rate, precision),
];

/** Measures the loudness that a limited rendition would have. */
export const buildRemeasureArgs = (
  file: string,
  probe: MediaProbe,
  plan: Normalisation,
): string[] => [
  ...buildDecodeArgs(file, probe.container),
  '-af',
  [
    ...normalise(plan, pickMp3Rate(probe.sampleRate), 'exact'),
    'ebur128=framelog=verbose:peak=sample',
  ].join(','),
  ...flags('-f null -'),
];

/** Copies the attached picture unchanged. */
export const buildCoverArgs = (file: string, container: Container, to: string): string[] => [
  ...GLOBAL,
  ...buildInputArgs(file, container),
  ...flags('-map 0:v:0 -c:v copy -frames:v 1 -f image2pipe'),
  `file:${to}`,
];

export type DataSaverCodec = 'opus' | 'aac';

export const describeRendition = (
  rendition: RenditionName,
  dataSaverCodec: DataSaverCodec,
): { mime: string; extension: string } => {
  if (rendition === 'flac') return { mime: 'audio/flac', extension: 'flac' };
  if (rendition !== 'dataSaver') return { mime: 'audio/mpeg', extension: 'mp3' };
  return dataSaverCodec === 'opus'
    ? { mime: 'audio/webm; codecs=opus', extension: 'webm' }
    : { mime: 'audio/mp4', extension: 'm4a' };
};

/** The audio frames can be copied: faster, and nothing is lost. */
function canCopy(
  rendition: RenditionName,
  { probe }: Master,
  loudness: EncodeJob['analysis']['loudness'],
): boolean {
  switch (rendition) {
    case 'stream':
      return canCopyToStream(probe, loudness);
    case 'mp3':
      return probe.container === 'mp3';
    case 'flac':
      return probe.container === 'flac';
    case 'dataSaver':
    case 'preview':
      return false;
  }
}

const KILOBITS = { ...PLAYED_KILOBITS, mp3: 320 } as const;

const getBitRate = (rendition: keyof typeof KILOBITS): string => `${KILOBITS[rendition]}k`;

const SLACK_BYTES = 8 * 1024 ** 2;

/** No valid output reaches this size. */
export function limitOutputBytes(
  rendition: RenditionName,
  probe: MediaProbe,
  seconds: number,
): number {
  const duration = rendition === 'preview' ? Math.min(seconds, PREVIEW_FILE_SECONDS) : seconds;
  const bitsPerSecond =
    rendition === 'flac'
      ? probe.sampleRate * probe.channels * (probe.bitDepth ?? 24)
      : KILOBITS[rendition] * 1000;
  return Math.ceil((duration * bitsPerSecond * 1.2) / 8) + SLACK_BYTES;
}

const ID3 = ['-id3v2_version', '3', '-write_id3v1', '0'];
const mp3Args = (rendition: 'stream' | 'preview' | 'mp3', rate: number): string[] => [
  ...flags('-c:a libmp3lame -b:a'),
  getBitRate(rendition),
  ...flags('-compression_level 7 -ar'),
  String(rate),
];
const DATA_SAVER_ARGS: Record<DataSaverCodec, string[]> = {
  opus: ['-c:a', 'libopus', '-b:a', getBitRate('dataSaver'), '-cues_to_front', '1', '-f', 'webm'],
  aac: ['-c:a', 'aac', '-b:a', getBitRate('dataSaver'), '-movflags', '+faststart', '-f', 'ipod'],
};

const FADE_IN_SECONDS = 0.3;
const FADE_OUT_SECONDS = 1;

function previewArgs(job: EncodeJob, rate: number): string[] {
  const left = job.analysis.durationSeconds - (job.previewStart ?? 0);
  const length = Math.min(PREVIEW_FILE_SECONDS, left);
  const fadeOutAt = Math.max(0, length - FADE_OUT_SECONDS).toFixed(3);
  const filters = [
    ...normalise(job.analysis.normalisation, rate, 'exact'),
    `afade=t=in:d=${FADE_IN_SECONDS}`,
    `afade=t=out:st=${fadeOutAt}:d=${FADE_OUT_SECONDS}`,
  ];
  return ['-t', length.toFixed(3), '-af', filters.join(','), ...mp3Args('preview', rate), ...ID3];
}

const formatReplayGain = (gain: ReplayGain | undefined) => ({
  REPLAYGAIN_TRACK_GAIN: gain && `${gain.trackGainDb.toFixed(2)} dB`,
  REPLAYGAIN_TRACK_PEAK: gain?.trackPeak.toFixed(6),
});

function tagArgs(tags: DownloadTags | undefined, bpmName: string): string[] {
  if (!tags) return [];
  const { year, bpm, title, artist, albumArtist, album, genre, comment } = tags;
  const artists = { artist, album_artist: albumArtist };
  const texts = { title, ...artists, album, genre, comment, date: year?.toString() };
  const named = { ...texts, [bpmName]: bpm?.toString(), ...formatReplayGain(tags.replayGain) };
  return Object.entries(named).flatMap(([name, value]) =>
    value ? ['-metadata', `${name}=${value}`] : [],
  );
}

const EMBED_COVER = [
  '-map',
  '1:v:0',
  '-c:v',
  'copy',
  '-disposition:v:0',
  'attached_pic',
  '-metadata:s:v:0',
  'title=Album cover',
  '-metadata:s:v:0',
  'comment=Cover (front)',
];

function flacArgs(probe: MediaProbe): string[] {
  const format = (probe.bitDepth ?? 16) > 16 ? 's32' : 's16';
  return ['-c:a', 'flac', '-compression_level', '5', '-sample_fmt', format];
}

/** Codec, filters and tags of one target, without its input, its limits and its path. */
function buildTargetArgs(
  job: EncodeJob,
  rendition: RenditionName,
  dataSaverCodec: DataSaverCodec,
): string[] {
  const { probe } = job.master;
  const rate = pickMp3Rate(probe.sampleRate);
  const isCopied = canCopy(rendition, job.master, job.analysis.loudness);
  const cover = job.coverFile ? EMBED_COVER : [];
  switch (rendition) {
    case 'stream': {
      const filters = normalise(job.analysis.normalisation, rate, 'exact').join(',');
      const audio = isCopied ? ['-c:a', 'copy'] : ['-af', filters, ...mp3Args('stream', rate)];
      return [...audio, ...ID3, '-f', 'mp3'];
    }
    case 'dataSaver':
      return [
        '-af',
        normalise(job.analysis.normalisation, 48_000, 'quick').join(','),
        ...DATA_SAVER_ARGS[dataSaverCodec],
      ];
    case 'preview':
      return [...previewArgs(job, rate), '-f', 'mp3'];
    case 'mp3': {
      const audio = isCopied ? ['-c:a', 'copy'] : ['-af', toStereo(rate), ...mp3Args('mp3', rate)];
      return [...audio, ...cover, ...tagArgs(job.tags, 'TBPM'), ...ID3, '-f', 'mp3'];
    }
    case 'flac': {
      const audio = isCopied ? ['-c:a', 'copy'] : flacArgs(probe);
      return [...audio, ...cover, ...tagArgs(job.tags, 'BPM'), '-f', 'flac'];
    }
  }
}

export type ChapterFile = { format: DownloadFormat; path: string };

/**
 * Nothing of the master's own texts. Chapters come from an input of their own: as frames of an MP3,
 * as comments of a FLAC.
 */
function mapTexts(rendition: RenditionName, files: readonly ChapterFile[], before: number) {
  const index = files.findIndex(({ format }) => format === rendition);
  if (index < 0) return flags('-map_metadata -1 -map_chapters -1');
  const input = String(before + index);
  const [tags, chapters] = rendition === 'mp3' ? ['-1', input] : [input, '-1'];
  // One for each kind: `-map_metadata -1` would take the titles of the chapters too.
  return ['-map_metadata:g', tags, '-map_metadata:s', '-1', '-map_chapters', chapters];
}

/** Encodes every target from one decode. A preview seeks to its start, so it runs alone. */
export function buildEncodeArgs(
  job: EncodeJob,
  dataSaverCodec: DataSaverCodec,
  chapterFiles: readonly ChapterFile[] = [],
): string[] {
  const { file, probe } = job.master;
  const isPreview = job.targets.some(({ rendition }) => rendition === 'preview');
  if (isPreview && job.targets.length > 1)
    throw new Error('A preview cannot share its decode with another rendition.');
  const seek = isPreview ? ['-ss', (job.previewStart ?? 0).toFixed(3)] : [];
  const cover = job.coverFile
    ? [...FILES_ONLY, '-f', 'jpeg_pipe', '-i', `file:${job.coverFile}`]
    : [];
  const chapters = chapterFiles.flatMap(({ path }) => [
    ...FILES_ONLY,
    ...flags('-f ffmetadata -i'),
    `file:${path}`,
  ]);
  const targets = job.targets.flatMap(({ rendition, to }) => [
    ...flags('-map 0:a:0'),
    ...mapTexts(rendition, chapterFiles, job.coverFile ? 2 : 1),
    ...(rendition === 'preview' ? [] : MAX_LENGTH),
    ...buildTargetArgs(job, rendition, dataSaverCodec),
    '-fs',
    String(limitOutputBytes(rendition, probe, job.analysis.durationSeconds)),
    ...flags('-fflags +bitexact -flags:a +bitexact'),
    `file:${to}`,
  ]);
  return [
    ...GLOBAL,
    ...PROGRESS,
    ...seek,
    ...buildInputArgs(file, probe.container),
    ...cover,
    ...chapters,
    ...targets,
  ];
}

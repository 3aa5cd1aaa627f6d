import type { Chapter } from '#contract/tracks.ts';
import type { RenditionName } from '../../db/types/tables.ts';
import type { Refusal } from './refusals.ts';

/** What the bytes of a file are, and so the demuxer that may read them. */
export type Container = 'mp3' | 'aac' | 'm4a' | 'flac' | 'wav' | 'aiff' | 'ogg';

export type TimedChapter = Chapter & { at: number };

/** Defaults for the track: plain, bounded text. */
export type MediaTags = {
  title?: string;
  artist?: string;
  album?: string;
  genre?: string;
  comment?: string;
  bpm?: number;
  year?: number;
  /** In the order of their times. */
  chapters?: TimedChapter[];
};

export type MediaProbe = {
  container: Container;
  codec: string;
  /** Only a lossless master gets a FLAC. */
  isLossless: boolean;
  sampleRate: number;
  channels: number;
  bitDepth: number | null;
  /** As the header declares; null if it does not, and `analyse` measures it. */
  durationSeconds: number | null;
  /** Guessed from size and bit rate, so not reliable. */
  isDurationEstimated: boolean;
  /** Bits per second. */
  bitRate: number | null;
  hasCover: boolean;
  /** Why an embedded cover cannot be used. The audio is not affected. */
  coverRefusal: Refusal | null;
  tags: MediaTags;
};

export type Loudness = {
  /** LUFS. */
  integrated: number;
  /** dBTP. */
  truePeak: number;
  /** LU. */
  range: number;
  /** LUFS, the gate of the integrated loudness. */
  threshold: number;
};

/** How a rendition reaches the target loudness. */
export type Normalisation = {
  gainDb: number;
  /** Gain alone would push peaks over the ceiling, so a limiter is needed. */
  isLimited: boolean;
};

export type Analysis = {
  /** Measured by decoding. */
  durationSeconds: number;
  loudness: Loudness;
  normalisation: Normalisation;
  /** About 1,600 values from 0 to 1, evenly spread, the highest is 1. */
  peaks: number[];
  /** Mean square of every second, for `pickPreviewStart`. */
  energy: number[];
};

/** How much louder or quieter a player plays it, so that all mixes are equally loud. */
export type ReplayGain = { trackGainDb: number; trackPeak: number };

export type DownloadTags = MediaTags & {
  title: string;
  albumArtist?: string;
  replayGain?: ReplayGain;
};

export type Master = { file: string; probe: MediaProbe };

export type EncodeJob = {
  master: Master;
  analysis: Pick<Analysis, 'durationSeconds' | 'loudness' | 'normalisation'>;
  /** Written from one decode. Each appears at `to` complete or not at all. */
  targets: { rendition: RenditionName; to: string }[];
  /** Second of the track where the preview starts. */
  previewStart?: number;
  /** Written into the downloads only. */
  tags?: DownloadTags;
  /** A JPEG of `normaliseCover`, embedded in the downloads only. */
  coverFile?: string;
};

export type Encoded = {
  rendition: RenditionName;
  file: string;
  bytes: number;
  mime: string;
  extension: string;
};

/** The marked seconds of a stored file. */
export type ClipSound = {
  source: string;
  /** Whole seconds. */
  from: number;
  seconds: number;
  /** A WAV of exactly these seconds. */
  to: string;
};

/** Pictures that were drawn for a clip, and how they move. */
export type ClipVideo = {
  /** The WAV of `cutSound`. */
  sound: string;
  seconds: number;
  width: number;
  /** PNGs. */
  base: string;
  /** The bars of the whole clip, lit and dim, with half the width of the video before and after. */
  wave: { heard: string; rest: string; top: number; height: number };
  /** Shown from one second to another. */
  labels: { file: string; top: number; from: number; to: number }[];
  to: string;
};

export type RunOptions = {
  signal?: AbortSignal;
  /** From 0 to 1, never decreasing. */
  onProgress?: (done: number) => void;
};

/**
 * Everything the product needs from audio files. A bad file throws `MediaRefused`; any other error
 * is ours or the machine's, and a retry may help.
 */
export type Media = {
  engine: { kind: 'native' | 'wasm'; version: string; dataSaverCodec: 'opus' | 'aac' };
  /** Reads only headers and tags. */
  probe: (file: string, options?: RunOptions) => Promise<MediaProbe>;
  /** Tags from the start of a file that is still arriving; empty if there are none yet. */
  readTags: (file: string, options?: RunOptions) => Promise<MediaTags>;
  /** Decodes the whole file once: loudness, peaks, energy and the real duration. */
  analyse: (master: Master, options?: RunOptions) => Promise<Analysis>;
  /** The embedded picture unchanged, for `normaliseCover`; null if there is none. */
  extractCover: (master: Master, options?: RunOptions) => Promise<Uint8Array | null>;
  /** A drawing of ours as a JPEG, for a download without a cover. */
  convertDrawing: (svg: string) => Promise<Uint8Array>;
  encode: (job: EncodeJob, options?: RunOptions) => Promise<Encoded[]>;
  /** Decodes some seconds of a file, and nothing around them, into a WAV. */
  cutSound: (cut: ClipSound, options?: RunOptions) => Promise<void>;
  /** MP3. */
  encodeSound: (wav: string, to: string, options?: RunOptions) => Promise<void>;
  /** H.264 and AAC in an MP4. */
  makeVideo: (video: ClipVideo, options?: RunOptions) => Promise<void>;
};

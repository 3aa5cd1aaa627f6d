import type { RenditionName } from '../../db/tables.ts';
import type { Refusal } from './refusals.ts';

/** What the bytes are, found from the bytes alone: the demuxer that may read them. */
export type Container = 'mp3' | 'aac' | 'm4a' | 'flac' | 'wav' | 'aiff' | 'ogg';

/** Defaults for the track, plain text, bounded. */
export type MediaTags = {
  title?: string;
  artist?: string;
  album?: string;
  genre?: string;
  comment?: string;
  bpm?: number;
  year?: number;
};

export type MediaProbe = {
  container: Container;
  codec: string;
  /** The codec loses nothing, so that a FLAC of it is worth having. */
  isLossless: boolean;
  sampleRate: number;
  channels: number;
  bitDepth: number | null;
  /** As the header promises; null where it does not, `analyse` then finds the truth. */
  durationSeconds: number | null;
  /** The duration is guessed from size and bit rate, so that it proves nothing. */
  isDurationEstimated: boolean;
  /** Bits per second. */
  bitRate: number | null;
  hasCover: boolean;
  /** A cover that is there but cannot be used. The audio is not affected by it. */
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
  /** Gain alone would push peaks over the ceiling, so that a limiter holds them. */
  isLimited: boolean;
};

export type Analysis = {
  /** Decoded, not promised. */
  durationSeconds: number;
  loudness: Loudness;
  normalisation: Normalisation;
  /** About 1,600 values from 0 to 1, evenly spread, the highest is 1. */
  peaks: number[];
  /** Mean square of every second, for `pickPreviewStart`. */
  energy: number[];
};

export type DownloadTags = {
  title: string;
  artist?: string;
  album?: string;
  genre?: string;
  comment?: string;
  bpm?: number;
  year?: number;
};

export type Master = { file: string; probe: MediaProbe };

export type EncodeJob = {
  master: Master;
  analysis: Pick<Analysis, 'durationSeconds' | 'loudness' | 'normalisation'>;
  /** Written side by side from one decode. Each appears at `to` whole or not at all. */
  targets: { rendition: RenditionName; to: string }[];
  /** Second of the mix at which the preview begins. */
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

export type RunOptions = {
  signal?: AbortSignal;
  /** From 0 to 1, never backwards. */
  onProgress?: (done: number) => void;
};

/**
 * Everything the product asks of an audio file. A file at fault throws `MediaRefused`; any other
 * error is ours or the machine's, and trying again may help.
 */
export type Media = {
  engine: { kind: 'native' | 'wasm'; version: string; dataSaverCodec: 'opus' | 'aac' };
  /** Reads headers and tags only. */
  probe: (file: string, options?: RunOptions) => Promise<MediaProbe>;
  /** What the beginning of a file says, while the rest is on its way; empty where it says nothing yet. */
  readTags: (file: string, options?: RunOptions) => Promise<MediaTags>;
  /** Decodes the whole file once: loudness, peaks, energy and the true duration. */
  analyse: (master: Master, options?: RunOptions) => Promise<Analysis>;
  /** The embedded picture as it is, for `normaliseCover`; null where there is none. */
  extractCover: (master: Master, options?: RunOptions) => Promise<Uint8Array | null>;
  encode: (job: EncodeJob, options?: RunOptions) => Promise<Encoded[]>;
};

import type { Loudness, MediaProbe, Normalisation, ReplayGain } from './media.ts';

const TARGET_LUFS = -14;
const PEAK_CEILING_DB = -1;
/** Lossy encoders overshoot peaks, so peaks stay this far below the ceiling. */
const CODEC_MARGIN_DB = 1.5;
/** Lower, because a limiter creates many peaks and the encoder overshoots each of them. */
const LIMITER_CEILING_DB = -3;

const SILENCE_LUFS = -60;
const MAX_GAIN_DB = 30;
/** A smaller difference between two tracks is inaudible. */
const COPY_TOLERANCE_LU = 0.5;
const STREAM_BIT_RATE = 192_000;

const roundTo = (value: number, digits: number) => Number(value.toFixed(digits));

/** The summary that ffmpeg's `ebur128` prints when its input ends. */
export function parseLoudness(log: string): Loudness {
  const summary = log.slice(log.lastIndexOf('Summary:'));
  const read = (name: string) => {
    const value = new RegExp(`^ +${name}: +(-?inf|nan|-?[\\d.]+)`, 'm').exec(summary)?.[1];
    if (value === undefined) throw new Error(`ffmpeg did not report its loudness (${name}).`);
    return value === '-inf' || value === 'nan' ? -120 : Number(value);
  };
  return {
    integrated: read('I'),
    truePeak: read('Peak'),
    range: read('LRA'),
    threshold: read('Threshold'),
  };
}

export const isSilent = (loudness: Loudness): boolean => loudness.integrated <= SILENCE_LUFS;

export function planNormalisation(loudness: Loudness): Normalisation {
  const gainDb = roundTo(Math.min(MAX_GAIN_DB, TARGET_LUFS - loudness.integrated), 2);
  return {
    gainDb,
    isLimited: loudness.truePeak + gainDb > PEAK_CEILING_DB - CODEC_MARGIN_DB,
  };
}

/** The loudness that players with ReplayGain 2.0 aim at. */
const REPLAY_GAIN_LUFS = -18;

/** For the downloads, which have the loudness of the master. */
export const buildReplayGain = ({ integrated, truePeak }: Loudness): ReplayGain => ({
  trackGainDb: roundTo(REPLAY_GAIN_LUFS - integrated, 2),
  trackPeak: roundTo(10 ** (truePeak / 20), 6),
});

/** Adds back the loudness that the limiter removed, as measured behind it. */
export const correctGain = (plan: Normalisation, measured: Loudness): Normalisation => ({
  ...plan,
  gainDb: roundTo(Math.min(MAX_GAIN_DB, plan.gainDb + TARGET_LUFS - measured.integrated), 2),
});

export const isOnTarget = (loudness: Loudness, tolerance = COPY_TOLERANCE_LU): boolean =>
  Math.abs(loudness.integrated - TARGET_LUFS) <= tolerance;

/** An MP3 that already matches the stream is copied: encoding it again would only lose quality. */
export const canCopyToStream = (probe: MediaProbe, loudness: Loudness): boolean =>
  probe.container === 'mp3' &&
  probe.bitRate !== null &&
  probe.bitRate <= STREAM_BIT_RATE * 1.02 &&
  [44_100, 48_000].includes(probe.sampleRate) &&
  isOnTarget(loudness) &&
  loudness.truePeak < PEAK_CEILING_DB;

/**
 * Filters that bring a stereo signal to the target loudness. Peaks between samples only show at a
 * higher rate: `exact` limits there, at half the cost of an encode.
 */
export function buildNormaliseFilters(
  { gainDb, isLimited }: Normalisation,
  sampleRate: number,
  precision: 'exact' | 'quick',
): string[] {
  const volume = `volume=${gainDb}dB`;
  if (!isLimited) return [volume];
  const limit = (10 ** (LIMITER_CEILING_DB / 20)).toFixed(4);
  const limiter = `alimiter=limit=${limit}:attack=5:release=80:level=false`;
  return precision === 'quick'
    ? [volume, limiter]
    : [volume, `aresample=${sampleRate * 2}`, limiter, `aresample=${sampleRate}`];
}

import { HOUR } from '#contract/rules/time.ts';
/** What one file may cost. Everything a hostile upload can make large has its bound here. */
export const LIMITS = {
  bytes: 4 * 1024 ** 3,
  minSeconds: 1,
  maxSeconds: 6 * 3600,
  minSampleRate: 8_000,
  maxSampleRate: 384_000,
  maxChannels: 8,
  /** One allocation inside ffmpeg; the whole process has `processBytes`. */
  allocationBytes: 256 * 1024 ** 2,
  processBytes: 3 * 1024 ** 3,
  coverBytes: 20 * 1024 ** 2,
  coverSide: 10_000,
  coverPixels: 64_000_000,
  decodeErrors: 10,
} as const;

const BASE_MS = 60_000;
const CAP_MS = 6 * HOUR;

/** Real time is far slower than any machine that could serve the site, so reaching it is a fault. */
export const timeLimitMs = (audioSeconds: number, outputs = 1): number =>
  Math.min(CAP_MS, BASE_MS + Math.ceil(audioSeconds * 1000) * Math.max(1, outputs));

/** A file may promise more than it holds by this much: encoders round their own padding. */
export const durationToleranceSeconds = (declaredSeconds: number): number =>
  0.5 + declaredSeconds / 1000;

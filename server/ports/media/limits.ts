import { HOUR, MINUTE } from '#contract/rules/time.ts';

/** Limits for one file: everything that a hostile upload could make large. */
export const LIMITS = {
  bytes: 4 * 1024 ** 3,
  minSeconds: 1,
  maxSeconds: 6 * 3600,
  minSampleRate: 8_000,
  maxSampleRate: 384_000,
  maxChannels: 8,
  /** For one allocation inside ffmpeg; `processBytes` limits the whole process. */
  allocationBytes: 256 * 1024 ** 2,
  processBytes: 3 * 1024 ** 3,
  coverBytes: 20 * 1024 ** 2,
  coverSide: 10_000,
  coverPixels: 64_000_000,
  decodeErrors: 10,
} as const;

const BASE_MS = MINUTE;
const CAP_MS = 6 * HOUR;

/** Any machine that can serve the site works far faster than real time; slower means a bad file. */
export const timeLimitMs = (audioSeconds: number, outputs = 1): number =>
  Math.min(CAP_MS, BASE_MS + Math.ceil(audioSeconds * 1000) * Math.max(1, outputs));

/** How much shorter than declared a file may be: encoders round their own padding. */
export const durationToleranceSeconds = (declaredSeconds: number): number =>
  0.5 + declaredSeconds / 1000;

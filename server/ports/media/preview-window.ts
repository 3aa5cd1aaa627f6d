import { PREVIEW_SECONDS } from '#contract/rules/preview.ts';

/** How the key of a preview’s file ends: with where it starts. */
export const endPreviewKey = (startMs: number): string => `-preview-${startMs}`;

/** Where the preview in a file starts; null for a key that doesn't say it. */
export function readPreviewStart(key: string): number | null {
  const [, start] = /-preview-(\d+)\.[a-z0-9]+$/.exec(key) ?? [];
  return start === undefined ? null : Number(start);
}

/** A little shorter, so that players that ignore the encoder's padding stay under the limit too. */
export const PREVIEW_FILE_SECONDS = PREVIEW_SECONDS - 0.1;
/** From this length on, the intro and the outro are left out: they say little about a track. */
const LONG_TRACK_SECONDS = 120;
const EDGE_SHARE = 0.1;

/** The whole second where the part with the most energy begins; the earliest of equals. */
export function pickPreviewStart(energy: readonly number[], durationSeconds: number): number {
  const lastStart = Math.floor(durationSeconds - PREVIEW_SECONDS);
  if (lastStart <= 0) return 0;
  const edge = durationSeconds >= LONG_TRACK_SECONDS ? Math.floor(durationSeconds * EDGE_SHARE) : 0;
  const [from, to] = [edge, Math.max(edge, Math.min(lastStart, lastStart - edge))];
  let sum = 0;
  for (let second = from; second < from + PREVIEW_SECONDS; second += 1) sum += energy[second] ?? 0;
  let best = from;
  let bestSum = sum;
  for (let start = from + 1; start <= to; start += 1) {
    sum += (energy[start + PREVIEW_SECONDS - 1] ?? 0) - (energy[start - 1] ?? 0);
    // Rounding errors must not decide between equals.
    if (sum > bestSum * (1 + 1e-9) + 1e-12) [best, bestSum] = [start, sum];
  }
  return best;
}

/** Moves a start that an administrator chose inside the track. */
export const clampPreviewStart = (start: number, durationSeconds: number): number =>
  Math.max(0, Math.min(start, durationSeconds - PREVIEW_SECONDS));

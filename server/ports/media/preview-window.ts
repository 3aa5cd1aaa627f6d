/** What the file may hold. Players that know nothing of an encoder's padding still stay under 20 s. */
export const PREVIEW_FILE_SECONDS = 19.9;
const WINDOW_SECONDS = 20;
/** An intro or a fade-out says little about a mix that is long enough to choose from. */
const LONG_MIX_SECONDS = 120;
const EDGE_SHARE = 0.1;

/** The whole second at which the 20 seconds with the most energy begin; the earliest of equals. */
export function pickPreviewStart(energy: readonly number[], durationSeconds: number): number {
  const lastStart = Math.floor(durationSeconds - WINDOW_SECONDS);
  if (lastStart <= 0) return 0;
  const edge = durationSeconds >= LONG_MIX_SECONDS ? Math.floor(durationSeconds * EDGE_SHARE) : 0;
  const [from, to] = [edge, Math.max(edge, Math.min(lastStart, lastStart - edge))];
  let sum = 0;
  for (let second = from; second < from + WINDOW_SECONDS; second += 1) sum += energy[second] ?? 0;
  let best = from;
  let bestSum = sum;
  for (let start = from + 1; start <= to; start += 1) {
    sum += (energy[start + WINDOW_SECONDS - 1] ?? 0) - (energy[start - 1] ?? 0);
    // Adding and subtracting leaves dust that must not decide between equals.
    if (sum > bestSum * (1 + 1e-9) + 1e-12) [best, bestSum] = [start, sum];
  }
  return best;
}

/** A start that an administrator chose, brought inside the mix. */
export const clampPreviewStart = (start: number, durationSeconds: number): number =>
  Math.max(0, Math.min(start, durationSeconds - WINDOW_SECONDS));

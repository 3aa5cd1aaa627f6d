/** A picture of bars is this wide for each of them, and 100 high. */
export const BAR_PITCH_PX = 5;

/** Bars stay visible before the peaks are known and where the audio is silent. */
const LOWEST_BAR = 0.03;

/** The loudest peak of each part; linear interpolation if there are fewer peaks than bars. */
export function resamplePeaks(peaks: readonly number[], count: number): number[] {
  return Array.from({ length: count }, (_, i) => {
    const from = (i * peaks.length) / count;
    const to = ((i + 1) * peaks.length) / count;
    const height =
      peaks.length >= count
        ? findLoudest(peaks, Math.floor(from), Math.ceil(to))
        : interpolate(peaks, (from + to) / 2 - 0.5);
    return Math.min(1, Math.max(LOWEST_BAR, Number.isFinite(height) ? height : 0));
  });
}

/** Looks at `from` in any case. Without a copy of the part: a page has more than a thousand bars. */
function findLoudest(peaks: readonly number[], from: number, to: number): number {
  let loudest = peaks[from] ?? 0;
  for (let i = from + 1; i < to; i += 1) loudest = Math.max(loudest, peaks[i] ?? 0);
  return loudest;
}

function interpolate(peaks: readonly number[], at: number): number {
  const index = Math.max(0, Math.min(peaks.length - 1, at));
  const low = peaks[Math.floor(index)] ?? 0;
  const high = peaks[Math.ceil(index)] ?? 0;
  return low + (high - low) * (index - Math.floor(index));
}

/** The bars of the preview in the whole track; at least one, or no one would see it. */
export function placePreview(
  { from, seconds }: { from: number; seconds: number },
  duration: number,
  count: number,
): { from: number; to: number } {
  const first = Math.min(count - 1, Math.floor((from / duration) * count));
  const last = Math.min(count, Math.round(((from + seconds) / duration) * count));
  return { from: Math.max(0, first), to: Math.max(last, first + 1) };
}

const placeBar = (index: number): number => (index + 0.5) * BAR_PITCH_PX;

/** The part of the plane where bars are drawn: they stand on the line at 0. */
export const frameBars = (count: number): string => `0 -100 ${count * BAR_PITCH_PX} 100`;

/**
 * Vertical strokes of the bars `from` to `to`, as the path of an SVG. From the top down, so that each
 * height is named once: pages bring thousands of bars.
 */
export function drawBars(bars: readonly number[], from: number, to: number): string {
  const strokes: string[] = [];
  let lastX = 0;
  for (let i = from; i < to; i += 1) {
    const bar = bars[i] ?? 0;
    if (bar <= 0) continue;
    const x = placeBar(i);
    strokes.push(`${lastX ? 'm' : 'M'}${x - lastX}-${Math.round(bar * 100)}V0`);
    lastX = x;
  }
  return strokes.join('');
}

/** The same from the line up, so that the dots of dotted bars are in rows. */
export const drawBarsUp = (bars: readonly number[], from: number, to: number): string =>
  bars
    .slice(from, to)
    .map((bar, i) => (bar > 0 ? `M${placeBar(from + i)} 0v-${Math.round(bar * 100)}` : ''))
    .join('');

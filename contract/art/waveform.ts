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
        ? Math.max(...peaks.slice(Math.floor(from), Math.max(Math.ceil(to), Math.floor(from) + 1)))
        : interpolate(peaks, (from + to) / 2 - 0.5);
    return Math.min(1, Math.max(LOWEST_BAR, Number.isFinite(height) ? height : 0));
  });
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

/** Vertical strokes of the bars `from` to `to`, as the path of an SVG. */
export function drawBars(bars: readonly number[], from: number, to: number): string {
  let path = '';
  let [lastX, lastHeight] = [0, 0];
  for (const [i, bar] of bars.slice(from, to).entries()) {
    if (bar <= 0) continue;
    const [x, height] = [(from + i + 0.5) * BAR_PITCH_PX, Math.round(bar * 100)];
    path += `${path ? `m${x - lastX} ${lastHeight}` : `M${x} 100`}v-${height}`;
    [lastX, lastHeight] = [x, height];
  }
  return path;
}

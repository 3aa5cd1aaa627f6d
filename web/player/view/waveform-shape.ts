import { BAR_PITCH_PX, placePreview, resamplePeaks } from '#contract/art/waveform.ts';

/** Drawn to scale, the preview of an hour would be too narrow to see. */
export const PREVIEW_SHARE = 0.07;

/**
 * A waveform has one of these numbers of bars, stretched to its width: each serves the widths from
 * its own up to the next one's. So the server can draw them all, and the style sheet shows the right one.
 */
export const BAR_STEPS = [
  { from: 270, count: 72 },
  { from: 420, count: 104 },
  { from: 600, count: 150 },
  { from: 870, count: 216 },
  { from: 1250, count: 312 },
  { from: 1800, count: 450 },
] as const;

export const countBars = (width: number): number =>
  BAR_STEPS.findLast(({ from }) => width >= from)?.count ??
  Math.max(0, Math.floor(width / BAR_PITCH_PX));

/** The peaks of a part of the track. */
export function cutPeaks(
  peaks: readonly number[],
  duration: number,
  { from, seconds }: { from: number; seconds: number },
): readonly number[] {
  if (duration <= 0) return peaks;
  const first = Math.floor((from / duration) * peaks.length);
  const last = Math.ceil(((from + seconds) / duration) * peaks.length);
  return peaks.slice(first, Math.max(last, first + 1));
}

type WaveformShape = {
  /** Height of each bar, 0 to 1; 0 is the gap where a chapter starts. */
  bars: readonly number[];
  /** The playable ones: from the first up to, but not including, the last. */
  open: { from: number; to: number };
};

export type WaveformSource = {
  peaks: readonly number[];
  duration: number;
  /** Where the chapters start, in seconds of the track. */
  chapters: readonly number[];
  /** The playable seconds; null if the whole track is. */
  preview: { from: number; seconds: number } | null;
  scale: PreviewScale;
};

/**
 * How wide a preview is: `preview` gives it the whole width, `limit` a small part before the locked
 * rest, and `track` its true place in the whole track.
 */
export type PreviewScale = 'preview' | 'limit' | 'track';

export function shapeWaveform(source: WaveformSource, count: number): WaveformShape {
  const { peaks, duration, chapters, preview } = source;
  if (!preview) {
    const gaps = new Set(chapters.map((at) => (at > 0 ? Math.floor((at / duration) * count) : -1)));
    const bars = resamplePeaks(peaks, count).map((bar, i) => (gaps.has(i) ? 0 : bar));
    return { bars, open: { from: 0, to: count } };
  }
  if (source.scale === 'track')
    return { bars: resamplePeaks(peaks, count), open: placePreview(preview, duration, count) };
  const audible = cutPeaks(peaks, duration, preview);
  if (source.scale === 'preview')
    return { bars: resamplePeaks(audible, count), open: { from: 0, to: count } };
  const to = Math.min(count, Math.max(1, Math.round(count * PREVIEW_SHARE)));
  return {
    bars: [...resamplePeaks(audible, to), ...resamplePeaks(peaks, count - to)],
    open: { from: 0, to },
  };
}

const STEPS = new Map([
  ['ArrowLeft', -5],
  ['ArrowDown', -5],
  ['ArrowRight', 5],
  ['ArrowUp', 5],
  ['PageDown', -30],
  ['PageUp', 30],
]);

/** The second a key seeks to; null for a key that doesn't seek. */
export function seekByKey(key: string, time: number, max: number): number | null {
  if (key === 'Home') return 0;
  if (key === 'End') return max;
  const step = STEPS.get(key);
  return step === undefined ? null : Math.min(max, Math.max(0, time + step));
}

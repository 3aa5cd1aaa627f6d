import { resamplePeaks, placePreview } from '#contract/art/waveform.ts';
import {
  countBeyond,
  MAX_CLIP_SECONDS,
  MIN_CLIP_SECONDS,
  type Span,
} from '#contract/rules/clips.ts';

/** The seconds of a mix that are marked. */
export type Selection = { start: number; seconds: number };

/** How much of the mix the editor shows: seconds have to be wide enough to be pointed at. */
const VIEW_SECONDS = 120;

const clamp = (value: number, from: number, to: number): number =>
  Math.max(from, Math.min(to, value));

/** Whole seconds inside the mix, of a length that a clip may have. */
export function fitSelection({ start, seconds }: Selection, duration: number): Selection {
  const end = Math.floor(duration);
  const length = clamp(Math.round(seconds), MIN_CLIP_SECONDS, MAX_CLIP_SECONDS);
  const first = clamp(Math.round(start), 0, Math.max(0, end - MIN_CLIP_SECONDS));
  return { start: first, seconds: Math.min(length, end - first) };
}

/** What has just played, or the first seconds of a mix that doesn't play. */
export const lastSeconds = (position: number, duration: number): Selection =>
  fitSelection(
    { start: Math.max(0, Math.floor(position) - MAX_CLIP_SECONDS), seconds: MAX_CLIP_SECONDS },
    duration,
  );

/** Keeps the length, also at the end of the mix. */
export const moveTo = ({ seconds }: Selection, start: number, duration: number): Selection => {
  const length = Math.min(seconds, Math.floor(duration));
  return fitSelection(
    { start: clamp(start, 0, Math.floor(duration) - length), seconds: length },
    duration,
  );
};

/** Moves the end and keeps the start. */
export const endAt = ({ start }: Selection, end: number, duration: number): Selection =>
  fitSelection({ start, seconds: end - start }, duration);

/** The part of the mix around the selection: the same as before, as long as that has it. */
export function findView(selection: Selection, duration: number, before?: Span): Span {
  const { start, seconds } = selection;
  if (before && start >= before.from && start + seconds <= before.to) return before;
  const length = Math.min(VIEW_SECONDS, duration);
  const from = clamp(Math.round(start + seconds / 2 - length / 2), 0, duration - length);
  return { from, to: from + length };
}

export const toSpan = ({ start, seconds }: Selection): Span => ({
  from: start,
  to: start + seconds,
});

/** How many seconds a clip would give away that aren't public yet. */
export const countNew = (selection: Selection, free: readonly Span[]): number =>
  countBeyond([toSpan(selection)], free);

const STEPS = new Map([
  ['ArrowLeft', -1],
  ['ArrowDown', -1],
  ['ArrowRight', 1],
  ['ArrowUp', 1],
  ['PageDown', -10],
  ['PageUp', 10],
]);

/** By how many seconds a key moves a handle; null for one that doesn't. */
export const stepOf = (key: string): number | null => STEPS.get(key) ?? null;

/** Bars of a waveform, of which some are bright. */
export type ClipShape = { bars: number[]; from: number; to: number };

/** A part of a mix, to scale. */
export function shapeView(
  peaks: readonly number[],
  { view, lit }: { view: Span; lit: Span },
  count: number,
): ClipShape {
  const part = { from: lit.from - view.from, seconds: lit.to - lit.from };
  return {
    bars: resamplePeaks(peaks, count),
    ...placePreview(part, view.to - view.from, count),
  };
}

/** To scale, 20 seconds of an hour would be a single bar. */
const CLIP_SHARE = 0.28;

/** The whole mix, with the clip so wide that it can be seen. */
export function shapeWhole(
  peaks: readonly number[],
  { lit, duration }: { lit: Span; duration: number },
  count: number,
): ClipShape {
  const rest = duration - (lit.to - lit.from);
  const share = Math.max(CLIP_SHARE, (lit.to - lit.from) / duration);
  const width = Math.min(count, Math.max(1, Math.round(count * share)));
  const from = rest <= 0 ? 0 : Math.round((count - width) * (lit.from / rest));
  const cut = (start: number, end: number, bars: number) => {
    if (bars === 0) return [];
    const first = Math.floor((start / duration) * peaks.length);
    const last = Math.max(first + 1, Math.ceil((end / duration) * peaks.length));
    return resamplePeaks(peaks.slice(first, last), bars);
  };
  return {
    bars: [
      ...cut(0, lit.from, from),
      ...cut(lit.from, lit.to, width),
      ...cut(lit.to, duration, count - width - from),
    ],
    from,
    to: from + width,
  };
}

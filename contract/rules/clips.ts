import { PREVIEW_SECONDS } from './preview.ts';

/** How long a clip may be, in whole seconds. */
export const MIN_CLIP_SECONDS = 3;
export const MAX_CLIP_SECONDS = 20;

/** The default of how many seconds of a mix all clips together give away, beyond its preview. */
export const DEFAULT_CLIP_LIMIT = 60;

/** WhatsApp turns larger videos away from a status, or squeezes them. */
export const MAX_CLIP_BYTES = 3_000_000;

/** Whole seconds of a mix: `from` is the first, `to` the first that doesn't belong to it. */
export type Span = { from: number; to: number };

/** The same seconds as spans that neither touch nor overlap, in order. */
export function joinSpans(spans: readonly Span[]): Span[] {
  const joined: Span[] = [];
  for (const { from, to } of spans.toSorted((a, b) => a.from - b.from)) {
    if (to <= from) continue;
    const last = joined.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else joined.push({ from, to });
  }
  return joined;
}

const addUp = (spans: readonly Span[]): number =>
  joinSpans(spans).reduce((sum, { from, to }) => sum + to - from, 0);

/** How many seconds of `spans` are not in `others`. */
export const countBeyond = (spans: readonly Span[], others: readonly Span[]): number =>
  addUp([...spans, ...others]) - addUp(others);

/** The seconds that a preview covers from their start to their end. */
export const previewSpan = (start: number, duration: number): Span => ({
  from: Math.ceil(start),
  to: Math.floor(Math.min(start + PREVIEW_SECONDS, duration)),
});

/**
 * What everyone learns of a mix by a clip that needs so many new seconds, for whoever marks it, and
 * as the refusal if that is too much.
 */
export function describeClipCost(cost: number, left: number): string {
  if (cost === 0) return 'These seconds are public already.';
  const after = left - cost;
  if (after > 1) return `Everyone can hear it. ${after} seconds are left after this clip.`;
  if (after >= 0)
    return `Everyone can hear it. ${after === 1 ? 'One second is' : 'No seconds are'} left after this clip.`;
  return left === 0
    ? 'This mix has no clip seconds left. Choose seconds that are public already.'
    : `This mix has ${left} clip ${left === 1 ? 'second' : 'seconds'} left, and this clip needs ${cost}. Make it shorter, or choose seconds that are public already.`;
}

type Chapter = { at: number | null };

/** What plays between two seconds, one after the other. Before the first time that is known, nothing is. */
export function listPlaying<C extends Chapter>(
  chapters: readonly C[],
  { from, to }: Span,
): { chapter: C; from: number; to: number }[] {
  const timed = chapters
    .flatMap((chapter) => (chapter.at === null ? [] : [{ chapter, at: chapter.at }]))
    .toSorted((a, b) => a.at - b.at);
  return timed.flatMap(({ chapter, at }, index) => {
    const start = Math.max(from, at);
    const end = Math.min(to, timed[index + 1]?.at ?? Infinity);
    return end > start ? [{ chapter, from: start, to: end }] : [];
  });
}

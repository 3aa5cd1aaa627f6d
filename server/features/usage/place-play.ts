import { PREVIEW_SECONDS } from '#contract/rules/preview.ts';
import type { PlaysTable } from '../../db/types/listening-tables.ts';
import type { HeardKind } from '../../db/types/usage-tables.ts';
import type { Span } from './measure-entries.ts';

export type Play = Pick<
  PlaysTable,
  'is_subscriber' | 'source' | 'started_at' | 'listened_ms' | 'position_ms'
>;

/** The audio that a play heard. */
export type Audio = { durationMs: number; previewStartMs: number };

type PlacedPlay = {
  kind: HeardKind;
  seconds: number;
  /** Null if no second of it can be placed. */
  span: Span | null;
  unplacedSeconds: number;
};

const toSeconds = (milliseconds: number): number => Math.round(milliseconds / 1000);

/**
 * Where in a mix a play was heard: what was heard ends where the listener was last. What doesn't fit
 * before that was heard elsewhere, before a jump, or was heard again: a preview has no more than its
 * own seconds, however often it is played. Its positions are in the mix, too.
 */
export function placePlay(play: Play, { durationMs, previewStartMs }: Audio): PlacedPlay {
  const isPreview = play.is_subscriber === 0;
  const isFromApp = play.source === 'subsonic';
  const seconds = toSeconds(play.listened_ms);
  const start = isPreview ? toSeconds(previewStartMs) : 0;
  const longest = Math.min(seconds, isPreview ? PREVIEW_SECONDS : seconds);
  // An app that only says that a mix was heard most likely played it from the start.
  const isEstimate = isFromApp && play.position_ms === 0;
  const position = isEstimate ? start + longest : toSeconds(play.position_ms);
  const to = Math.min(position, toSeconds(durationMs));
  // A position before the start is of a preview that has been moved since.
  const from = Math.max(to < start ? 0 : start, to - longest);
  const span: Span | null = from < to ? [from, to] : null;
  return {
    kind: isPreview ? 'preview' : isFromApp ? 'subsonic' : 'full',
    seconds,
    span,
    unplacedSeconds: span ? seconds - (to - from) : seconds,
  };
}

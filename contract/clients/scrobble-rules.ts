import type { Chapter } from '../tracks.ts';
import { MINUTE, SECOND } from '../rules/time.ts';

/** Last.fm and ListenBrainz agree on these: half of it, or four minutes, if it is longer than this. */
const SHORTEST_MS = 30 * SECOND;
const ENOUGH_MS = 4 * MINUTE;
/** After a longer pause, the same chapter is another listen. */
const PAUSE_MS = 30 * MINUTE;
/** Jumping back further than this in a chapter that counts already is another listen. */
const REPEAT_MS = 30 * SECOND;

/** The whole track, where nobody knows when its chapters begin. */
export const WHOLE_TRACK = -1;

/** What a listener hears at a time: a chapter, or the whole track. */
export type Segment = {
  /** Its index in the tracklist. */
  chapter: number;
  artist: string;
  title: string;
  startMs: number;
  endMs: number;
};

type Tracklist = {
  title: string;
  /** Who gets the credit for what has no artist of its own. */
  artist: string;
  durationMs: number;
  chapters: readonly Chapter[];
};

/** In the order they play. */
export function listSegments({ title, artist, durationMs, chapters }: Tracklist): Segment[] {
  const timed = chapters
    .flatMap(({ at, ...names }, chapter) =>
      at === null ? [] : [{ ...names, chapter, startMs: Math.round(at * 1000) }],
    )
    .filter(({ startMs }) => startMs < durationMs)
    .toSorted((a, b) => a.startMs - b.startMs);
  if (timed.length === 0)
    return [{ chapter: WHOLE_TRACK, artist, title, startMs: 0, endMs: durationMs }];
  return timed
    .map((each, index) => ({
      ...each,
      artist: each.artist ?? artist,
      endMs: timed[index + 1]?.startMs ?? durationMs,
    }))
    .filter(({ startMs, endMs }) => endMs > startMs);
}

/** How much of it must be heard; null if it is too short to count. */
export function findNeededMs({ startMs, endMs }: Pick<Segment, 'startMs' | 'endMs'>) {
  const length = endMs - startMs;
  return length > SHORTEST_MS ? Math.min(length / 2, ENOUGH_MS) : null;
}

/** What a listener is hearing, and how much of it. */
export type CurrentListen = {
  chapter: number;
  startedAt: number;
  heardMs: number;
  /** Where they were at that time. */
  positionMs: number;
  updatedAt: number;
  isScrobbled: boolean;
};

/** A part of a track that was heard without a gap until `now`. */
type HeardPart = { fromMs: number; toMs: number; now: number };

type Progress = {
  current: CurrentListen | null;
  /** What has just begun, if anything. */
  started: Segment | null;
  /** What counts from now on. */
  counted: { segment: Segment; listenedAt: number }[];
};

function isSameListen(current: CurrentListen, segment: Segment, fromMs: number, at: number) {
  if (current.chapter !== segment.chapter || at - current.updatedAt > PAUSE_MS) return false;
  return !current.isScrobbled || fromMs >= current.positionMs - REPEAT_MS;
}

/** Adds what was heard, chapter by chapter. */
export function addHeardPart(
  before: CurrentListen | null,
  segments: readonly Segment[],
  { fromMs, toMs, now }: HeardPart,
): Progress {
  const progress: Progress = { current: before, started: null, counted: [] };
  for (const segment of segments) {
    const [start, end] = [Math.max(fromMs, segment.startMs), Math.min(toMs, segment.endMs)];
    if (end <= start) continue;
    const [startedAt, updatedAt] = [now - (toMs - start), now - (toMs - end)];
    const { current } = progress;
    const isSame = current !== null && isSameListen(current, segment, start, startedAt);
    const earlier = isSame ? current : { startedAt, heardMs: 0, isScrobbled: false };
    const heardMs = earlier.heardMs + end - start;
    const neededMs = findNeededMs(segment);
    const isCounted = neededMs !== null && heardMs >= neededMs;
    progress.started = isSame ? null : segment;
    if (isCounted && !earlier.isScrobbled)
      progress.counted.push({ segment, listenedAt: earlier.startedAt });
    progress.current = {
      chapter: segment.chapter,
      startedAt: earlier.startedAt,
      heardMs,
      positionMs: end,
      updatedAt,
      isScrobbled: isCounted || earlier.isScrobbled,
    };
  }
  return progress;
}

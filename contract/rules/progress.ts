import { PREVIEW_SECONDS } from './preview.ts';
import { findEnding, findResumePosition, STARTED_AFTER_SECONDS } from './resume.ts';

/** Jumping to the ending is not enough: this share of the track must have been played. */
const LEAST_SHARE = 0.5;
/** Playing this share of a track finishes it, wherever playback stopped. */
const WHOLE_SHARE = 0.9;
/** The end of a preview is reported a moment late. */
export const PREVIEW_END_SECONDS = PREVIEW_SECONDS + 1;
/** The first minutes of an hour must be visible in a bar. */
const LEAST_SHOWN_SHARE = 0.05;

export type Listened = {
  durationMs: number;
  /** Where the user stopped last. */
  positionMs: number;
  /** How much of the track the user has listened to in total. */
  listenedMs: number;
  /** Previews only start a track; they never finish it. */
  hasFullAccess: boolean;
};

/** True when the user listened to the ending, or to nearly all of the track. */
export function isTrackFinished({ durationMs, positionMs, listenedMs, hasFullAccess }: Listened) {
  if (!hasFullAccess || durationMs <= 0) return false;
  const reachedEnding =
    positionMs >= findEnding(durationMs / 1000) * 1000 && listenedMs >= durationMs * LEAST_SHARE;
  return reachedEnding || listenedMs >= durationMs * WHOLE_SHARE;
}

/**
 * `heard` to the end, `started` (there is more to hear), `previewed` (the rest needs Premium) or
 * `unheard`. Every list, shelf, bar and count uses it; `isListened` is the same rule in SQL.
 */
export type ListeningState = 'heard' | 'started' | 'previewed' | 'unheard';

/** What a listening state depends on; times are in seconds. */
export type ListenedTrack = {
  duration: number;
  access: 'full' | 'preview';
  previewStart: number;
  progress: { position: number; listened: number; isFinished: boolean } | null;
};

/**
 * Skipping through a queue starts nothing, but jumping to the middle of a track does. A track left in
 * its ending counts as heard until it is played again.
 */
export function findListeningState(track: ListenedTrack): ListeningState {
  const { duration, access, previewStart, progress } = track;
  if (!progress) return 'unheard';
  if (progress.isFinished) return 'heard';
  const { position, listened } = progress;
  const inPreview = position - previewStart;
  const isPreview = inPreview >= 0 && inPreview <= PREVIEW_END_SECONDS;
  const isLong = listened >= STARTED_AFTER_SECONDS;
  // Someone whose subscription ended keeps what they started; only previews stay previews.
  if (isPreview && access === 'preview') return isLong ? 'previewed' : 'unheard';
  if (!isLong && position < STARTED_AFTER_SECONDS) return 'unheard';
  const isAtEnd = position >= Math.max(STARTED_AFTER_SECONDS, findEnding(duration));
  return isAtEnd && !isPreview ? 'heard' : 'started';
}

type Listening = {
  state: ListeningState;
  /** How much of the track is behind the user, from 0 to 1. */
  share: number;
  /** What is left from where the track resumes; 0 when it was heard. */
  secondsLeft: number;
};

export function findListening(track: ListenedTrack): Listening {
  const { duration, progress } = track;
  const state = findListeningState(track);
  if (!progress || state === 'unheard') return { state, share: 0, secondsLeft: duration };
  if (state === 'heard') return { state, share: 1, secondsLeft: 0 };
  const behind = state === 'previewed' ? 0 : findResumePosition(progress.position, duration);
  const share = Math.max(LEAST_SHOWN_SHARE, duration > 0 ? behind / duration : 0);
  return { state, share, secondsLeft: duration - behind };
}

/** A track is missed once its week is over and it was not listened to. */
export const isTrackMissed = (
  track: ListenedTrack & { year: number; weekNumber: number },
  thisWeek: { year: number; week: number },
): boolean =>
  findListeningState(track) === 'unheard' &&
  (track.year < thisWeek.year ||
    (track.year === thisWeek.year && track.weekNumber < thisWeek.week));

/** How far into the track the user got, in percent. */
export function findReach(
  { durationMs, positionMs }: Pick<Listened, 'durationMs' | 'positionMs'>,
  isFinished: boolean,
): number {
  if (isFinished) return 100;
  if (durationMs <= 0) return 0;
  return Math.min(100, Math.max(0, Math.floor((positionMs * 100) / durationMs)));
}

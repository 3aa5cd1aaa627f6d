import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PREVIEW_SECONDS } from './preview.ts';
import { findListening, isTrackFinished, isTrackMissed, type Listened } from './progress.ts';
import { findResumePosition, STARTED_AFTER_SECONDS } from './resume.ts';
import { HOUR, MINUTE } from './time.ts';

const hour: Listened = {
  durationMs: 60 * MINUTE,
  positionMs: 0,
  listenedMs: 0,
  hasFullAccess: true,
};
const short: Listened = { ...hour, durationMs: 100_000 };

describe('a track is finished', () => {
  it.each([
    ['played to its end', { ...hour, positionMs: 60 * MINUTE, listenedMs: 60 * MINUTE }],
    [
      'left in its last half minute',
      { ...hour, positionMs: 59.5 * MINUTE, listenedMs: 58 * MINUTE },
    ],
    ['played to its end with parts skipped', { ...hour, positionMs: HOUR, listenedMs: 1_800_000 }],
    ['played for nine tenths of its length', { ...hour, positionMs: 0, listenedMs: 54 * MINUTE }],
    ['short and left in its last fifth', { ...short, positionMs: 80_000, listenedMs: 50_000 }],
  ])('when it was %s', (_how, listened) => {
    expect(isTrackFinished(listened)).toBe(true);
  });

  it.each([
    ['only started', { ...hour, positionMs: 20_000, listenedMs: 20_000 }],
    ['left a minute before its end', { ...hour, positionMs: 59 * MINUTE, listenedMs: 53 * MINUTE }],
    ['jumped through to its end', { ...hour, positionMs: 60 * MINUTE, listenedMs: 29 * MINUTE }],
    ['short and left in its last third', { ...short, positionMs: 75_000, listenedMs: 75_000 }],
    ['of unknown length', { ...hour, durationMs: 0, positionMs: 9, listenedMs: 9 }],
  ])('but not when it was %s', (_how, listened) => {
    expect(isTrackFinished(listened)).toBe(false);
  });

  it('never by previews alone, however many', () => {
    const previews = { ...hour, positionMs: 60 * MINUTE, listenedMs: 600 * MINUTE };
    expect(isTrackFinished({ ...previews, hasFullAccess: false })).toBe(false);
  });
});

type Progress = { position: number } | null;

const tracks = fc
  .record({
    year: fc.integer({ min: 2025, max: 2026 }),
    weekNumber: fc.integer({ min: 1, max: 52 }),
    duration: fc.double({ min: 1, max: 7200, noNaN: true }),
    access: fc.constantFrom('full' as const, 'preview' as const),
    previewShare: fc.double({ min: 0, max: 0.9, noNaN: true }),
    progress: fc.option(
      fc.record({
        share: fc.double({ min: 0, max: 1, noNaN: true }),
        listened: fc.double({ min: 0, max: 9000, noNaN: true }),
        isFinished: fc.boolean(),
      }),
    ),
  })
  .map(({ previewShare, progress, ...track }) => ({
    ...track,
    previewStart: track.duration * previewShare,
    progress: progress && { ...progress, position: track.duration * progress.share },
  }));

const isInPreview = ({ previewStart, progress }: { previewStart: number; progress: Progress }) => {
  const seconds = (progress?.position ?? -1) - previewStart;
  return seconds >= 0 && seconds <= PREVIEW_SECONDS + 1;
};

describe('what a user has listened to', () => {
  it('was heard if it was finished, or left in its ending outside the preview', () => {
    fc.assert(
      fc.property(tracks, (track) => {
        const { progress, duration } = track;
        const ending = Math.max(15, duration - Math.min(30, duration * 0.2));
        const isLeftAtEnd = (progress?.position ?? 0) >= ending && !isInPreview(track);
        const isHeard = findListening(track).state === 'heard';
        expect(isHeard).toBe(progress?.isFinished === true || isLeftAtEnd);
      }),
    );
  });

  it('has nothing left if it was heard, and everything left if it was not listened to', () => {
    fc.assert(
      fc.property(tracks, (track) => {
        const { state, share, secondsLeft } = findListening(track);
        expect(secondsLeft === 0).toBe(state === 'heard');
        expect(share === 1).toBe(state === 'heard');
        expect(share === 0).toBe(state === 'unheard');
        if (state === 'unheard') expect(secondsLeft).toBe(track.duration);
      }),
    );
  });

  it('is started wherever playback would resume, with the rest of the track left', () => {
    fc.assert(
      fc.property(tracks, (any) => {
        const track = { ...any, access: 'full' as const };
        const { state, secondsLeft } = findListening(track);
        const resumed = findResumePosition(track.progress?.position ?? 0, track.duration);
        const left = state === 'started' ? track.duration - resumed : secondsLeft;
        expect(secondsLeft).toBe(left);
        expect(resumed > 0 && !['started', 'heard'].includes(state)).toBe(false);
      }),
    );
  });

  it('is not started by a few seconds at the beginning', () => {
    const few = fc.double({ min: 0, max: STARTED_AFTER_SECONDS - 0.001, noNaN: true });
    fc.assert(
      fc.property(tracks, few, few, (track, position, listened) => {
        const progress = { position, listened, isFinished: false };
        expect(findListening({ ...track, progress }).state).toBe('unheard');
      }),
    );
  });

  it('is never more than a preview without access, however often the preview was played', () => {
    const within = fc.double({ min: 0, max: PREVIEW_SECONDS, noNaN: true });
    fc.assert(
      fc.property(tracks, within, fc.nat(1000), (track, seconds, times) => {
        const position = track.previewStart + seconds;
        const listened = times * PREVIEW_SECONDS;
        const previews = { position, listened, isFinished: false };
        const { state } = findListening({ ...track, access: 'preview', progress: previews });
        expect(state).toBe(times === 0 ? 'unheard' : 'previewed');
      }),
    );
  });

  it('stays started for a subscriber whose subscription ended in the middle of it', () => {
    const progress = { position: 1800, listened: 1800, isFinished: false };
    const track = { duration: 3600, previewStart: 60, progress };
    expect(findListening({ ...track, access: 'full' }).state).toBe('started');
    expect(findListening({ ...track, access: 'preview' })).toMatchObject({
      state: 'started',
      secondsLeft: 1800,
    });
  });

  it('is missed if its week is over and it was not listened to', () => {
    const weeks = fc.record({
      year: fc.integer({ min: 2025, max: 2026 }),
      week: fc.integer({ min: 1, max: 52 }),
    });
    fc.assert(
      fc.property(tracks, weeks, (track, thisWeek) => {
        const isOver = track.year * 100 + track.weekNumber < thisWeek.year * 100 + thisWeek.week;
        const isUnheard = findListening(track).state === 'unheard';
        expect(isTrackMissed(track, thisWeek)).toBe(isOver && isUnheard);
      }),
    );
  });
});

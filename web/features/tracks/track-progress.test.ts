import { describe, expect, it } from 'vitest';
import { PREVIEW_SECONDS } from '#contract/rules/preview.ts';
import { buildPreview, buildTrack } from '#web/testing/build-track.ts';
import { describeProgress } from './track-progress.tsx';

const progressAt = (position: number, isFinished = false) => ({
  position,
  isFinished,
  listened: position,
  listenedAt: 1,
});
const describeAt = (position: number, isFinished = false, duration = 3600) =>
  describeProgress(buildTrack('a', { duration, progress: progressAt(position, isFinished) }));

describe('the progress of a track', () => {
  it('is null before the track was started', () => {
    expect(describeProgress(buildTrack('a'))).toBeNull();
    expect(describeAt(0)).toBeNull();
    expect(describeAt(14)).toBeNull();
  });

  it('is the time left and the share of the track', () => {
    expect(describeAt(900)).toEqual({ share: 0.25, text: '45 min left' });
    expect(describeAt(900, false, 5400)?.text).toBe('1 h 15 min left');
    expect(describeAt(20, false, 60)?.text).toBe('40 s left');
  });

  it('is a minute, never 60 seconds', () => {
    expect(describeAt(60.5, false, 120)?.text).toBe('1 min left');
    expect(describeAt(61, false, 120)?.text).toBe('59 s left');
  });

  it('is Heard for a finished track, whatever the position', () => {
    expect(describeAt(10, true)).toEqual({ share: 1, text: 'Heard' });
  });

  it('is a heard preview for a user without access, and never time left', () => {
    const previewStart = 1800;
    const progress = { ...progressAt(previewStart + PREVIEW_SECONDS), listened: PREVIEW_SECONDS };
    const track = buildPreview('p', { duration: 3600, previewStart, progress });
    expect(describeProgress(track)).toEqual({ share: 0, text: 'Preview heard' });
  });

  it('promises nothing to go on with once the subscription has ended', () => {
    const progress = { ...progressAt(1800), listened: 1800 };
    const track = buildPreview('p', { duration: 3600, previewStart: 0, progress });
    expect(describeProgress(track)).toEqual({ share: 0, text: 'Started' });
    const heard = { ...progress, isFinished: true };
    expect(describeProgress({ ...track, progress: heard })).toEqual({ share: 1, text: 'Heard' });
  });
});

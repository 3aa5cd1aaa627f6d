import { describe, expect, it } from 'vitest';
import { buildTrack } from '#web/testing/build-track.ts';
import { describeProgress } from './track-progress.tsx';

const stateOf = (position: number, isFinished = false) =>
  describeProgress(
    buildTrack('a', { duration: 300, progress: { position, isFinished, listenedAt: 1 } }),
  );

describe('the progress of a track', () => {
  it('is null before the track was started', () => {
    expect(describeProgress(buildTrack('a'))).toBeNull();
    expect(stateOf(0)).toBeNull();
  });

  it('is the position and the share of the track', () => {
    expect(stateOf(75)).toEqual({ share: 0.25, text: '1:15 of 5:00' });
    expect(stateOf(400)?.share).toBe(1);
  });

  it('is Heard for a finished track, whatever the position', () => {
    expect(stateOf(10, true)).toEqual({ share: 1, text: 'Heard' });
  });
});

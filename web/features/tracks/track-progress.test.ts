import { describe, expect, it } from 'vitest';
import { buildTrack } from '#web/player/testing/sample-tracks.ts';
import { describeProgress } from './track-progress.tsx';

const stateOf = (position: number, isFinished = false) =>
  describeProgress(
    buildTrack('a', { duration: 300, progress: { position, isFinished, listenedAt: 1 } }),
  );

describe('what a row says of how far one has come', () => {
  it('is nothing of a mix that was not started', () => {
    expect(describeProgress(buildTrack('a'))).toBeNull();
    expect(stateOf(0)).toBeNull();
  });

  it('is where one stopped, and how much of the mix that is', () => {
    expect(stateOf(75)).toEqual({ share: 0.25, text: '1:15 of 5:00' });
    expect(stateOf(400)?.share).toBe(1);
  });

  it('is that it was heard, wherever one is in it now', () => {
    expect(stateOf(10, true)).toEqual({ share: 1, text: 'Heard' });
  });
});

import { describe, expect, it } from 'vitest';
import { makeTrack } from '#web/player/testing/sample-tracks.ts';
import { readHeardState } from './heard-state.ts';

const stateOf = (position: number, isHeard = false) =>
  readHeardState(makeTrack('a', { duration: 300, progress: { position, isHeard, heardAt: 1 } }));

describe('what a row says of how far one has come', () => {
  it('is nothing of a mix that was not started', () => {
    expect(readHeardState(makeTrack('a'))).toBeNull();
    expect(stateOf(0)).toBeNull();
  });

  it('is where one stopped, and how much of the mix that is', () => {
    expect(stateOf(75)).toEqual({ share: 0.25, words: 'Stopped at 1:15' });
    expect(stateOf(400)?.share).toBe(1);
  });

  it('is that it was heard, wherever one is in it now', () => {
    expect(stateOf(10, true)).toEqual({ share: 1, words: 'Heard' });
  });
});

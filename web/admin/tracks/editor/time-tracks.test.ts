import { describe, expect, it } from 'vitest';
import { timeNext } from './time-tracks.tsx';

describe('noting when tracks start', () => {
  const chapter = (title: string, at: number | null) => ({ at, title, artist: null });

  it('gives the time to the first track without one', () => {
    const list = [chapter('A', 0), chapter('B', null), chapter('C', null)];
    expect(timeNext(list, 125.7)).toEqual([chapter('A', 0), chapter('B', 125), chapter('C', null)]);
  });

  it('changes nothing when every track has a time', () => {
    expect(timeNext([chapter('A', 0)], 10)).toEqual([chapter('A', 0)]);
  });
});

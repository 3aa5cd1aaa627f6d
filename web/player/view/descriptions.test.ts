import { describe, expect, it } from 'vitest';
import { findChapter } from './current-chapter.ts';
import { describeRemainder } from './preview-ended-panel.tsx';
import { describeSleepTimer } from './expanded-controls.tsx';

describe('the length of what follows the preview', () => {
  it.each([
    [78 * 60 + 15, '78 minutes'],
    [140, '2 minutes'],
    [95, '1 min 15 s'],
    [80, '1 minute'],
    [60, '40 seconds'],
    [21, '1 second'],
  ])('of %d seconds', (duration, words) => {
    expect(describeRemainder(duration)).toBe(words);
  });
});

describe('the sleep timer', () => {
  const now = 1_000_000;
  it('says when the music stops', () => {
    expect(describeSleepTimer(null, now)).toBe('Sleep timer');
    expect(describeSleepTimer({ kind: 'end-of-track' }, now)).toBe('Stops at the end of this mix');
    expect(describeSleepTimer({ kind: 'at', endsAt: now + 14.2 * 60_000 }, now)).toBe(
      'Stops in 15 minutes',
    );
    expect(describeSleepTimer({ kind: 'at', endsAt: now + 5_000 }, now)).toBe('Stops in 1 minute');
  });
});

describe('the chapter at a position', () => {
  const chapters = [
    { at: 10, title: 'First', artist: null },
    { at: 60, title: 'Second', artist: null },
  ];
  it.each([
    [0, undefined],
    [10, 'First'],
    [59.9, 'First'],
    [60, 'Second'],
    [999, 'Second'],
  ])('at %d seconds', (position, title) => {
    expect(findChapter(chapters, position)?.title).toBe(title);
  });
});

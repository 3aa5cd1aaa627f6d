import { describe, expect, it } from 'vitest';
import type { ChartEntry } from '#contract/charts.ts';
import {
  describeChart,
  describeNumberOne,
  describeMovement,
  explainRank,
  formatChartWeek,
} from './chart-text.ts';

const entry = (change: Partial<ChartEntry>) =>
  ({
    rank: 1,
    movement: null,
    previousRank: null,
    peak: 1,
    weeksOnChart: 1,
    recent: [null, null, null, null, null, null, null, 1],
    points: 0,
    subscriberDays: 0,
    freeDays: 0,
    ...change,
  }) as ChartEntry;

describe('the texts of the chart', () => {
  it('say which days count and which week the arrows compare with', () => {
    expect(describeChart(null, 2026)).toBe(
      'The most-played mixes of the last seven days. The chart is archived every Monday. An arrow shows a change since the week before.',
    );
    expect(describeChart('2026-W01', 2026)).toBe(
      'The most-played mixes of week 1, Monday to Sunday. An arrow shows a change since the week before.',
    );
    expect(formatChartWeek('2025-W07', 2026)).toBe('week 7 of 2025');
  });

  it.each([
    [{}, 'Straight in at number one'],
    [{ previousRank: 2, weeksOnChart: 9 }, 'Number one for the first time'],
    [
      { previousRank: 1, weeksOnChart: 3, recent: [null, null, null, null, null, 4, 1, 1] },
      'Number one again: 2 of the last 8 weeks',
    ],
    [
      { previousRank: 3, weeksOnChart: 3, recent: [null, null, null, null, null, 1, 3, 1] },
      'Back at number one',
    ],
  ])('describe the number one: %o', (change, text) => {
    expect(describeNumberOne(entry(change))).toBe(text);
  });

  it.each([
    [{ movement: 3 }, 'up', 'Up 3 places'],
    [{ movement: -1 }, 'down', 'Down 1 place'],
    [{ movement: 0 }, 'same', 'No change'],
    [{ movement: null, weeksOnChart: 1 }, 'new', 'New'],
    [{ movement: null, weeksOnChart: 4 }, 'back', 'Back'],
  ])('describe a movement: %o', (change, kind, text) => {
    expect(describeMovement(entry(change))).toEqual({ kind, text });
  });

  it('show the calculation behind a rank', () => {
    const sentences = explainRank(entry({ subscriberDays: 3, freeDays: 5, points: 4.25 }));
    expect(sentences[1]).toContain('3 + 5 × 0.25 = 4.25 points');
    expect(sentences[0]).toContain('3 subscribers and 5 free listeners');
    expect(sentences[2]).toBe('From one network, at most 5 visitors and new members count a day.');
  });
});

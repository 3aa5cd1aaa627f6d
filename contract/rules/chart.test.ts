import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  CHART_SIZE,
  daysOfWeek,
  daysUntil,
  isEarlierWeek,
  pointsOf,
  rankCandidates,
  RECENT_CHARTS,
  findStanding,
  weekAfter,
  type Candidate,
} from './chart.ts';

const candidate = (trackId: string, change: Partial<Candidate> = {}): Candidate => ({
  trackId,
  year: 2026,
  week: 40,
  subscriberDays: 0,
  freeDays: 0,
  ...change,
});
const order = (candidates: Candidate[]) => rankCandidates(candidates).map((entry) => entry.trackId);

describe('the ranking', () => {
  it("counts a subscriber's day as 1 and a free listener's as a quarter", () => {
    expect(pointsOf({ subscriberDays: 3, freeDays: 5 })).toBe(4.25);
    const paid = candidate('paid', { subscriberDays: 1 });
    const free = candidate('free', { freeDays: 5 });
    expect(order([paid, free])).toEqual(['free', 'paid']);
  });

  it('gives a tie to the newer week', () => {
    const older = candidate('older', { subscriberDays: 2, week: 52, year: 2025 });
    const newer = candidate('newer', { freeDays: 8, week: 3 });
    const newest = candidate('newest', { subscriberDays: 1, freeDays: 4, week: 4 });
    expect(order([older, newer, newest])).toEqual(['newest', 'newer', 'older']);
  });

  it('leaves out tracks without listeners and ranks at most twenty', () => {
    expect(order([candidate('silent')])).toEqual([]);
    const many = Array.from({ length: 30 }, (_, at) =>
      candidate(`track-${at}`, { subscriberDays: at + 1 }),
    );
    expect(order(many)).toHaveLength(CHART_SIZE);
    expect(order(many)[0]).toBe('track-29');
  });

  it('does not depend on the order of the tracks', () => {
    const tracks = fc.uniqueArray(
      fc.record({
        trackId: fc.string({ minLength: 1, maxLength: 4 }),
        year: fc.integer({ min: 2024, max: 2026 }),
        week: fc.integer({ min: 1, max: 53 }),
        subscriberDays: fc.nat(3),
        freeDays: fc.nat(8),
      }),
      { selector: (track) => track.trackId },
    );
    fc.assert(
      fc.property(tracks, (list) => {
        expect(order(list.toReversed())).toEqual(order(list));
      }),
    );
  });
});

describe('a rank', () => {
  it('is the peak of a new entry in its first week', () => {
    expect(findStanding(7, [])).toEqual({
      previousRank: null,
      peak: 7,
      weeksOnChart: 1,
      recent: [...Array.from({ length: RECENT_CHARTS - 1 }, () => null), 7],
    });
  });

  it('comes with the peak, the weeks on the chart and the last eight ranks', () => {
    const past = [
      { ago: 1, rank: 4 },
      { ago: 2, rank: 2 },
      { ago: 9, rank: 1 },
    ];
    expect(findStanding(3, past)).toEqual({
      previousRank: 4,
      peak: 1,
      weeksOnChart: 4,
      recent: [null, null, null, null, null, 2, 4, 3],
    });
  });

  it('has no movement for a re-entry', () => {
    expect(findStanding(5, [{ ago: 2, rank: 9 }])).toMatchObject({ previousRank: null, peak: 5 });
  });
});

describe('the days that count', () => {
  it('are Monday to Sunday for a week', () => {
    expect(daysOfWeek({ year: 2026, week: 46 })).toEqual({ from: '2026-11-09', to: '2026-11-15' });
    expect(daysOfWeek({ year: 2026, week: 1 })).toEqual({ from: '2025-12-29', to: '2026-01-04' });
  });

  it('are today and the six days before for the live chart', () => {
    expect(daysUntil('2026-03-03')).toEqual({ from: '2026-02-25', to: '2026-03-03' });
  });
});

describe('the week of a chart', () => {
  it('has a week before and after it, also at the turn of the year', () => {
    expect(weekAfter({ year: 2026, week: 53 })).toEqual({ year: 2027, week: 1 });
    expect(isEarlierWeek({ year: 2026, week: 53 }, { year: 2027, week: 1 })).toBe(true);
    expect(isEarlierWeek({ year: 2026, week: 9 }, { year: 2026, week: 9 })).toBe(false);
  });
});

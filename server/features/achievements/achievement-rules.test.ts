import { describe, expect, it } from 'vitest';
import {
  ACHIEVEMENTS,
  addPlay,
  NO_PLAYS,
  findProgress,
  type AchievementFacts,
  type PlayFacts,
} from './achievement-rules.ts';

const timeZone = 'Africa/Johannesburg';
const at = (time: string) => Date.parse(`${time}+02:00`);
const play = (time: string, publishedAt: number | null = null) => ({
  at: at(time),
  publishedAt,
  timeZone,
});
const after = (...times: string[]): PlayFacts =>
  times.reduce((facts, time) => addPlay(facts, play(time)), NO_PLAYS);

describe('plays count as', () => {
  it("a streak of weeks, Monday to Sunday in the site's time zone, each counted once", () => {
    const facts = after('2026-11-02T10:00', '2026-11-08T23:59', '2026-11-09T00:00');
    expect(facts).toMatchObject({ plays: 3, weekStreak: 2, bestStreak: 2, lastWeek: '2026-W46' });
  });

  it('a streak that ends with a missed week, and a best streak that stays', () => {
    const facts = after('2026-10-01T10:00', '2026-10-08T10:00', '2026-11-09T10:00');
    expect(facts).toMatchObject({ weekStreak: 1, bestStreak: 2 });
  });

  it('a streak across New Year', () => {
    expect(after('2026-12-31T10:00', '2027-01-04T10:00').weekStreak).toBe(2);
  });

  it('night plays, from midnight to 5 a.m.', () => {
    expect(after('2026-11-02T00:00', '2026-11-02T04:59', '2026-11-02T05:00').nightPlays).toBe(2);
  });

  it('early plays, within 24 hours of release', () => {
    const released = at('2026-11-06T17:00');
    const facts = ['2026-11-06T17:00', '2026-11-07T16:59', '2026-11-07T17:00'].reduce(
      (sum, time) => addPlay(sum, play(time, released)),
      NO_PLAYS,
    );
    expect(facts.earlyPlays).toBe(2);
  });
});

const nothing: AchievementFacts = {
  plays: 0,
  nightPlays: 0,
  earlyPlays: 0,
  bestStreak: 0,
  listenedHours: 0,
  finishedTracks: 0,
  favorites: 0,
  playlists: 0,
  yearShare: 0,
  isFounder: false,
};

describe('the achievements', () => {
  it('are a dozen or more, each with a unique name and a description', () => {
    expect(ACHIEVEMENTS.length).toBeGreaterThanOrEqual(12);
    expect(new Set(ACHIEVEMENTS.map(({ id }) => id)).size).toBe(ACHIEVEMENTS.length);
    expect(new Set(ACHIEVEMENTS.map(({ title }) => title)).size).toBe(ACHIEVEMENTS.length);
    for (const rule of ACHIEVEMENTS) expect(findProgress(rule, nothing)).toBe(0);
  });

  it('are reached at their goal and never exceed it', () => {
    const everything: AchievementFacts = { ...nothing, isFounder: true };
    for (const key of Object.keys(nothing) as (keyof AchievementFacts)[])
      if (key !== 'isFounder') everything[key] = 1_000_000;
    for (const rule of ACHIEVEMENTS) expect(findProgress(rule, everything)).toBe(rule.goal);
  });

  it('are not reached just below their goal', () => {
    const hours = ACHIEVEMENTS.find(({ id }) => id === 'hours-10');
    expect(hours && findProgress(hours, { ...nothing, listenedHours: 9.99 })).toBe(9);
  });
});

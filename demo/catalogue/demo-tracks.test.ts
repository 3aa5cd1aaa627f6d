import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { weekDays, weeksInYear } from '#contract/rules/weeks.ts';
import { STYLES } from '#demo/synth/genres/styles.ts';
import { parseKey } from '#demo/synth/music/scale.ts';
import { buildDemoTracks } from './demo-tracks.ts';
import { HOUR } from '#contract/rules/time.ts';

const today = fc
  .integer({ min: 2024, max: 2040 })
  .chain((year) =>
    fc.record({ year: fc.constant(year), week: fc.integer({ min: 1, max: weeksInYear(year) }) }),
  );

const NOVEMBER = { year: 2026, week: 46 };

describe('buildDemoTracks', () => {
  it('has at least 40 mixes in any week, including this week’s and none from the future', () => {
    fc.assert(
      fc.property(today, (now) => {
        const tracks = buildDemoTracks(now);
        const out = tracks.filter(({ isEarlyAccess }) => !isEarlyAccess);
        expect(out.length).toBeGreaterThanOrEqual(40);
        expect(out[0]).toMatchObject(now);
        for (const [year, inYear] of Map.groupBy(tracks, (track) => track.year)) {
          const lastWeek = Math.max(...inYear.map(({ week }) => week));
          expect(lastWeek).toBeLessThanOrEqual(weeksInYear(year));
        }
        for (const { year, week, publishedAt, isEarlyAccess } of tracks) {
          expect(year * 100 + week).toBeLessThanOrEqual(now.year * 100 + now.week);
          if (!isEarlyAccess) {
            const sinceMonday = publishedAt + 2 * HOUR - weekDays({ year, week }).monday;
            expect(Math.floor(sinceMonday / (7 * 24 * HOUR))).toBe(0);
          }
        }
        expect(tracks.filter(({ isEarlyAccess }) => isEarlyAccess)).toHaveLength(1);
        expect(tracks.filter(({ isSubscriberOnly }) => isSubscriberOnly).length).toBeGreaterThan(1);
        expect(tracks.filter(({ duration }) => duration > 1700).length).toBeGreaterThanOrEqual(2);
      }),
    );
  });

  it('repeats no id, title or description', () => {
    fc.assert(
      fc.property(today, (now) => {
        const tracks = buildDemoTracks(now);
        for (const field of ['id', 'seed', 'title', 'description'] as const) {
          expect(new Set(tracks.map((track) => track[field])).size).toBe(tracks.length);
        }
      }),
    );
  });

  it('is the same each time, and a new week doesn’t change earlier ones', () => {
    expect(buildDemoTracks(NOVEMBER)).toEqual(buildDemoTracks({ ...NOVEMBER }));
    const later = new Map(
      buildDemoTracks({ year: 2026, week: 48 }).map((track) => [track.id, track]),
    );
    for (const track of buildDemoTracks(NOVEMBER).filter(({ week }) => week < 46)) {
      expect(later.get(track.id)).toEqual(track);
    }
  });

  it('leaves two weeks empty and has two mixes in two others', () => {
    const tracks = buildDemoTracks(NOVEMBER).filter(({ isEarlyAccess }) => !isEarlyAccess);
    const perWeek = Map.groupBy(tracks, ({ week }) => week);
    const weeks = Array.from({ length: 46 }, (_, n) => n + 1);
    expect(weeks.filter((week) => !perWeek.has(week))).toEqual([14, 30]);
    expect(weeks.filter((week) => (perWeek.get(week)?.length ?? 0) > 1)).toEqual([12, 39]);
  });

  it('has every genre, and this week’s mix since Monday', () => {
    const tracks = buildDemoTracks(NOVEMBER);
    expect(new Set(tracks.map(({ genre }) => genre))).toEqual(new Set(STYLES));
    expect(tracks[0]?.publishedAt).toBe(weekDays(NOVEMBER).monday - 2 * HOUR);
  });

  it('describes every mix and lists its chapters in order within its duration', () => {
    for (const track of buildDemoTracks(NOVEMBER)) {
      expect(() => parseKey(track.key)).not.toThrow();
      expect(track.description.length).toBeGreaterThan(40);
      expect(Number.isInteger(track.duration)).toBe(true);
      if (track.duration < 1700) expect(track.duration).toBeLessThanOrEqual(180);
      expect(track.duration).toBeGreaterThanOrEqual(60);
      expect(track.chapters.length).toBeGreaterThanOrEqual(5);
      expect(track.chapters.length).toBeLessThanOrEqual(9);
      track.chapters.forEach(({ at, title, artist }, n) => {
        expect(at).toBeLessThan((track.chapters[n + 1]?.at ?? track.duration) - 4);
        expect(title).not.toBe('');
        expect(artist).toBeTruthy();
      });
      expect(new Set(track.chapters.map(({ title }) => title)).size).toBe(track.chapters.length);
    }
  });
});

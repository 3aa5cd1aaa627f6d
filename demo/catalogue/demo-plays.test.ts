import { describe, expect, it } from 'vitest';
import { Username } from '#contract/accounts.ts';
import { PREVIEW_SECONDS } from '#contract/rules/preview.ts';
import { buildDemoTracks } from './demo-tracks.ts';
import { demoListeners } from './demo-listeners.ts';
import { demoFavorites, demoPlays } from './demo-plays.ts';
import { DAY, MINUTE } from '#contract/rules/time.ts';

const NOW = Date.parse('2026-11-15T10:00:00Z');
const catalogue = buildDemoTracks({ year: 2026, week: 46 });
const listeners = demoListeners(1);
const plays = demoPlays(catalogue, listeners, NOW);
const trackOf = new Map(catalogue.map((track) => [track.id, track]));

describe('demoListeners', () => {
  it('have valid and unique usernames', () => {
    const names = listeners.map(({ username }) => username.toLowerCase());
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(Username.parse(name)).toBe(name);
  });

  it('are the same for the same seed', () => {
    expect(demoListeners(1)).toEqual(listeners);
    expect(demoListeners(2)).not.toEqual(listeners);
  });
});

describe('demoPlays', () => {
  it('are a few thousand over twelve weeks, in order, none in the future', () => {
    expect(plays.length).toBeGreaterThan(2000);
    expect(plays.length).toBeLessThan(8000);
    const times = plays.map(({ startedAt }) => startedAt);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(times[0]).toBeGreaterThan(NOW - 86 * DAY);
    for (const { startedAt, secondsListened } of plays) {
      expect(startedAt + secondsListened * 1000).toBeLessThanOrEqual(NOW);
    }
  });

  it('are of released mixes, and without a subscription only of the preview', () => {
    const subscribers = new Set(listeners.filter((one) => one.isSubscriber).map(({ id }) => id));
    for (const play of plays) {
      const track = trackOf.get(play.trackId);
      if (!track) throw new Error(`The catalogue has no track ${play.trackId}.`);
      expect(play.isSubscriber).toBe(subscribers.has(play.listenerId));
      expect(play.secondsListened).toBeLessThanOrEqual(track.duration);
      if (track.isEarlyAccess) expect(play.isSubscriber).toBe(true);
      else expect(play.startedAt).toBeGreaterThanOrEqual(track.publishedAt);
      if (!play.isSubscriber) expect(play.secondsListened).toBeLessThanOrEqual(PREVIEW_SECONDS);
      expect(play.isCompleted).toBe(play.isSubscriber && play.secondsListened === track.duration);
    }
  });

  it('repeat a mix only after the interval in which it counts once', () => {
    const lastPlayed = new Map<string, number>();
    for (const { listenerId, trackId, startedAt } of plays) {
      const key = `${listenerId} ${trackId}`;
      expect(startedAt - (lastPlayed.get(key) ?? 0)).toBeGreaterThan(30 * MINUTE);
      lastPlayed.set(key, startedAt);
    }
  });

  it('favor a few mixes and the recent weeks', () => {
    const counts = [...Map.groupBy(plays, ({ trackId }) => trackId).values()]
      .map(({ length }) => length)
      .toSorted((a, b) => b - a);
    const topFive = counts.slice(0, 5).reduce((sum, n) => sum + n, 0);
    expect(topFive / plays.length).toBeGreaterThan(0.2);
    const since = (days: number) =>
      plays.filter((play) => play.startedAt > NOW - days * DAY).length;
    expect(since(28)).toBeGreaterThan((since(84) - since(56)) * 1.2);
  });

  it('are the same each time', () => {
    expect(demoPlays(catalogue, listeners, NOW)).toEqual(plays);
  });
});

describe('demoFavorites', () => {
  it('are mixes that the listener has played, each once', () => {
    const favorites = demoFavorites(plays);
    const played = new Set(plays.map((play) => `${play.listenerId} ${play.trackId}`));
    const keys = favorites.map(({ listenerId, trackId }) => `${listenerId} ${trackId}`);
    expect(favorites.length).toBeGreaterThan(100);
    expect(new Set(keys).size).toBe(keys.length);
    for (const key of keys) expect(played).toContain(key);
    for (const { createdAt } of favorites) expect(createdAt).toBeLessThanOrEqual(NOW);
  });
});

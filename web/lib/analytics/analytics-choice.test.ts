import { afterEach, describe, expect, it, vi } from 'vitest';
import { isTrackingRefused, isAnalyticsOff } from './analytics-choice.ts';

it.each([
  [{ doNotTrack: '1' }, true],
  [{ doNotTrack: 'yes' }, true],
  [{ doNotTrack: null, globalPrivacyControl: true }, true],
  [{ doNotTrack: '0' }, false],
  [{ doNotTrack: null, globalPrivacyControl: false }, false],
  [{}, false],
])('a browser with %j asks not to be tracked: %s', (signals, isAsked) => {
  expect(isTrackingRefused(signals)).toBe(isAsked);
});

describe('analytics are off', () => {
  const withStorage = (getItem: () => string | null) => vi.stubGlobal('localStorage', { getItem });
  afterEach(() => vi.unstubAllGlobals());

  it('when this device has opted out', () => {
    withStorage(() => '1');
    expect(isAnalyticsOff()).toBe(true);
    withStorage(() => null);
    expect(isAnalyticsOff()).toBe(false);
  });

  it('when the browser has no storage', () => {
    withStorage(() => {
      throw new Error('denied');
    });
    expect(isAnalyticsOff()).toBe(true);
  });
});

import { expect, it } from 'vitest';
import { asksNotToBeTracked } from './analytics-choice.ts';

it.each([
  [{ doNotTrack: '1' }, true],
  [{ doNotTrack: 'yes' }, true],
  [{ doNotTrack: null, globalPrivacyControl: true }, true],
  [{ doNotTrack: '0' }, false],
  [{ doNotTrack: null, globalPrivacyControl: false }, false],
  [{}, false],
])('a browser with %j asks not to be tracked: %s', (signals, isAsked) => {
  expect(asksNotToBeTracked(signals)).toBe(isAsked);
});

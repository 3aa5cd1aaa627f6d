import { expect, it } from 'vitest';
import { describeMixes } from './premium-welcome.ts';

const before = { year: 2025, count: 40 };

it.each([
  [[before, { year: 2026, count: 44 }], 'All 44 mixes of 2026'],
  [[before, { year: 2026, count: 2 }], 'All 42 mixes'],
  [[{ year: 2026, count: 1 }], 'The first mix'],
  [[], 'Every mix'],
])('a new subscriber reads how much there is to hear: %j', (years, text) => {
  expect(describeMixes(years, 2026)).toBe(text);
});

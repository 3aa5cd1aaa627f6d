import { expect, it } from 'vitest';
import { suggestRelease } from './suggest-release.ts';

const ZONE = 'Africa/Johannesburg';

it('suggests the next release hour on the clocks of the site', () => {
  const night = Date.UTC(2026, 10, 15, 23);
  expect(suggestRelease(night, 6, ZONE)).toBe('2026-11-16T06:00');
  const noon = Date.UTC(2026, 10, 15, 10);
  expect(suggestRelease(noon, 6, ZONE)).toBe('2026-11-16T06:00');
  expect(suggestRelease(noon, 18, ZONE)).toBe('2026-11-15T18:00');
  expect(suggestRelease(noon, 12, ZONE)).toBe('2026-11-16T12:00');
});

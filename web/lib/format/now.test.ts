import { afterEach, expect, it, vi } from 'vitest';
import { HOUR } from '#contract/rules/time.ts';
import { endHydration, getToday, startHydration } from './now.ts';

const at = Date.UTC(2026, 10, 17, 22);

afterEach(() => {
  startHydration(undefined);
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it('knows the day of a page without a date format, which takes long to create', () => {
  vi.useFakeTimers({ now: at + HOUR });
  startHydration({ at, today: 'the day of the page', dayEndsAt: at + 2 * HOUR });
  endHydration();
  expect(getToday()).toBe('the day of the page');
});

it.each([
  ['after the end of that day', 2 * HOUR, '2026-11-18'],
  ['with a clock that is behind', -HOUR, '2026-11-17'],
])('reads the day from the clock %s', (_case, later, expected) => {
  vi.useFakeTimers({ now: at + later });
  startHydration({ at, today: 'the day of the page', dayEndsAt: at + 2 * HOUR });
  endHydration();
  expect(getToday()).toBe(expected);
});

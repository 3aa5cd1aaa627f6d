import { expect, it } from 'vitest';
import { GRACE_MS, hasAccess } from './access.ts';
import { DAY } from './time.ts';

const NOW = Date.UTC(2026, 10, 15);

it.each<[string, number | null, boolean]>([
  ['nothing was ever paid', null, false],
  ['the period runs', NOW + DAY, true],
  ['the period ends now', NOW, true],
  ['the payment is three days late, less a moment', NOW - 3 * DAY + 1, true],
  ['the payment is three days late', NOW - 3 * DAY, false],
  ['the period ended long ago', 0, false],
])('when %s: %s', (_case, paidThrough, expected) => {
  expect(hasAccess(paidThrough, NOW, GRACE_MS)).toBe(expected);
});

it('the grace period is three days unless the site sets another', () => {
  expect(hasAccess(NOW - 4 * DAY, NOW, 5 * DAY)).toBe(true);
  expect(hasAccess(NOW, NOW, 0)).toBe(false);
});

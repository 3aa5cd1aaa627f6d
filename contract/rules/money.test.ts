import { expect, it } from 'vitest';
import { formatMoney } from './money.ts';

it.each([
  [7900, 'R79'],
  [79000, 'R790'],
  [7950, 'R79,50'],
  [0, 'R0'],
  [123456700, 'R1\u00a0234\u00a0567'],
])('writes %i cents of rand as %s', (cents, expected) => {
  expect(formatMoney(cents, 'ZAR')).toBe(expected);
});

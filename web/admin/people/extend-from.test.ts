import { expect, it } from 'vitest';
import { extendFrom } from './user-actions.tsx';

const at = (text: string) => Date.parse(`${text}T12:00:00Z`);

it.each([
  ['2026-11-15', 1, 'months', '2026-12-15'],
  ['2026-11-15', 14, 'months', '2028-01-15'],
  ['2027-01-31', 1, 'months', '2027-02-28'],
  ['2026-11-15', 10, 'days', '2026-11-25'],
] as const)('%s and %d %s is %s', (from, count, unit, to) => {
  expect(extendFrom(at(from), { count, unit })).toBe(at(to));
});

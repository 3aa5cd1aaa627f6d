import { expect, it } from 'vitest';
import { FIRST_PART_BYTES, growPart } from './part-size.ts';

const MB = 1024 * 1024;

it('parts grow with the line, and shrink with it', () => {
  const fast = [1, 2, 3, 4, 5, 6].reduce(
    (parts) => [...parts, growPart(parts.at(-1) ?? 0, null)],
    [FIRST_PART_BYTES],
  );
  expect(fast.map((size) => size / MB)).toEqual([0.25, 1, 4, 16, 64, 256, 256]);
  expect(growPart(256 * MB, 2 * MB)).toBe(16 * MB);
  expect(growPart(16 * MB, 10_000)).toBe(MB);
});

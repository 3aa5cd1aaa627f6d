import { describe, expect, it } from 'vitest';
import { chooseLabelStep, chooseTicks } from './axis-plot.tsx';

describe('the marks of an axis', () => {
  it.each([
    [8, [0, 2, 4, 6, 8]],
    [1628, [0, 500, 1000, 1500, 2000]],
    [3, [0, 1, 2, 3]],
    [1, [0, 1]],
    [0, [0, 1]],
  ])('reach %i in whole, even steps from zero', (highest, ticks) => {
    expect(chooseTicks(highest, { isWhole: true })).toEqual(ticks);
  });

  it('may be fractions where the values are', () => {
    expect(chooseTicks(1, { isWhole: false })).toEqual([0, 0.25, 0.5, 0.75, 1]);
    expect(chooseTicks(0.055, { isWhole: false })).toEqual([0, 0.02, 0.04, 0.06]);
  });

  it('always include the highest value', () => {
    for (const highest of [2, 7, 19, 99, 101, 12_345, 604_800_00])
      expect(chooseTicks(highest, { isWhole: true }).at(-1)).toBeGreaterThanOrEqual(highest);
  });
});

it('leaves out labels that would touch', () => {
  expect(chooseLabelStep(7, 700, 56)).toBe(1);
  expect(chooseLabelStep(30, 700, 56)).toBe(3);
  expect(chooseLabelStep(101, 300, 48)).toBe(17);
});

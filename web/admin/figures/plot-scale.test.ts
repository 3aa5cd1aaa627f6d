import { describe, expect, it } from 'vitest';
import { chooseLabelStep, chooseMoneyTicks, chooseShareTicks, chooseTicks } from './axis-plot.tsx';

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

describe('an axis of shares', () => {
  it.each([
    [0, 0.04],
    [0.003, 0.04],
    [0.042, 0.06],
    [0.5, 0.6],
    [1, 1],
  ])('for shares up to %d ends at %d, and never above the whole', (highest, top) => {
    const ticks = chooseShareTicks(highest);
    expect([ticks[0], ticks.at(-1)]).toEqual([0, top]);
  });
});

describe('an axis of money', () => {
  it('is marked at whole rands and ends at R400 without money', () => {
    expect(chooseMoneyTicks(0, 0).map((tick) => tick / 100)).toEqual([0, 100, 200, 300, 400]);
    expect(chooseMoneyTicks(0, 605_700).map((tick) => tick / 100)).toEqual([
      0, 2000, 4000, 6000, 8000,
    ]);
    expect(chooseMoneyTicks(0, 79).every((tick) => tick % 100 === 0)).toBe(true);
  });

  it('goes through zero when refunds outweigh payments', () => {
    expect(chooseMoneyTicks(-158_00, 79_00).map((tick) => tick / 100)).toEqual([
      -200, -100, 0, 100,
    ]);
    expect(chooseMoneyTicks(-79_00, 0).map((tick) => tick / 100)).toEqual([-80, -60, -40, -20, 0]);
  });
});

it('leaves out labels that would touch', () => {
  expect(chooseLabelStep(7, 700, 56)).toBe(1);
  expect(chooseLabelStep(30, 700, 56)).toBe(3);
  expect(chooseLabelStep(101, 300, 48)).toBe(17);
});

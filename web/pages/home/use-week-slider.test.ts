import { expect, it } from 'vitest';
import { moveByKey } from './use-week-slider.ts';

it.each([
  ['ArrowRight', 10, 11],
  ['ArrowLeft', 10, 9],
  ['ArrowUp', 53, 53],
  ['ArrowDown', 1, 1],
  ['PageUp', 51, 53],
  ['PageDown', 10, 6],
  ['Home', 30, 1],
  ['End', 30, 53],
  ['Tab', 30, undefined],
])('%s moves from week %d to %s', (key, week, to) => {
  expect(moveByKey(key, week, 53)).toBe(to);
});

import { expect, it } from 'vitest';
import { isShortDescription } from './track-stage.tsx';

it.each([
  ['Log drums at walking pace.', true],
  ['', false],
  ['Two lines.\nThe second.', false],
  ['Log drums. '.repeat(12), false],
])('a description beside the sleeve has a line or three: %j', (text, isShort) => {
  expect(isShortDescription(text)).toBe(isShort);
});

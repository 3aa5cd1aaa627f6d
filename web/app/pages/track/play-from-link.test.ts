import { expect, it } from 'vitest';
import { parseStartSecond } from './play-from-link.tsx';

it.each([
  ['312', 312],
  ['0', 0],
  [null, null],
  ['', null],
  ['-3', null],
  ['1e3', null],
  ['12.5', null],
  ['1000000', null],
])('parses the start second of a link: %s', (text, second) => {
  expect(parseStartSecond(text)).toBe(second);
});

import { expect, it } from 'vitest';
import { parseAmount } from './parse-amount.ts';

it.each([
  ['0', 0],
  ['1250', 1250_00],
  ['99.5', 99_50],
  ['99,50', 99_50],
  [' 1 250,05 ', 1250_05],
  ['1\u00A0250.00', 1250_00],
  ['-1', -1_00],
])('reads %j as cents', (text, cents) => {
  expect(parseAmount(text)).toBe(cents);
});

it.each([
  '',
  ' ',
  '1,234',
  '1.234',
  '1,234.50',
  '0x10',
  '1e3',
  'R5',
  '5.',
  '.5',
  '--1',
  'Infinity',
])('refuses %j', (text) => {
  expect(parseAmount(text)).toBeNaN();
});

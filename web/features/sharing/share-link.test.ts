import { expect, it } from 'vitest';
import { buildTrackUrl, parseStartSecond } from './share-link.ts';

it.each([
  ['312', 312],
  ['0', 0],
  ['754s', 754],
  ['12:34', 754],
  ['72:10', 4330],
  ['1:02:03', 3723],
  ['1h2m3s', 3723],
  ['90m', 5400],
  ['2H', 7200],
  [' 12:34 ', 754],
])('parses the start of a link: %s', (text, second) => {
  expect(parseStartSecond(text)).toBe(second);
});

it.each([
  null,
  '',
  ' ',
  '-3',
  '1e3',
  '12.5',
  '0x10',
  '1000000',
  '99999',
  '12:60',
  '1:2:3',
  '1:60:00',
  '12:',
  ':30',
  '3s2m',
  'h',
  'NaN',
  '١٢',
  '<script>',
])('ignores what isn’t a second of a mix: %s', (text) => {
  expect(parseStartSecond(text)).toBeNull();
});

it('builds the address of a track, or of a second in it', () => {
  const origin = 'https://mixes.example';
  expect(buildTrackUrl(origin, 'a b', null)).toBe('https://mixes.example/track/a%20b');
  expect(buildTrackUrl(origin, 'a', 754)).toBe('https://mixes.example/track/a?t=754');
});

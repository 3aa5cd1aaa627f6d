import { expect, it, vi } from 'vitest';
import type { Track } from '#contract/tracks.ts';
import { buildWhatsAppUrl, findLinkedStart, parseStartSecond } from './share-link.ts';
import { shareTrack } from './share-sheet.ts';

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

it('builds the link to a track, or to a second of it, also for a chat in WhatsApp', () => {
  vi.stubGlobal('window', { location: { origin: 'https://mixes.example' } });
  const track = { id: 'a b', title: 'Rhythm & Sound #1', weekNumber: 46 };
  const name = 'Rhythm & Sound #1, week 46';
  expect(shareTrack(track)).toEqual({ path: '/track/a%20b', name });
  const shared = shareTrack(track, 754);
  expect(shared).toEqual({ path: '/track/a%20b?t=754', name });
  const chat = new URL(buildWhatsAppUrl(shared));
  expect(chat.origin + chat.pathname).toBe('https://wa.me/');
  expect(chat.searchParams.get('text')).toBe(`${name}\nhttps://mixes.example/track/a%20b?t=754`);
  vi.unstubAllGlobals();
});

const full = { access: 'full', duration: 3600, previewStart: 600 } as Track;
const preview = { ...full, access: 'preview' } as Track;

it.each([
  [754, full, 754],
  [0, full, 0],
  [3600, full, null],
  [86_000, full, null],
  [null, full, null],
  [605, preview, 5],
  [754, preview, null],
  [599, preview, null],
  [620, preview, null],
])('a link to second %j starts within what the user may hear', (second, track, start) => {
  expect(findLinkedStart(second, track)).toBe(start);
});

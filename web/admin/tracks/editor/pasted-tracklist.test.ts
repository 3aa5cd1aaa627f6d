import { expect, it } from 'vitest';
import { readTracklist } from '#contract/tracklists/read-tracklist.ts';
import { fillFromPaste, isPlainList, listLeftOut } from './pasted-tracklist.ts';

it('turns what a DJ program wrote into lines', () => {
  const csv = 'Title,Artist\nSubstation,Relay Room';
  expect(fillFromPaste(csv, readTracklist(csv))).toBe('--:-- Relay Room - Substation');
});

it('keeps a list as it is', () => {
  expect(isPlainList(readTracklist('0:00 Relay Room - Substation'))).toBe(true);
});

it.each(['#EXTM3U\n#EXTINF:1,', '<table><tr><td>Substation</td></tr></table>', '0:00', '---'])(
  'keeps %j, of which nothing was understood, and says so',
  (text) => {
    const read = readTracklist(text);
    expect(fillFromPaste(text, read)).toBe(text);
    expect(isPlainList(read)).toBe(false);
    expect(read.problems).not.toEqual([]);
  },
);

it('leaves out a heading and a link, and keeps a line that it doesn’t understand', () => {
  const list = '0:00 Relay Room - Substation\n12:75 Thandi M - Ndlela\n10:05 Kasi Voltage - Salt';
  const text = `Tracklist Friday Lights\r\n\r\n${list}\nhttps://example.com/friday\n`;
  const read = readTracklist(text);
  expect(isPlainList(read)).toBe(false);
  expect(fillFromPaste(text, read)).toBe(list);
  expect(listLeftOut(read).map(({ line }) => line)).toEqual([1, 6]);
  expect(readTracklist(list).problems.map(({ line }) => line)).toEqual([2]);
});

import { describe, expect, it } from 'vitest';
import { MAX_CHAPTERS } from '../rules/tracklist.ts';
import { MAX_TRACKLIST_BYTES } from './tracklist-files.ts';
import { readTracklist } from './read-tracklist.ts';

describe('a large tracklist', () => {
  const fill = (head: string, part: string, tail = '') =>
    head +
    part.repeat(Math.floor((MAX_TRACKLIST_BYTES - head.length - tail.length) / part.length)) +
    tail;

  it.each([
    ['blank lines', fill('', '\n')],
    ['spaces in one line', fill('a', ' ', 'b')],
    ['dashes in one line', fill('', '-', 'x')],
    ['spaces in a cue sheet', fill('TRACK 01 AUDIO\nTITLE a\nINDEX', ' ', 'x')],
    ['elements inside one another', fill('<NML>', '<a>')],
    ['rows that never end', fill('<table>', '<tr><td>')],
    ['tags that never end', fill('#EXTM3U\n#EXTVDJ:', '<title>')],
    ['quotes that never end', fill('Title,Artist\n', '"x')],
    ['quotes in one row', fill('title,artist\n', '"a""b",')],
    ['spaces in a playlist', fill('#EXTM3U\n', `#EXTINF:1,a${' '.repeat(1900)}x\na.mp3\n`)],
    ['spaces in a history', fill('VirtualDJ History\n', `22:15 : a${' '.repeat(1900)}x\n`)],
    ['spaces in labels', fill('', `1\t1\ta${' '.repeat(1900)}x\n`)],
    ['spaces in titles', fill('TRACK 01 AUDIO\n', `TRACK 01 AUDIO\nTITLE a${' '.repeat(1900)}x\n`)],
    ['spaces in cells', fill('Title,Artist\n', `a${' '.repeat(1900)}x,\n`)],
    ['tags in every line', fill('#EXTM3U\n', `#EXTVDJ:${'<title>'.repeat(270)}\n`)],
  ])('reads as many bytes of %s as a file may have', (_name, text) => {
    const { chapters, problems } = readTracklist(text);
    expect(chapters.length).toBeLessThanOrEqual(MAX_CHAPTERS);
    expect(problems.every(({ line }) => line > 0)).toBe(true);
  });

  it('keeps as many of 50,000 lines as a tracklist may have, and says so', () => {
    const { chapters, problems } = readTracklist(fill('', '0:00 a - b\n'));
    expect(chapters).toHaveLength(MAX_CHAPTERS);
    expect(problems).toEqual([{ line: 301, message: 'is one too many: use at most 300 lines' }]);
  });
});

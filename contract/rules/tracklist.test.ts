import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  describeProblems,
  formatTracklist,
  MAX_CHAPTERS,
  parseTracklist,
  sortChapters,
} from './tracklist.ts';

const lines = (text: string) => parseTracklist(text).chapters;

describe('a tracklist', () => {
  it.each([
    [
      '0:00 Relay Room - Substation Intro',
      { at: 0, artist: 'Relay Room', title: 'Substation Intro' },
    ],
    ['[01:02:03] Title alone', { at: 3723, artist: null, title: 'Title alone' }],
    ['03. 12:30 – Artist – A - B', { at: 750, artist: 'Artist', title: 'A - B' }],
    ['Artist — Title (75:10)', { at: 4510, artist: 'Artist', title: 'Title' }],
    ['1:00 | Nine to Five', { at: 60, artist: null, title: 'Nine to Five' }],
  ])('parses %s', (line, chapter) => {
    expect(lines(line)).toEqual([chapter]);
  });

  it('keeps lines without a time behind the line they were behind', () => {
    expect(lines('5:00 B\nC\n--:-- 4:44\n0:10 A')).toEqual([
      { at: 10, artist: null, title: 'A' },
      { at: 300, artist: null, title: 'B' },
      { at: null, artist: null, title: 'C' },
      { at: null, artist: null, title: '4:44' },
    ]);
  });

  it('is sorted by time, with any line endings', () => {
    expect(lines('5:00 B\r\n\r\n0:10 A').map(({ title }) => title)).toEqual(['A', 'B']);
  });

  it.each([
    ['0:00 A\n12:75 B', 'Line 2 has an invalid time: 12:75.'],
    ['0:00', 'Line 1 has a time but no title.'],
    ['9:00:00 Too late', 'Line 1 has a time past six hours.'],
    ['---\n0:00', 'Line 1 is only a separator (and 1 more).'],
  ])('reports the problem with %j', (text, sentence) => {
    expect(describeProblems(parseTracklist(text).problems)).toBe(sentence);
  });

  it('is limited in length', () => {
    expect(parseTracklist('0:00 a\n'.repeat(MAX_CHAPTERS + 1)).problems).toHaveLength(1);
    expect(parseTracklist(`0:00 ${'a'.repeat(201)}`).problems).toHaveLength(1);
  });

  it('never throws, whatever is pasted', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), (text) => {
        const { chapters } = parseTracklist(text);
        expect(chapters.every(({ at, title }) => (at ?? 0) >= 0 && title.length > 0)).toBe(true);
      }),
    );
  });

  it('survives formatting and parsing', () => {
    const name = fc
      .stringMatching(/^[A-Za-z][a-z ]{0,20}[a-z]$/)
      .map((text) => text.replace(/ +/g, ' '));
    const chapter = fc.record({
      at: fc.option(fc.integer({ min: 0, max: 21_600 })),
      artist: fc.option(name, { nil: null }),
      title: name,
    });
    fc.assert(
      fc.property(fc.array(chapter, { maxLength: 40 }), (chapters) => {
        const sorted = sortChapters(chapters);
        expect(parseTracklist(formatTracklist(sorted))).toEqual({ chapters: sorted, problems: [] });
      }),
    );
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanTags, cleanText, parseFfmetadata } from './clean-tags.ts';

describe('tags as plain text', () => {
  it.each([
    ['<script>alert(1)</script>Week 12', 'alert(1) Week 12'],
    ['<scr<b>ipt>alert(1)</script>', 'alert(1)'],
    ['Me <3 You & I > they', 'Me <3 You & I > they'],
    ['Hi <img src=x onerror=alert(1)', 'Hi'],
    ['two\nlines\tand\u0000nothing', 'two lines and nothing'],
    ['safe\u202Etxt.exe', 'safe txt.exe'],
    ['Cafe\u0301', 'Café'],
    ['   ', ''],
  ])('%j becomes %j', (from, to) => {
    expect(cleanText(from)).toBe(to);
  });

  it('never keeps the beginning of a tag, a control character or more than its bound', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('<', '>', '/', '!', 'script', 'b', ' ', '\n', '\u202e', '💿')),
        (parts) => {
          const text = cleanText(parts.join(''), 40);
          expect(text).not.toMatch(/<[a-z/!?]/i);
          expect(text).not.toMatch(/\p{C}/u);
          expect([...text].length).toBeLessThanOrEqual(40);
        },
      ),
    );
  });

  it('reads what ffmpeg writes, escapes and all', () => {
    const text =
      ';FFMETADATA1\ntitle=A \\= B \\; C\ncomment=one\\\ntwo\nTBPM=124\n[STREAM]\ntitle=x\n';
    expect([...parseFfmetadata(text)]).toEqual([
      ['title', 'A = B ; C'],
      ['comment', 'one\ntwo'],
      ['tbpm', '124'],
    ]);
  });

  it('leaves chapters out', () => {
    expect(parseFfmetadata(';FFMETADATA1\n[CHAPTER]\nSTART=0\ntitle=One\n').size).toBe(0);
  });

  it.each([
    [
      { tbpm: '124.4', date: '2026-03-01' },
      { bpm: 124, year: 2026 },
    ],
    [{ bpm: '0', date: 'soon' }, {}],
    [{ tmpo: '99999', year: '26' }, {}],
    [{ title: '<b></b>', artist: ' A ' }, { artist: 'A' }],
  ])('takes %j as %j', (raw, tags) => {
    expect(cleanTags(new Map(Object.entries(raw)))).toEqual(tags);
  });
});

import { describe, expect, it } from 'vitest';
import { findGaps, NO_DETAILS, parseIsrc, parseIswc, RecordingDetails } from './recording.ts';

describe('a code', () => {
  it('is kept without signs, and only if it can be one', () => {
    for (const text of [
      'ZAUM71900001',
      'za-um7-19-00001',
      ' ISRC ZA UM7 19 00001 ',
      'ＺＡＵＭ７１９０００01',
    ])
      expect(parseIsrc(text)).toBe('ZAUM71900001');
    for (const text of ['', 'ZAUM7190000', '1AUM71900001', 'ZAUM7190000X', 'ZAUM719000011'])
      expect(parseIsrc(text)).toBeNull();
    for (const text of ['T-034.524.680-1', 't0345246801', 'ISWC T-034.524.680.1'])
      expect(parseIswc(text)).toBe('T0345246801');
    // Two digits changed places.
    for (const text of ['', 'T-034.524.680-2', 'T0354246801', '0345246801'])
      expect(parseIswc(text)).toBeNull();
  });

  it('may be empty in a form, and is refused with a sentence if it is wrong', () => {
    expect(RecordingDetails.parse({ ...NO_DETAILS, isrc: '' }).isrc).toBe('');
    const { error } = RecordingDetails.safeParse({ ...NO_DETAILS, isrc: 'ZA-UM7' });
    expect(error?.issues[0]?.message).toMatch(/^An ISRC has two letters/);
  });
});

it('a report misses less of an own production', () => {
  const entry = { at: null, artist: 'Relay Room', details: { ...NO_DETAILS, label: 'Grid' } };
  expect(findGaps(entry)).toEqual(['time', 'composer', 'publisher', 'isrc']);
  const details = { ...NO_DETAILS, isOwn: true };
  expect(findGaps({ at: 0, artist: null, details })).toEqual(['artist', 'composer']);
});

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { NO_DETAILS } from '#contract/tracklists/recording.ts';
import { matchFile, type FileTrack } from './match-file.ts';
import { toValues } from './sheet.ts';

const entry = (at: number | null, artist: string | null, title: string) => ({ at, artist, title });
const track = (
  at: number | null,
  artist: string | null,
  title: string,
  details: FileTrack['details'] = { isrc: 'ZAUM71900001' },
): FileTrack => ({ at, artist, title, details });
const empty = () => ({ values: toValues(NO_DETAILS) });

const summarise = (entries: FileTrack[], tracks: FileTrack[]) => {
  const { matches, unmatched } = matchFile(entries, entries.map(empty), tracks);
  return {
    matches: matches.map(({ row, track: { title }, by }) => `${row} ${title} ${by}`),
    unmatched: unmatched.map(({ title }) => title),
  };
};

it('finds an entry by its names, by nearly the same names, and then by its time', () => {
  const entries = [
    entry(0, 'Relay Room', 'Substation'),
    entry(270, 'Thandi M', 'Ndlela'),
    entry(501, 'Unknown', 'ID'),
    entry(null, null, 'Salt'),
  ];
  const tracks = [
    track(503, 'Kasi Voltage', 'Umlazi Siren'),
    track(240, 'THANDI M', 'Ndlela (Extended Mix)'),
    track(90, 'Rélay  Room', 'substation'),
    track(900, 'Another', 'Mix'),
  ];
  expect(summarise(entries, tracks)).toEqual({
    matches: ['0 substation names', '1 Ndlela (Extended Mix) names', '2 Umlazi Siren time'],
    unmatched: ['Mix'],
  });
});

it('fills both entries of a track that is played twice, from one line or from two', () => {
  const entries = [entry(0, 'a', 'Loop'), entry(600, 'a', 'Loop')];
  expect(summarise(entries, [track(null, 'a', 'Loop')]).matches).toEqual([
    '0 Loop names',
    '1 Loop names',
  ]);
  const twice = [
    track(600, 'a', 'Loop', { label: 'second' }),
    track(0, 'a', 'Loop', { label: 'first' }),
  ];
  const { matches } = matchFile(entries, entries.map(empty), twice);
  expect(matches.map(({ fills }) => fills[0]?.value)).toEqual(['first', 'second']);
});

it('fills only what the file knows, and names what stands in the field', () => {
  const values = { ...toValues(NO_DETAILS), composer: 'Thandi M', label: 'Old' };
  const details = { composer: 'Thandi M', label: 'New', isrc: 'ZAUM71900001', publisher: null };
  const { matches } = matchFile(
    [entry(0, 'a', 'b')],
    [{ values }],
    [track(null, 'a', 'b', { ...details, isOwn: false })],
  );
  expect(matches[0]?.fills).toEqual([
    { row: 0, field: 'label', value: 'New', old: 'Old' },
    { row: 0, field: 'isrc', value: 'ZAUM71900001', old: '' },
  ]);
});

it('names every track of a file once, matched or not, whatever the file says', () => {
  const any = fc.record({
    at: fc.option(fc.nat(20)),
    artist: fc.option(fc.constantFrom('a', 'b', '(')),
    title: fc.constantFrom('x', 'x (Mix)', 'y', '[', ''),
  });
  fc.assert(
    fc.property(fc.array(any), fc.array(any), (entries, tracks) => {
      const { matches, unmatched } = matchFile(entries, entries.map(empty), tracks);
      const matched = new Set(matches.map(({ track: one }) => one));
      expect(new Set([...matched, ...unmatched])).toEqual(new Set(tracks));
      expect(unmatched.filter((one) => matched.has(one))).toEqual([]);
      expect(new Set(matches.map(({ row }) => row)).size).toBe(matches.length);
    }),
  );
});

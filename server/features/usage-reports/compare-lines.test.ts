import { describe, expect, it } from 'vitest';
import { compareLines } from './compare-lines.ts';
import { layouts, type ReportFacts, type UsageLine } from './layouts.ts';

const facts: ReportFacts = {
  from: '2026-07-01',
  to: '2026-09-30',
  territory: 'South Africa',
  currency: 'ZAR',
  revenue: 100_00,
};
const played = (plays: number | null, seconds = plays === null ? null : plays * 60) => ({
  plays,
  seconds,
});
const none = played(0);
const entry = (position: number, title: string, change: Partial<UsageLine> = {}): UsageLine => ({
  line: 'entry',
  trackId: 'mix',
  recordingId: null,
  track: 'Golden Hour',
  released: '2026-07-03',
  position,
  at: (position - 1) * 60,
  title,
  version: null,
  performer: 'Someone',
  composer: null,
  publisher: null,
  label: null,
  isrc: null,
  iswc: null,
  isOwn: false,
  heard: { full: played(3), preview: none, subsonic: none, podcast: none },
  ...change,
});
const compare = (
  before: readonly UsageLine[],
  after: readonly UsageLine[],
  change: Partial<ReportFacts> = {},
) => [
  ...compareLines(
    { facts, lines: before },
    { facts: { ...facts, ...change }, lines: after },
    layouts.general,
  ),
];

describe('what changed between two reports', () => {
  it('is nothing if they say the same', () => {
    const lines = [entry(1, 'One'), entry(2, 'Two', { recordingId: 'two' })];
    expect(compare(lines, structuredClone(lines))).toEqual([]);
  });

  it('names each cell that changed, with what it was and is', () => {
    const heard = { ...entry(1, 'One').heard, full: played(null) };
    expect(
      compare(
        [entry(1, 'One'), entry(2, 'Too', { recordingId: 'two' })],
        [
          entry(1, 'One', { heard }),
          entry(2, 'Two', { recordingId: 'two', composer: 'A. Sithole' }),
        ],
        { territory: 'Namibia', revenue: 90_50 },
      ),
    ).toEqual(
      [
        {
          track: 'Total',
          title: '',
          column: 'Territory',
          before: 'South Africa',
          after: 'Namibia',
        },
        {
          track: 'Total',
          title: '',
          column: 'Revenue of the period',
          before: '100.00',
          after: '90.50',
        },
        { title: 'One', column: 'Plays', before: '3', after: '' },
        { title: 'One', column: 'Seconds heard', before: '180', after: '' },
        { title: 'Two', column: 'Title', before: 'Too', after: 'Two' },
        { title: 'Two', column: 'Composer', before: '', after: 'A. Sithole' },
      ].map((change) => ({ change: 'changed', track: 'Golden Hour', ...change })),
    );
  });

  it('follows an entry to its new place instead of comparing it with what is there now', () => {
    const before = [entry(1, 'One'), entry(2, 'Two'), entry(3, 'Three')];
    const after = [
      entry(1, 'New', { at: 0 }),
      entry(2, 'One', { at: 0 }),
      entry(3, 'Three', { at: 120 }),
    ];
    expect(compare(before, after)).toEqual([
      { change: 'added', track: 'Golden Hour', title: 'New', column: '', before: '', after: '' },
      { change: 'removed', track: 'Golden Hour', title: 'Two', column: '', before: '', after: '' },
    ]);
  });

  it('keeps two entries of the same names apart, and the mixes', () => {
    const twice = [entry(1, 'Same', { at: null }), entry(2, 'Same', { at: null })];
    const other = twice.map((line) => ({ ...line, trackId: 'other' }));
    expect(compare([...twice, ...other], [...other, ...twice])).toEqual([]);
    expect(compare(twice, [...twice, ...other]).map(({ change }) => change)).toEqual([
      'added',
      'added',
    ]);
  });
});

import { describe, expect, it } from 'vitest';
import {
  describeSiteYear,
  describeYear,
  findYearFacts,
  parseYear,
  type YearPlay,
  type YearTrack,
} from './year.ts';

const ZONE = 'Africa/Johannesburg';

type Heard = 'heard' | 'started' | 'previewed' | 'unheard';
const progressOf: Record<Heard, YearTrack['progress']> = {
  heard: { position: 3600, listened: 3600, isFinished: true },
  started: { position: 900, listened: 600, isFinished: false },
  previewed: { position: 45, listened: 20, isFinished: false },
  unheard: null,
};

const buildTrack = (
  weekNumber: number,
  state: Heard = 'heard',
  id = `w${weekNumber}`,
): YearTrack => ({
  id,
  title: `Mix ${id}`,
  weekNumber,
  duration: 3600,
  access: state === 'previewed' ? 'preview' : 'full',
  previewStart: 30,
  progress: progressOf[state],
});

const factsOf = (tracks: YearTrack[], plays: YearPlay[] = []) => findYearFacts(tracks, plays, ZONE);
const run = (states: string) =>
  factsOf(
    [...states].flatMap((state, i) =>
      state === '.' ? [] : [buildTrack(i + 1, state === 'x' ? 'heard' : 'unheard')],
    ),
  ).run;

describe('the facts of a year', () => {
  it('count a week once, however many mixes of it were heard', () => {
    const tracks = [
      buildTrack(1, 'heard', 'a'),
      buildTrack(1, 'heard', 'b'),
      buildTrack(2, 'heard', 'c'),
      buildTrack(2, 'unheard', 'd'),
      buildTrack(3, 'started'),
      buildTrack(4, 'unheard'),
    ];
    expect(factsOf(tracks)).toMatchObject({ heard: 2, weeks: 4, listened: 3 * 3600 + 600 });
  });

  it.each([
    ['xx-xxx', { weeks: 3, from: 4, to: 6 }],
    ['xx-xx', { weeks: 2, from: 1, to: 2 }],
    ['xx..xx', { weeks: 4, from: 1, to: 6 }],
    ['x', { weeks: 1, from: 1, to: 1 }],
    ['---', null],
    ['', null],
  ])('have the longest run of %s; weeks without a mix don’t end one', (states, expected) => {
    expect(run(states)).toEqual(expected);
  });

  it('say when most was heard, by seconds, in the site’s time zone', () => {
    const play = (day: string, listened: number) => ({
      trackId: 'w1',
      at: Date.parse(day),
      listened,
    });
    const tracks = [buildTrack(1)];
    // 17:30 in Johannesburg.
    const friday = play('2026-11-13T15:30:00Z', 3000);
    const mornings = [play('2026-11-09T06:00:00Z', 10), play('2026-11-16T06:00:00Z', 10)];
    expect(factsOf(tracks, [...mornings, friday]).mostlyAt).toBe('Fridays after\u00A017:00');
    expect(factsOf(tracks, mornings).mostlyAt).toBe('Monday mornings');
    expect(factsOf(tracks, [play('2026-11-14T23:00:00Z', 1)]).mostlyAt).toBe(
      'Sundays before\u00A006:00',
    );
    expect(factsOf(tracks).mostlyAt).toBeNull();
  });

  it('name the mix that was played most, of equals the newer, and none of another year', () => {
    const plays = ['w1', 'w1', 'w2', 'w2', 'other', 'other', 'other'].map((trackId) => ({
      trackId,
      at: 0,
      listened: 20,
    }));
    expect(factsOf([buildTrack(1), buildTrack(2)], plays).mostPlayed).toEqual({
      trackId: 'w2',
      title: 'Mix w2',
      week: 2,
      plays: 2,
    });
  });
});

describe('the words of a year', () => {
  const textsOf = (tracks: YearTrack[], plays?: YearPlay[]) =>
    describeYear(factsOf(tracks, plays)).map(({ value, text }) => `${value} ${text}`);

  it('are four, and read well without any listening', () => {
    expect(textsOf([buildTrack(1, 'unheard'), buildTrack(2, 'unheard')])).toEqual([
      '0 weeks heard of 2',
      '0 min listened',
      '0 weeks in a row',
      '– most played',
    ]);
  });

  it('tell a free member of the previews they heard', () => {
    expect(textsOf([buildTrack(1, 'previewed'), buildTrack(2, 'unheard')])[0]).toBe(
      '1 preview heard, of 2 weeks',
    );
  });

  it('count in words up to nine', () => {
    const played = (count: number) =>
      textsOf(
        [buildTrack(1)],
        Array.from({ length: count }, () => ({ trackId: 'w1', at: 0, listened: 20 })),
      ).at(-1);
    expect([1, 2, 9, 12].map(played)).toEqual([
      'Week 1 Mix w1, played once',
      'Week 1 Mix w1, played twice',
      'Week 1 Mix w1, played nine times',
      'Week 1 Mix w1, played 12 times',
    ]);
  });

  it('of the site are about all its mixes', () => {
    const tracks = [
      { title: 'A', weekNumber: 1, plays: 1234 },
      { title: 'B', weekNumber: 2, plays: 7 },
    ];
    expect(describeSiteYear({ plays: 1, listeners: 900, tracks })).toEqual([
      { value: '2', text: 'mixes' },
      { value: '1', text: 'play' },
      { value: '900', text: 'listeners' },
      { value: 'Week 1', text: 'A, 1,234 plays', week: 1 },
    ]);
    expect(describeSiteYear({ plays: 0, listeners: 0, tracks: [] })[3]?.value).toBe('–');
  });
});

it.each(['', 'x', '0', '0999', '20261', '2026.5', '-2026', '２０２６', '2026 ', '1e3'])(
  'an address that names no year: “%s”',
  (text) => {
    expect(parseYear(text)).toBeNull();
  },
);
it('an address that names a year', () => {
  expect(parseYear('2026')).toBe(2026);
});

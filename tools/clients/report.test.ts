import { expect, it } from 'vitest';
import { choose, writeReport, type Result } from './report.ts';

const mpv: Result = {
  name: 'mpv',
  version: '0.35.1',
  missing: [],
  passed: ['play', 'seek'],
  failed: [],
  cannot: 'the rest',
};

it('says what was tried, and why the rest was not', () => {
  const report = writeReport([
    mpv,
    { ...mpv, name: 'vlc', version: null, passed: [] },
    { ...mpv, name: 'strawberry', missing: ['xvfb', 'xdotool'], passed: [] },
  ]);
  expect(report.split('\n').slice(2)).toEqual([
    '| mpv | 0.35.1 | play, seek | the rest |',
    '| vlc | – | not tried: it isn’t here | the rest |',
    '| strawberry | 0.35.1 | not tried: xvfb, xdotool missing | the rest |',
  ]);
});

it('names in the table what failed, and below it the reason', () => {
  const failed = [{ what: 'seek', problem: 'Error: No position.' }];
  const report = writeReport([{ ...mpv, passed: ['play'], failed }, mpv]);
  expect(report).toContain('| mpv | 0.35.1 | play, FAILED: seek | the rest |');
  expect(report.endsWith('\nFAILED mpv, seek: Error: No position.')).toBe(true);
});

it('takes all programs, or those that are named', () => {
  const programs = { mpv: 1, vlc: 2, mpd: 3 };
  expect(choose(programs, [])).toEqual(Object.entries(programs));
  expect(choose(programs, ['mpd', 'mpv'])).toEqual([
    ['mpv', 1],
    ['mpd', 3],
  ]);
});

it('refuses a name that there isn’t', () => {
  expect(() => choose({ mpv: 1, vlc: 2 }, ['mvp', 'toString'])).toThrow(
    'No program mvp, toString. There are: mpv, vlc.',
  );
});
